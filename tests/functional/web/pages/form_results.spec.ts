import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { signedIn, type Page, type WebClient } from '#tests/support/web/client'
import { fieldOf, shownRecords, wordsOf } from '#tests/support/web/review'
import { RETENTION_MS, MAX_RESULTS as MAX_STORED, pruneFormResults } from '#web/forms/form_results'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

const NOT_STORED = 'is no longer stored'

test.group('Stored results of forms', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    client = await signedIn(admin)
  })

  const path = (rest = '') => `/zones/${zone.id}${rest}`
  const planned = (text: string): Promise<Page> =>
    client.upload(path('/import/plan'), { text, mode: 'merge' }, { from: path('/import') })
  const applied = (plan: Page): Promise<Page> => {
    const names = ['text', 'mode', 'format', 'file_name', 'once', 'plan_hash']
    const fields = Object.fromEntries(names.map((name) => [name, plan.hidden(name)]))
    return client.upload(path('/import/apply'), fields, { from: path('/import') })
  }

  test('a plan has an address: it can be reloaded, and is applied once', async ({ assert }) => {
    const first = await planned('www 300 IN A 192.0.2.7')
    assert.match(first.path, /^\/zones\/\d+\/import\/plan\/results\/[\w-]{22}$/)
    const again = await client.get(first.path)
    assert.equal(again.status, 200)
    assert.include(wordsOf(again), '192.0.2.7')
    assert.equal(again.hidden('once'), first.hidden('once'))
    const done = await applied(first)
    assert.equal(done.status, 303)
    const twice = await applied(again)
    assert.equal(twice.status, 409)
    assert.include(wordsOf(twice), 'This change was already submitted')
    // The plan is computed again and has no changes left.
    const later = await client.get(first.path)
    assert.include(wordsOf(later), 'No changes: everything is already as requested')
  })

  test('adding, editing and deleting one record without scripts has an address', async ({
    assert,
  }) => {
    const www = { name: 'www', type: 'A', content: '192.0.2.7', ttl: '300' }
    const added = await client.post(path('/records/new'), www)
    assert.match(added.path, /\/records\/new\/results\/[\w-]{22}$/)
    const again = await client.get(added.path)
    assert.equal(again.hidden('once'), added.hidden('once'))
    assert.include(wordsOf(again), '192.0.2.7')
    const names = ['changes', 'plan_hash', 'once']
    const fields = Object.fromEntries(names.map((name) => [name, fieldOf(added, name)]))
    const apply = () => client.post(path('/apply'), fields, { token: added.token })
    const once = await apply()
    const twice = await apply()
    assert.deepEqual([once.status, twice.status], [303, 409])
    // An impossible change returns to its form, which has the same target.
    const late = await client.get(added.path)
    assert.equal(late.status, 409)
    assert.include(late.html, `action="${path('/records/new')}"`)

    const page = await client.get(path())
    const { id } = shownRecords(page).find((one) => one.name === 'www')!
    const edit = path(`/records/${id}/edit`)
    const tag = await client.tagAt(edit)
    const edited = await client.post(edit, { ...www, content: '192.0.2.8', tag })
    assert.match(edited.path, /\/edit\/results\/[\w-]{22}$/)
    assert.include(wordsOf(await client.get(edited.path)), '192.0.2.8')
    const deleted = await client.post(path(`/records/${id}/delete`), {}, { from: edit })
    assert.match(deleted.path, /\/delete\/results\/[\w-]{22}$/)
    assert.include(wordsOf(await client.get(deleted.path)), '192.0.2.7')
    const other = await signedIn(await administrator())
    const { status, location } = await other.get(deleted.path)
    assert.deepEqual([status, location], [303, path()])
  })

  test('results belong to one user and one form', async ({ assert }) => {
    const { path: kept } = await planned('www 300 IN A 192.0.2.7')
    const other = await signedIn(await administrator())
    const { status, location } = await other.get(kept)
    assert.deepEqual([status, location], [303, path('/import')])
    const told = await other.get(path('/import'))
    assert.include(wordsOf(told), NOT_STORED)
    const elsewhere = await client.get(kept.replace('/import/plan/', '/text/plan/'))
    assert.deepEqual([elsewhere.status, elsewhere.location], [303, path('/text')])
    const foreign = await createZone(as, { name: zoneNamed() })
    const moved = await client.get(kept.replace(path(), `/zones/${foreign.id}`))
    assert.equal(moved.status, 303)
  })

  test('the newest results are stored for a day, without one-time values', async ({ assert }) => {
    const first = await planned('www 300 IN A 192.0.2.7')
    const from = { token: first.token }
    let newest = first
    for (let index = 0; index < MAX_STORED; index++) {
      newest = await client.post('/zones/bulk', { action: 'owner', more: String(zone.id) }, from)
    }
    assert.equal(newest.status, 200)
    const mine = db.from('zw_form_results').where('user_id', admin.id)
    const rows = await mine.clone().countDistinct('name as names').firstOrFail()
    assert.equal(Number(rows.names), MAX_STORED)
    const dropped = await client.get(first.path)
    assert.equal(dropped.status, 303)
    const still = await client.get(newest.path)
    assert.equal(still.status, 200)
    const old = new Date(Date.now() - RETENTION_MS).toISOString()
    await mine.clone().update({ created_at: old })
    const removed = await client.get(newest.path)
    assert.equal(removed.status, 303)
    await pruneFormResults()
    assert.lengthOf(await mine.clone().where('created_at', old), 0)
  })

  test('results of other forms never remove an unfinished bulk run', async ({ assert }) => {
    const zones = [zone]
    for (let index = 0; index < 25; index++) zones.push(await createZone(as, { name: zoneNamed() }))
    const more = zones.map(({ id }) => id).join(',')
    const plan = await client.post('/zones/bulk', { action: 'delete', more }, { from: '/zones' })
    const names = ['action', 'items', 'once']
    const fields = Object.fromEntries(names.map((name) => [name, fieldOf(plan, name)]))
    const from = { token: plan.token }
    const begun = await client.post('/zones/bulk/apply', { ...fields, confirm: '26' }, from)
    // A step handles at most 25 zones, and fewer on a slow machine.
    assert.match(wordsOf(begun), /\b([1-9]|1\d|2[0-5]) of 26 zones/)
    for (let index = 0; index < MAX_STORED; index++) {
      await client.post('/zones/bulk', { action: 'owner', more: String(zone.id) }, from)
    }
    const waiting = await client.get(begun.path)
    assert.equal(waiting.status, 200)
    let ended = waiting
    for (let steps = 0; steps < 26 && !wordsOf(ended).includes('26 of 26 zones'); steps++) {
      const step = { run: fieldOf(ended, 'run'), once: fieldOf(ended, 'once') }
      ended = await client.post('/zones/bulk/apply', step, from)
    }
    assert.include(wordsOf(ended), '26 of 26 zones')
    // A finished run counts like any other stored page.
    for (let index = 0; index < MAX_STORED; index++) {
      await client.post('/zones/bulk', { action: 'owner', more: String(zone.id) }, from)
    }
    const removed = await client.get(ended.path)
    assert.equal(removed.status, 303)
  })

  test('refused forms are not stored', async ({ assert }) => {
    const rows = () => db.from('zw_form_results').where('user_id', admin.id).select('id')
    const before = await rows()
    const refused = await planned('www 300 IN A 192.0.2.777')
    assert.equal(refused.status, 422)
    assert.equal(refused.path, path('/import/plan'))
    assert.deepEqual(await rows(), before)
  })

  test('a repeated bulk form gets the results of the first one', async ({ assert }) => {
    const plan = await client.post(
      '/zones/bulk',
      { action: 'delete', more: String(zone.id) },
      { from: '/zones' }
    )
    const fields = Object.fromEntries(
      ['action', 'items', 'once'].map((name) => [name, fieldOf(plan, name)])
    )
    const send = () => client.post('/zones/bulk/apply', fields, { token: plan.token })
    const [one, other] = await Promise.all([send(), send()])
    const done = [one, other].filter(({ status }) => status === 200)
    assert.isNotEmpty(done)
    // A request during the run reports the run.
    assert.includeMembers([200, 409], [one.status, other.status])
    const later = await send()
    assert.equal(later.path, done[0].path)
    assert.include(wordsOf(later), 'These are the earlier results')
    assert.include(wordsOf(later), '1 of 1 zones · 1 done')
    const deleted = { zone_id: zone.id, zone_action: 'delete' }
    assert.lengthOf(await db.from('zw_journal').where(deleted), 1)
  })

  test('the result of a bulk step is stored before the step counts as done', async ({ assert }) => {
    const newOwner = await administrator()
    const input = {
      action: 'owner',
      owner_kind: 'user',
      owner: newOwner.username,
      more: `${zone.id}`,
    }
    const plan = await client.post('/zones/bulk', input, { from: '/zones' })
    const names = ['action', 'owner_kind', 'owner', 'items', 'once']
    const fields = Object.fromEntries(names.map((name) => [name, fieldOf(plan, name)]))
    const send = () => client.post('/zones/bulk/apply', fields, { token: plan.token })
    // Without the table no page can be stored, as if the service ended at this time. A repeated request can continue.
    await db.connection().schema.renameTable('zw_form_results', 'zw_form_results_away')
    try {
      const failed = await send()
      assert.equal(failed.status, 500)
    } finally {
      await db.connection().schema.renameTable('zw_form_results_away', 'zw_form_results')
    }
    const again = await send()
    assert.equal(again.status, 200)
    assert.include(wordsOf(again), '1 of 1 zones · 1 done')
  })
})
