import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { withReviewSettings, withReview } from '#tests/support/app/review'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { statusOfPage, signedIn, type Page, type WebClient } from '#tests/support/web/client'
import { fieldOf, wordsOf } from '#tests/support/web/review'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }
let before: string

const path = (rest = '') => `/zones/${zone.id}${rest}`
const ALL = { require_review_for_all: true }

async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

/** Returns the newest request and its page for a reviewer. */
async function filed(): Promise<{ id: number; page: Page }> {
  const row = await db.from('zw_change_requests').orderBy('id', 'desc').first()
  const id = Number(row.id)
  return { id, page: await client.get(`/requests/${id}`) }
}

/** Approves the request with the form of its page. */
async function approved({ id, page }: { id: number; page: Page }): Promise<Page> {
  const fields = {
    plan_hash: page.hidden('plan_hash'),
    tag: page.hidden('tag'),
  }
  return client.post(`/requests/${id}/approve`, fields, { from: '/account/password' })
}

test.group('Editors create change requests', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'one', type: 'A', content: '192.0.2.1', ttl: 300 })
    await createRecord(as, zone, { name: 'two', type: 'A', content: '192.0.2.2', ttl: 300 })
    client = await signedIn(admin)
    before = await contents()
  })
  group.each.setup(withReview(ALL))

  test('an import creates a request', async ({ assert }) => {
    const fields = { text: 'ftp 300 IN A 192.0.2.5', mode: 'merge', format: 'auto' }
    const from = { from: path('/import') }
    const page = await client.upload(path('/import/plan'), fields, from)
    assert.include(wordsOf(page), 'This change needs approval')
    const names = ['text', 'mode', 'format', 'file_name', 'plan_hash']
    const sent = Object.fromEntries(names.map((name) => [name, page.hidden(name)]))
    assert.equal(await statusOfPage(client.upload(path('/import/apply'), sent, from)), 303)
    assert.equal(await contents(), before)
    const request = await filed()
    assert.include(wordsOf(request.page), '192.0.2.5')
    assert.equal(await statusOfPage(approved(request)), 303)
    assert.include(await contents(), '192.0.2.5')
  })

  test('PTR records of another zone create a request that names the zone', async ({ assert }) => {
    const net = `10.${Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 200)}`
    const [, b, c] = net.split('.')
    const reverse = await createZone(as, { name: `${c}.${b}.10.in-addr.arpa` })
    const line = `host 300 IN A ${net}.7`
    await withReviewSettings({ require_review_for_all: false }, async () => {
      await createRecord(as, zone, { name: 'host', type: 'A', content: `${net}.7`, ttl: 300 })
    })
    const from = { from: path('/ptr') }
    const take = [`${net}.7 host.${zone.name}`]
    const page = await client.post(path('/ptr/plan'), { take }, from)
    assert.include(wordsOf(page), 'This change needs approval', line)
    const fields = { take: page.hidden('take'), plan_hash: page.hidden('plan_hash') }
    assert.equal(await statusOfPage(client.post(path('/ptr/apply'), fields, from)), 303)
    const request = await filed()
    assert.include(wordsOf(request.page), reverse.name)
    assert.equal(await statusOfPage(approved(request)), 303)
  })

  test('a sync with a template creates a request, and the link is created on approval', async ({
    assert,
  }) => {
    const template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, 'www', 'A', '192.0.2.5')
    const links = () => db.from('zw_zone_template_links').where('template_id', template)
    const order = { action: 'template', template: String(template), local_changes: 'keep' }
    const from = { from: '/zones' }
    const page = await client.post('/zones/bulk', { ...order, 'ids[]': String(zone.id) }, from)
    assert.include(wordsOf(page), '1 requires review')
    const fields = { ...order, items: fieldOf(page, 'items') }
    const resultPage = await client.post('/zones/bulk/apply', fields, from)
    assert.match(wordsOf(resultPage), /Change request \d+ submitted/)
    assert.deepEqual([await contents(), await links()], [before, []])
    const request = await filed()
    assert.include(wordsOf(request.page), `template: ${template}`)
    assert.equal(await statusOfPage(approved(request)), 303)
    assert.include(await contents(), '192.0.2.5')
    const [link, ...others] = await links()
    assert.isEmpty(others)
    assert.include(link.given, '192.0.2.5')
    const drift = await as.get(`/zone-templates/${template}/drift`)
    assert.notInclude(JSON.stringify(drift.body().data), 'www')
  })

  test('a form sent twice at once creates one request', async ({ assert }) => {
    const requests = () => db.from('zw_change_request_zones').where('zone_id', zone.id)
    const from = { from: path() }
    const twice = async (address: string, fields: Record<string, string>) => {
      const token = await client.tokenOn(path())
      const pages = await Promise.all([1, 2].map(() => client.post(address, fields, { token })))
      assert.sameMembers(
        pages.map(({ status }) => status),
        [303, 409]
      )
      assert.isTrue(
        pages.some((page) => wordsOf(page).includes('This change was already submitted'))
      )
    }
    const record = { name: 'three', type: 'A', content: '192.0.2.3', ttl: 300 }
    const changes = JSON.stringify([{ action: 'create', ...record }])
    const plan = await client.post(path('/plan'), { changes }, from)
    const names = ['changes', 'plan_hash', 'once']
    await twice(
      path('/apply'),
      Object.fromEntries(names.map((name) => [name, fieldOf(plan, name)]))
    )
    assert.lengthOf(await requests(), 1)
    const { id, page } = await filed()
    const said = () => db.from('zw_change_request_comments').where('request_id', id)
    await twice(`/requests/${id}/comments`, { text: 'said once', once: page.hidden('once') })
    assert.lengthOf(await said(), 1)
    const deletion = await client.get(path('/delete'))
    const fields = { tag: deletion.hidden('tag'), once: deletion.hidden('once') }
    await twice(path('/delete'), fields)
    assert.lengthOf(await requests(), 2)
  })

  test('an undo creates a request, planned and direct', async ({ assert }) => {
    const page = await client.get(path('/history/3/undo'))
    assert.include(wordsOf(page), 'This change needs approval')
    const fields = { plan_hash: fieldOf(page, 'plan_hash') }
    assert.equal(await statusOfPage(client.post(path('/history/3/undo'), fields)), 303)
    assert.equal(await contents(), before)
    const first = await filed()
    assert.include(wordsOf(first.page), '192.0.2.2')
    assert.equal(await statusOfPage(client.post(path('/history/3/undo'), {})), 303)
    const second = await filed()
    assert.notEqual(second.id, first.id)
    assert.equal(await statusOfPage(approved(first)), 303)
    assert.notInclude(await contents(), '192.0.2.2')
    const secondPage = await client.post(path('/history/3/undo'), {})
    assert.isTrue([303, 409].includes(secondPage.status))
    const stalePage = await client.get(`/requests/${second.id}`)
    assert.include(stalePage.html, 'outdated')
  })

  test('a restore creates a request', async ({ assert }) => {
    const page = await client.get(path('/restore?point=2'))
    const fields = { entry: fieldOf(page, 'entry'), plan_hash: fieldOf(page, 'plan_hash') }
    const from = { from: path('/restore?point=2') }
    assert.equal(await statusOfPage(client.post(path('/restore'), fields, from)), 303)
    const request = await filed()
    assert.include(wordsOf(request.page), '192.0.2.2')
    assert.equal(await statusOfPage(approved(request)), 303)
    assert.notInclude(await contents(), '192.0.2.2')
  })

  test('the deletion of a zone creates a request', async ({ assert }) => {
    const page = await client.get(path('/delete'))
    const fields = { tag: fieldOf(page, 'tag') }
    assert.equal(await statusOfPage(client.post(path('/delete'), fields)), 303)
    assert.equal(await contents(), before)
    const request = await filed()
    assert.include(wordsOf(request.page), 'The zone and all of its records are deleted')
    assert.equal(await statusOfPage(approved(request)), 303)
    assert.equal(await statusOfPage(client.get(path())), 404)
    const after = await client.get(`/requests/${request.id}`)
    assert.equal(after.status, 200)
  })

  test('a rename of a zone with protected names creates a request', async ({ assert }) => {
    await withReviewSettings({ protected_names: [`one.${zone.name}`] }, async () => {
      const page = await client.get(path('/settings'))
      const name = `${unique('renamed')}.test`
      const fields = { name, type: 'MASTER', tag: fieldOf(page, 'tag') }
      assert.equal(await statusOfPage(client.post(path('/settings'), fields)), 303)
      const request = await filed()
      assert.include(wordsOf(request.page), name)
    })
  }).tags(['@sql'])
})

test.group('Requested review and scheduled changes', (group) => {
  const may = { require_review_for_all: false, allow_scheduling: true }
  const added = JSON.stringify([
    { action: 'create', name: 'asked', type: 'A', content: '192.0.2.9', ttl: 300 },
  ])
  let plan: Page

  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(withReview(may))
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    client = await signedIn(admin)
    await client.post('/account/preferences', { time_zone: 'Asia/Tokyo', rows: '50' })
    before = await contents()
    plan = await client.post(path('/plan'), { changes: added }, { from: path() })
  })

  /** Sends the form of the plan. Returns the response itself if it is not a redirect. */
  const sent = (fields: Record<string, string>) =>
    client.post(
      path('/apply'),
      { changes: added, plan_hash: fieldOf(plan, 'plan_hash'), ...fields },
      { from: path() }
    )

  test('a second button creates a request for changes that could be applied at once', async ({
    assert,
  }) => {
    assert.include(wordsOf(plan), 'Request review instead')
    assert.equal(await statusOfPage(sent({ review: 'ask', reason: 'Look, please' })), 303)
    assert.equal(await contents(), before)
    const request = await filed()
    assert.include(wordsOf(request.page), 'Look, please')
    assert.equal(await statusOfPage(approved(request)), 303)
    assert.include(await contents(), '192.0.2.9')
  })

  test('the time is in the time zone of the user, and is stored with the request', async ({
    assert,
  }) => {
    assert.include(wordsOf(plan), 'Time zone: Asia/Tokyo')
    assert.equal(await statusOfPage(sent({ apply_at: '2099-01-02T12:30' })), 303)
    assert.equal(await contents(), before)
    const { id } = await filed()
    const row = await db.from('zw_change_requests').where('id', id).first()
    assert.include(String(row.apply_at), '03:30')
    for (const wrong of ['2001-01-02T12:30', 'tomorrow']) {
      const secondPage = await sent({ apply_at: wrong })
      assert.equal(secondPage.status, 422)
      assert.include(secondPage.html, `value="${wrong}"`)
      assert.isNotEmpty(fieldOf(secondPage, 'plan_hash'))
    }
  })

  test('users who may not schedule see no time field, and without review there is no button', async ({
    assert,
  }) => {
    const shown = async () => {
      const { html } = await client.post(path('/plan'), { changes: added }, { from: path() })
      return [html.includes('name="apply_at"'), html.includes('value="ask"')]
    }
    assert.deepEqual(await shown(), [true, true])
    assert.deepEqual(await withReviewSettings({ ...may, allow_scheduling: false }, shown), [
      false,
      true,
    ])
    assert.deepEqual(await withReviewSettings({ enabled: false, allow_scheduling: true }, shown), [
      false,
      false,
    ])
    const emptyPage = await withReviewSettings({ enabled: false }, () => sent({ review: 'ask' }))
    assert.equal(emptyPage.status, 404)
    assert.equal(await contents(), before)
  })

  test('texts, imports, restores and deletions offer a review; settings only for a rename', async ({
    assert,
  }) => {
    const lines = { text: 'ftp 300 IN A 192.0.2.5', mode: 'merge', format: 'auto' }
    const at = { apply_at: '2099-01-02T12:30' }
    const pages = [
      await client.upload(path('/import/plan'), lines, { from: path('/import') }),
      await client.get(path('/delete')),
      await client.get(path('/restore?point=1')),
    ]
    assert.deepEqual(
      pages.map(({ html }) => html.includes('value="ask"')),
      [true, true, false]
    )
    const [, deletion] = pages
    const order = { tag: fieldOf(deletion, 'tag'), review: 'ask', ...at }
    assert.equal(await statusOfPage(client.post(path('/delete'), order)), 303)
    assert.equal(await statusOfPage(client.get(path())), 200)
    const ending = await filed()
    assert.include(wordsOf(ending.page), 'The zone and all of its records are deleted')

    const settings = await client.get(path('/settings'))
    assert.include(settings.html, 'name="apply_at"')
    const form = { description: 'later', tag: fieldOf(settings, 'tag'), ...at }
    const refused = await client.post(path('/settings'), form)
    assert.equal(refused.status, 422)
    const renamed = { ...form, description: '', name: `${unique('later')}.test` }
    assert.equal(await statusOfPage(client.post(path('/settings'), renamed)), 303)
    const renaming = await filed()
    assert.include(wordsOf(renaming.page), renamed.name)
  })
})
