import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { changeSettings } from '#tests/support/app/settings'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { journalOf } from '#tests/support/app/zones/zones'
import { statusOfPage, signedIn, type Page, type WebClient } from '#tests/support/web/client'

let admin: Person
let client: WebClient
let word: string

const zoneOf = (name: string): Promise<Record<string, unknown> | null> =>
  db.from('zw_zones').where('name', name).whereNotNull('kind').first()

const named = (label: string) => `${label}.${word}.test`

test.group('New zones from files in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async () => {
    word = unique('w').slice(0, 10).toLowerCase()
    client = await signedIn(admin)
  })

  const at = '/zones/new/file'
  const soa = 'SOA ns1.example.net. hostmaster.example.net. 2020010203 7200 3600 604800 300'
  const plan = (fields: Record<string, string | File>, visitor = client) =>
    visitor.upload(`${at}/plan`, fields, { from: at })
  const apply = (page: Page, more: Record<string, string> = {}) => {
    const names = ['text', 'format', 'file_name', 'name', 'kind', 'description', 'plan_hash']
    const fields = Object.fromEntries(names.map((name) => [name, page.hidden(name)]))
    return client.upload(`${at}/apply`, { ...fields, ...more }, { from: at })
  }
  const contents = async (name: string) => {
    const row = await zoneOf(name)
    const all = await contentsOf({ id: Number(row?.id) })
    return all.join('\n')
  }

  test('a file is previewed, and the zone is created with its records', async ({ assert }) => {
    const name = named('moved')
    const text = [
      `$ORIGIN ${name}.`,
      `@ 300 IN ${soa}`,
      '@ 300 IN NS ns1.example.net.',
      'www 300 IN A 192.0.2.1 ; the shop',
      'www 300 IN RRSIG A 13 3 300 20300101000000 20200101000000 1 a.test. AAAA',
    ].join('\r\n')
    const file = new File([text], 'moved.zone', { type: 'text/plain' })
    const page = await plan({ file, kind: 'NATIVE', description: '<b>moved' })
    assert.equal(page.status, 200)
    for (const part of [
      name,
      'moved.zone',
      '192.0.2.1',
      'RRSIG is written only by the name server',
    ]) {
      assert.include(page.html, part)
    }
    assert.isNull(await zoneOf(name))
    const resultPage = await apply(page, { reason: 'from the old server' })
    const row = await zoneOf(name)
    assert.deepEqual([resultPage.status, resultPage.location], [303, `/zones/${Number(row?.id)}`])
    assert.deepEqual([row?.kind, row?.description], ['NATIVE', '<b>moved'])
    const now = await contents(name)
    assert.include(now, '192.0.2.1')
    const [entry] = await journalOf(Number(row?.id))
    assert.containsSubset(entry, { channel: 'web', reason: 'from the old server' })
    const exported = await client.get(`/zones/${Number(row?.id)}/export`)
    assert.include(exported.html, 'the shop')
    assert.include(exported.html, '2020010203')
    const owning = await db.from('zw_zone_owners').where('zone_id', Number(row?.id)).firstOrFail()
    assert.equal(owning.user_id, admin.id)
    // The zone now exists.
    const secondPage = await plan({ file, kind: 'NATIVE' })
    assert.equal(secondPage.status, 409)
    assert.include(secondPage.html, 'already exists')
  })

  test('missing SOA and NS records are added as in other new zones', async ({ assert }) => {
    const name = named('part')
    const nameless = await plan({ text: 'www 300 A 192.0.2.1' })
    assert.equal(nameless.status, 422)
    assert.include(nameless.html, 'Enter the zone name')
    assert.equal(nameless.typed('text'), 'www 300 A 192.0.2.1')
    const page = await plan({ text: 'www,300,A,192.0.2.1', name: ` ${name.toUpperCase()} ` })
    assert.equal(page.status, 200)
    await apply(page)
    const now = await contents(name)
    assert.match(now, /"SOA"/)
    assert.include(now, '192.0.2.1')
  })

  test('the preview returns to the form with all values', async ({ assert }) => {
    const { id: teamId, name: teamName } = await createTeam(['zone_content_view_own'])
    const newOwner = await person()
    const typed = { text: `@ 300 ${soa}`, name: named('back'), kind: 'NATIVE', description: 'why' }
    const page = await plan({
      ...typed,
      format: 'zone',
      owner: newOwner.username,
      groups: String(teamId),
    })
    assert.include(page.html, `formaction="${at}"`)
    const carried = ['text', 'name', 'kind', 'description', 'owner', 'groups', 'format']
    const fields = Object.fromEntries(carried.map((name) => [name, page.hidden(name)]))
    const returnPage = await client.upload(at, fields, { from: at })
    assert.equal(returnPage.status, 200)
    assert.equal(returnPage.typed('text'), typed.text)
    for (const value of [typed.name, typed.description, newOwner.username, teamName]) {
      assert.include(returnPage.html, value)
    }
    assert.match(returnPage.html, /value="NATIVE"[^>]*checked/)
    assert.match(returnPage.html, new RegExp(`name="groups" value="${teamId}" checked`))
    await apply(page, { owner: page.hidden('owner'), groups: page.hidden('groups') })
    const row = await zoneOf(named('back'))
    const users = await db.from('zw_zone_owners').where('zone_id', Number(row?.id))
    const groups = await db.from('zw_zone_groups').where('zone_id', Number(row?.id))
    assert.deepEqual([users[0].user_id, groups[0].group_id], [newOwner.id, teamId])
  })

  test('groups own the zone if only groups may own zones', async ({ assert, cleanup }) => {
    const { id: teamId } = await createTeam(['zone_content_view_own'])
    cleanup(changeSettings({ dns: { zone_ownership_mode: 'groups_only' } }))
    const form = await client.get(at)
    assert.notInclude(form.html, 'name="owner"')
    const nobody = await plan({ text: `@ 300 ${soa}`, name: named('group') })
    assert.equal(nobody.status, 422)
    const page = await plan({
      text: `@ 300 ${soa}`,
      name: named('group'),
      groups: String(teamId),
    })
    await apply(page, { groups: page.hidden('groups') })
    const row = await zoneOf(named('group'))
    const clone = `/zones/${Number(row?.id)}/clone`
    const copy = { 'name': named('copy'), 'groups[]': String(teamId) }
    assert.equal(await statusOfPage(client.post(clone, { name: named('copy') })), 422)
    assert.equal(await statusOfPage(client.post(clone, copy)), 303)
    for (const name of [named('group'), named('copy')]) {
      const created = await zoneOf(name)
      const groups = await db.from('zw_zone_groups').where('zone_id', Number(created?.id))
      assert.deepEqual(
        groups.map(({ group_id: id }) => Number(id)),
        [teamId]
      )
      assert.isEmpty(await db.from('zw_zone_owners').where('zone_id', Number(created?.id)))
    }
  })

  test('errors have line numbers, and nothing is created', async ({ assert }) => {
    const name = named('wrong')
    const cases: [text: string, line: string][] = [
      [`@ 300 ${soa}\nbad 300 A x`, 'Line 2'],
      [`@ 300 ${soa}\nwww 300 CNAME a.test.\nwww 300 A 192.0.2.1`, 'www'],
      [`@ 300 ${soa}\n<script>alert(1)</script> 300 A 192.0.2.1`, 'Line 2'],
    ]
    for (const [text, line] of cases) {
      const page = await plan({ text, name, format: 'zone' })
      assert.equal(page.status, 422, text)
      assert.include(page.html, line)
      assert.notInclude(page.html, '<script>alert')
    }
    for (const fields of [
      { text: ' ', name },
      { text: 'a A 192.0.2.1', name: '..' },
    ]) {
      const page = await plan(fields)
      assert.equal(page.status, 422)
    }
    const kind = await plan({ text: `@ 300 ${soa}`, name, kind: 'SLAVE' })
    assert.equal(kind.status, 422)
    const format = await plan({ text: `@ 300 ${soa}`, name, format: 'xml' })
    assert.equal(format.status, 400)
    assert.isNull(await zoneOf(name))
  })

  test('only the displayed zone is created', async ({ assert }) => {
    const name = named('shown')
    const page = await plan({ text: `@ 300 ${soa}\nwww 300 A 192.0.2.1`, name })
    const otherPage = await apply(page, { text: `@ 300 ${soa}\nwww 300 A 192.0.2.66` })
    assert.equal(otherPage.status, 409)
    assert.include(otherPage.html, '192.0.2.66')
    assert.isNull(await zoneOf(name))
    const resultPage = await apply(otherPage)
    assert.equal(resultPage.status, 303)
    assert.include(await contents(name), '192.0.2.66')
  })

  test('the form requires the permission to create zones', async ({ assert }) => {
    const viewer = await signedIn(await person({ permissions: ['zone_content_view_own'] }))
    assert.equal(await viewer.statusOf(at), 403)
    const fields = { name: named('no'), text: `@ 300 ${soa}` }
    for (const rest of ['/plan', '/apply']) {
      const refused = await viewer.upload(`${at}${rest}`, fields, { from: '/zones' })
      assert.equal(refused.status, 403)
    }
    assert.isNull(await zoneOf(named('no')))
  })
})
