import db from '@adonisjs/lucid/services/db'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { administrator, person, createTeam } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { TOAST_LIFETIME as TOAST_WAITS } from '#web/page/page'
import { statusOfPage, signedIn, WebClient } from '#tests/support/web/client'

/** Creates an administrator for the API and the interface, and a unique word. */
async function atWork(api: ApiClient) {
  const root = await administrator()
  const word = unique('w').slice(0, 10).toLowerCase()
  return { as: caller(api, root), client: await signedIn(root), word }
}

test.group('Suggestions of fields', () => {
  test('suggestions match the text and are visible to the user', async ({ assert }) => {
    const crew = await createTeam([])
    const root = await signedIn(await administrator())
    const member = await person({ groups: [crew.name] })
    const names = async (visitor: WebClient, of: string, q: string) => {
      const page = await visitor.get(`/names?of=${of}&q=${encodeURIComponent(q)}`)
      const found = (JSON.parse(page.html) as { names: { name: string }[] }).names
      return found.map(({ name }) => name)
    }
    const part = crew.name.slice(1).toUpperCase()
    assert.deepEqual(await names(root, 'groups', part), [crew.name])
    assert.deepEqual(await names(root, 'users', member.username), [member.username])
    assert.deepEqual(await names(root, 'heirs', `group: ${part}`), [`group: ${crew.name}`])
    assert.deepEqual(await names(root, 'heirs', member.username), [`user: ${member.username}`])
    for (const q of ['', '%', '_%']) {
      const found = await names(root, 'users', q)
      assert.notInclude(found, member.username, q)
    }
    assert.deepEqual(await names(root, 'secrets', 'x'), [])
    const inGroup = await signedIn(member)
    assert.deepEqual(await names(inGroup, 'groups', part), [crew.name])
    assert.deepEqual(await names(inGroup, 'users', member.username), [])
    const other = await createTeam([])
    assert.deepEqual(await names(inGroup, 'groups', other.name), [])
    assert.deepEqual(await names(inGroup, 'heirs', other.name), [])
    // Options show the name of the group.
    const at = `/users/${member.id}`
    const join = (add: string) => statusOfPage(root.post(`${at}/groups`, { add }, { from: at }))
    assert.equal(await join(other.name), 303)
    assert.equal(await join('no such group'), 422)
    const groups = await db.from('zw_group_members').where('user_id', member.id)
    assert.sameMembers(
      groups.map(({ group_id: id }) => Number(id)),
      [crew.id, other.id]
    )
  })

  test('a request for suggestions does not consume the flash message of the next page', async ({
    assert,
  }) => {
    const root = await signedIn(await administrator())
    const at = '/account/preferences'
    const saved = await root.post(at, { rows_per_page: '25' }, { from: at })
    assert.equal(saved.status, 303)
    for (const path of ['/names?of=users&q=a', '/palette?q=a', '/names?of=zones&q=ab']) {
      assert.equal(await root.statusOf(path), 200)
    }
    const hasToast = async () => {
      const page = await root.get(at)
      return page.html.includes('data-toast=')
    }
    assert.isTrue(await hasToast())
    // The message is shown once.
    assert.isFalse(await hasToast())
    // An old message is dropped if no page was requested in time.
    const { ms } = TOAST_WAITS
    TOAST_WAITS.ms = -1
    try {
      await root.post(at, { rows_per_page: '30' }, { from: at })
      assert.isFalse(await hasToast())
    } finally {
      TOAST_WAITS.ms = ms
    }
  })

  test('suggestions only contain visible objects', async ({ assert, client: api }) => {
    const { as, client, word } = await atWork(api)
    const created = await createZone(as, { name: `suggested.${word}.test` })
    const names = async (visitor: WebClient, q: string) => {
      const page = await visitor.get(`/names?of=zones&q=${encodeURIComponent(q)}`)
      const found = JSON.parse(page.html).names as { href: string }[]
      return found.map(({ href }) => Number(href.replace('/zones/', '')))
    }
    assert.deepEqual(await names(client, `suggested.${word.slice(0, 5)}`), [created.id])
    assert.deepEqual(await names(client, `SUGGESTED.${word}`), [created.id])
    assert.deepEqual(await names(client, `ted.${word}`), [created.id])
    const mine = await signedIn(await owner(created, ['zone_content_view_own']))
    assert.deepEqual(await names(mine, `ted.${word}`), [created.id])
    const stranger = await signedIn(await person())
    assert.deepEqual(await names(stranger, `suggested.${word}`), [])
    for (const q of ['', 's', '%', '__', "'", 'x'.repeat(999)]) {
      assert.deepEqual(await names(client, q), [])
    }
    const nobody = new WebClient()
    const { status } = await nobody.get('/names?of=zones&q=suggested')
    assert.notEqual(status, 200)
  })

  test('host names are completed with the entered zone', async ({ assert, client: api }) => {
    const { as, client, word } = await atWork(api)
    const { name } = await createZone(as, { name: `below.${word}.test` })
    const hosts = async (q: string) => {
      const page = await client.get(`/names?of=hosts&q=${encodeURIComponent(q)}`)
      const found = JSON.parse(page.html).names as { name: string }[]
      return found.map((one) => one.name)
    }
    assert.deepEqual(await hosts(`www.${name.slice(0, -3)}`), [`www.${name}`])
    assert.deepEqual(await hosts(`a.b.${name}`), [`a.b.${name}`])
    // A name that only contains the search text does not match.
    assert.deepEqual(await hosts(`www.${name.slice(2)}`), [])
    for (const q of ['', '.', '..', 'www', 'www.', '.'.repeat(299)]) {
      assert.deepEqual(await hosts(q), [], q)
    }
  })

  test('zone templates are suggested if there are too many for a selection', async ({
    assert,
    client: api,
  }) => {
    const { as, client, word } = await atWork(api)
    for (let index = 0; index < 21; index++) {
      await createZoneTemplate(as, { name: `${word} ${index}` })
    }
    const { html: suggested } = await client.get(`/names?of=templates&q=${word}%2020`)
    assert.deepEqual(JSON.parse(suggested), { names: [{ name: `${word} 20` }] })
    const form = await client.get('/zones/new')
    assert.include(form.html, 'name="template_name"')
    assert.notInclude(form.html, '<select')
    const from = { from: '/zones/new' }
    const make = (template_name: string) =>
      client.post('/zones/new', { names: `${word}.test`, kind: 'NATIVE', template_name }, from)
    const refused = await make(`${word} none`)
    assert.equal(refused.status, 422)
    assert.include(refused.html, `value="${word} none"`)
    assert.equal(await statusOfPage(make(`${word} 20`)), 303)
    const { id } = await db.from('zw_zones').where('name', `${word}.test`).firstOrFail()
    const choice = { 'action': 'template', 'ids[]': [String(id)] }
    const response = await client.post('/zones/bulk', choice, from)
    assert.include(response.html, 'name="template_name"')
    const plan = await client.post('/zones/bulk', { ...choice, template_name: `${word} 19` }, from)
    assert.equal(plan.hidden('template_name'), `${word} 19`)
  })
})
