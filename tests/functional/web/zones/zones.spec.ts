// @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner, withReview } from '#tests/support/app/review'
import { journalOf } from '#tests/support/app/zones/zones'
import { fieldOf, shownRecords } from '#tests/support/web/review'
import { signedIn, type WebClient, type Page } from '#tests/support/web/client'
import type { RecordVerdict as TypedVerdict } from '#zones/records/check_record'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

const path = (rest = '') => `/zones/${zone.id}${rest}`

/** Sends the apply form of the plan. */
function apply(page: Page, more: Record<string, string> = {}, visitor = client): Promise<Page> {
  const fields = { changes: fieldOf(page, 'changes'), plan_hash: fieldOf(page, 'plan_hash') }
  return visitor.post(path('/apply'), { ...fields, ...more }, { from: path('/records/new') })
}

/** Returns the address of the edit form of the record with this content. */
async function formOf(content: string): Promise<string> {
  const page = await client.get(path(`?content=${encodeURIComponent(content)}`))
  return /href="(\/zones\/\d+\/records\/[^"]+\/edit)"/.exec(page.html)?.[1] ?? ''
}

const www = { name: 'www', type: 'A', content: '192.0.2.1', ttl: '', priority: '' }

/** Returns a body that replaces the addresses of www. */
const replacing = (...records: { content: string }[]) => ({
  name: 'www',
  type: 'A',
  ttl: 60,
  records,
})

/** Returns the records of the zone as one text. */
async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

test.group('Zones in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    client = await signedIn(admin)
  })

  test('the list has the zones of the API list', async ({ client: api, assert }) => {
    const own = await owner(zone, ['zone_content_view_own'])
    const visitor = await signedIn(own)
    const page = await visitor.get('/zones')
    const listed = await caller(api, own).get('/zones')
    const ids = [...page.html.matchAll(/href="\/zones\/(\d+)"/g)].map(([, id]) => Number(id))
    assert.deepEqual(
      ids,
      listed.body().data.zones.map(({ id }: { id: number }) => id)
    )
    assert.deepEqual(ids, [zone.id])
    const stranger = await signedIn(await person())
    const { html } = await stranger.get('/zones')
    assert.notInclude(html, zone.name)
  })

  test('a hidden zone gets 404 on every page', async ({ assert }) => {
    const stranger = await signedIn(await person())
    for (const rest of ['', '/history', '/records/new']) {
      const hidden = await stranger.get(path(rest))
      const missing = await stranger.get(`/zones/999999999${rest}`)
      assert.deepEqual([hidden.status, missing.status], [404, 404])
    }
    for (const rest of ['/plan', '/apply', '/history/1/undo']) {
      const fields = { changes: '[{"action":"create"}]' }
      const hidden = await stranger.post(path(rest), fields, { from: '/zones' })
      const missing = await stranger.post(`/zones/999999999${rest}`, fields, { from: '/zones' })
      assert.deepEqual([hidden.status, missing.status], [404, 404])
    }
  })

  test('the page of a secondary zone says that its records come from the primary', async ({
    assert,
  }) => {
    const { id } = await createZone(as, { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.53' })
    for (const page of ['', '/text']) {
      const { html } = await client.get(`/zones/${id}${page}`)
      assert.include(html, 'from its primary by zone transfer', page)
      assert.notInclude(html, 'You have read-only access')
    }
    const { html } = await client.get(`/zones/${id}`)
    assert.include(html, 'Not transferred from the primary yet')
    const own = await client.get(path())
    assert.notInclude(own.html, 'by zone transfer')
  })

  test('readers see no actions, and changes are refused', async ({ assert }) => {
    const viewer = await signedIn(await owner(zone, ['zone_content_view_own']))
    const page = await viewer.get(path())
    assert.equal(page.status, 200)
    assert.notInclude(page.html, 'records/new')
    assert.equal(await viewer.statusOf(path('/records/new')), 403)
    const draft = JSON.stringify([{ action: 'create', ...www, ttl: 60, priority: 0 }])
    for (const rest of ['/plan', '/apply']) {
      const refused = await viewer.post(path(rest), { changes: draft }, { from: '/zones' })
      assert.equal(refused.status, 403)
    }
    assert.notInclude(await contents(), '192.0.2.1')
  })

  test('a record is added, changed and deleted, and each change can be undone', async ({
    assert,
  }) => {
    const added = await client.post(path('/records/new'), www)
    assert.equal(added.status, 200)
    assert.include(added.html, 'class="in"')
    assert.notInclude(await contents(), '192.0.2.1')
    const done = await apply(added, { reason: 'because' })
    assert.deepEqual([done.status, done.location], [303, path()])
    assert.include(await contents(), '192.0.2.1')
    const shown = await client.get(path())
    const undo = /action="(\/zones\/\d+\/history\/\d+\/undo)"/.exec(shown.html)?.[1] ?? ''

    const changed = await client.post(await formOf('192.0.2.1'), { ...www, content: '192.0.2.2' })
    await apply(changed)
    assert.include(await contents(), '192.0.2.2')
    const form = await formOf('192.0.2.2')
    const deleted = await client.post(form.replace('/edit', '/delete'), {}, { from: form })
    await apply(deleted)
    assert.notInclude(await contents(), '192.0.2.2')

    const late = await client.post(undo, {}, { from: path('/records/new') })
    assert.equal(late.status, 409)
    const history = await client.get(path('/history'))
    const newest = /href="(\/zones\/\d+\/history\/\d+\/undo)"/.exec(history.html)?.[1] ?? ''
    const plan = await client.get(newest)
    await client.post(newest, { plan_hash: fieldOf(plan, 'plan_hash') })
    assert.include(await contents(), '192.0.2.2')
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.slice(1).map(({ channel, username }) => [channel, username]),
      Array.from({ length: 4 }, () => ['web', admin.username])
    )
  })

  test('only the displayed plan is applied', async ({ assert }) => {
    const page = await client.post(path('/records/new'), www)
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.9' })
    const moved = await apply(page)
    assert.equal(moved.status, 409)
    assert.include(moved.html, '192.0.2.9')
    assert.notInclude(await contents(), '192.0.2.1')
    const again = await apply(moved)
    assert.equal(again.status, 303)
    for (const hash of ['', 'sha256:00', 'x']) {
      const none = await apply(await client.post(path('/records/new'), { ...www, name: 'two' }), {
        plan_hash: hash,
      })
      assert.isTrue([409, 422].includes(none.status), `${hash}: ${none.status}`)
    }
    assert.notInclude(await contents(), 'two')
  })

  test('a record that another user changed is not overwritten', async ({ assert }) => {
    const record = await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const form = await formOf('192.0.2.1')
    const opened = await client.get(form)
    const tag = fieldOf(opened, 'tag')
    const changes = { content: '192.0.2.7' }
    await as.put(`/zones/${zone.id}/records/${record.id}`, changes)
    const late = await client.post(form, { ...www, content: '192.0.2.2', tag }, { from: form })
    assert.equal(late.status, 412)
    assert.include(await contents(), '192.0.2.7')
  })

  test('a record that was replaced meanwhile is an error of the draft', async ({ assert }) => {
    const record = await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const page = await client.get(path())
    const shown = shownRecords(page).find(({ type }) => type === 'A')
    const { id = '', tag = '', ...was } = { ...shown }
    assert.equal(id, String(record.id))
    await as.put(`/zones/${zone.id}/rrsets`, replacing({ content: '192.0.2.9' }))
    for (const change of [
      { action: 'update', id, tag, was, content: '192.0.2.2' },
      { action: 'delete', id, tag, was },
    ]) {
      const fields = { changes: JSON.stringify([change]) }
      const late = await client.post(path('/plan'), fields, { from: path('/records/new') })
      assert.equal(late.status, 412)
      assert.include(late.html, 'www A 192.0.2.1')
      assert.include(late.html, 'removed or replaced in the meantime')
      assert.notInclude(late.html, 'Bulk operations failed')
    }
    const form = path(`/records/${id}/edit`)
    const late = await client.post(form, { ...www, tag }, { from: path('/records/new') })
    assert.equal(late.status, 412)
    assert.include(late.html, 'removed or replaced in the meantime')
    assert.include(await contents(), '192.0.2.9')
  })

  test('a record is validated during input without a write', async ({ assert }) => {
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const before = await contents()
    const check = async (fields: Record<string, string>, visitor = client) => {
      const typed = { ...www, name: 'new', ...fields }
      const { status, html } = await visitor.post(path('/check'), typed, { from: '/zones' })
      return { status, ...(status === 200 ? (JSON.parse(html) as TypedVerdict) : null) }
    }
    const good = await check({ type: 'mx', content: 'MAIL.example.net', priority: '10' })
    assert.containSubset(good, { problem: null, content: 'mail.example.net', warnings: [] })
    assert.isNotEmpty(good.about?.example)
    assert.isNotEmpty(good.about?.trap)
    for (const [fields, field] of [
      [{ content: '192.0.2.300' }, 'content'],
      [{ content: '' }, 'content'],
      [{ name: 'a..b' }, 'name'],
      [{ type: 'NOPE' }, 'type'],
      [{ type: 'RRSIG' }, 'type'],
      [{ ttl: 'soon' }, 'ttl'],
      [{ priority: 'x' }, 'priority'],
      [{ priority: '5' }, 'priority'],
    ] as const) {
      const { problem, content } = await check(fields)
      assert.deepEqual([problem?.field, content], [field, null], JSON.stringify(fields))
    }
    const conflicting = await check({ name: 'www', type: 'CNAME', content: 'other.example.net' })
    assert.lengthOf(conflicting.warnings ?? [], 1)
    assert.equal(await contents(), before)
    const viewer = await signedIn(await owner(zone, ['zone_content_view_own']))
    const denied = await check({}, viewer)
    assert.equal(denied.status, 403)
    const stranger = await signedIn(await person())
    const hidden = await check({}, stranger)
    assert.equal(hidden.status, 404)
    const forged = await client.post(path('/check'), www, { token: 'x' })
    assert.equal(forged.status, 403)
  })

  test('an unchanged stored value is not validated while other fields change', async ({
    assert,
  }) => {
    const apex = zone.name
    const odd = [
      { name: `x..y.${apex}`, type: 'A', content: '192.0.2.1', ttl: 300 },
      { name: `a(b.${apex}`, type: 'A', content: '192.0.2.1', ttl: 300 },
      { name: `bad.${apex}`, type: 'A', content: '192.0.2.300', ttl: 300 },
      { name: `ttl.${apex}`, type: 'A', content: '192.0.2.1', ttl: -5 },
      { name: `mx.${apex}`, type: 'MX', content: 'a..b', prio: 10, ttl: 300 },
      { name: `prio.${apex}`, type: 'A', content: '192.0.2.1', prio: 7, ttl: 300 },
    ]
    for (const { name, type, content, ttl, prio = 0 } of odd) {
      const row = {
        domain_id: zone.id,
        name,
        type,
        content,
        ttl,
        prio,
        disabled: false,
        auth: true,
      }
      await db.table('records').insert(row)
      const { id } = await db.from('records').where({ domain_id: zone.id, name }).firstOrFail()
      const typed = {
        id: String(id),
        name: name.slice(0, -apex.length - 1),
        ...{ type, content, ttl: String(ttl), priority: String(prio) },
      }
      const check = async (fields: Record<string, string>) => {
        const { html } = await client.post(
          path('/check'),
          { ...typed, ...fields },
          { from: '/zones' }
        )
        return (JSON.parse(html) as TypedVerdict).problem?.field
      }
      assert.isUndefined(await check({}), name)
      assert.isUndefined(await check(ttl < 0 ? {} : { ttl: '600' }), name)
      assert.equal(await check({ content: '' }), 'content', name)
      assert.equal(await check({ name: 'c..d' }), 'name', name)
      assert.equal(await check({ ttl: '-6' }), 'ttl', name)
      assert.equal(await check({ priority: '-1' }), 'priority', name)
      await db.from('records').where('id', id).delete()
    }
  })

  test('errors are shown at their field', async ({ assert }) => {
    for (const fields of [
      { content: '192.0.2.300' },
      { content: '' },
      { type: 'NOPE' },
      { ttl: 'soon' },
      { priority: '70000' },
      { name: 'a..b' },
      { name: 'www.elsewhere.example.' },
    ]) {
      const page = await client.post(path('/records/new'), { ...www, ...fields })
      assert.equal(page.status, 422, JSON.stringify(fields))
      assert.include(page.html, 'role="alert"')
    }
    for (const changes of ['', 'x', '[]', '{}', '[{"action":"none"}]', '[{"action":"update"}]']) {
      const page = await client.post(path('/plan'), { changes }, { from: path('/records/new') })
      assert.isTrue(page.status >= 400 && page.status < 500, `${changes}: ${page.status}`)
    }
  })

  test('a user who may only request changes creates a request', async ({ assert, cleanup }) => {
    cleanup(withReview()())
    const asker = await owner(zone, ['zone_content_view_own', 'zone_change_request_own'])
    const visitor = await signedIn(asker)
    const page = await visitor.post(path('/records/new'), www)
    assert.equal(page.status, 200)
    assert.include(page.html, 'change request')
    const filed = await apply(page, {}, visitor)
    assert.equal(filed.status, 303)
    assert.notInclude(await contents(), '192.0.2.1')
    const listed = await as.get(`/change-requests?per_page=5&sort=id:desc`)
    assert.include(JSON.stringify(listed.body()), asker.username)
  })

  test('values of other users are escaped', async ({ assert }) => {
    const probe = `"><script>alert(1)</script>'&{{ 1 + 1 }}`
    await createRecord(as, zone, { name: 'probe', type: 'TXT', content: JSON.stringify(probe) })
    await as.put(`/zones/${zone.id}`, { description: probe })
    for (const page of [
      await client.get(path()),
      await client.get(path('/history')),
      await client.get(path(`?q=${encodeURIComponent(probe)}`)),
      await client.get(`/zones?q=${encodeURIComponent(probe)}`),
      await client.post(path('/records/new'), { ...www, content: probe, name: probe }),
    ]) {
      assert.notInclude(page.html, '<script>alert')
      assert.notInclude(page.html, "'&2")
    }
  })

  test('a user who may write but not view sees no record', async ({ assert }) => {
    const writer = await person({ permissions: ['zone_content_edit_others'] })
    const visitor = await signedIn(writer)
    const record = await createRecord(as, zone, {
      name: 'hidden',
      type: 'TXT',
      content: '"secret"',
    })
    for (const page of [
      await visitor.get(path(`/records/${record.id}/edit`)),
      await visitor.get(path(`/records/new?copy=${record.id}`)),
      await visitor.post(path(`/records/${record.id}/delete`), {}, { from: '/account/password' }),
    ]) {
      assert.notInclude(page.html, 'secret')
      assert.oneOf(page.status, [403, 404])
    }
  })
})
