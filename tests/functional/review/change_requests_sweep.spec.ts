// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendUnavailable } from '#backends/contract/errors'
import { sweepRequests, type SweptRequest } from '#review/sweep'
import { dataOf, createRecord } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { ace } from '#tests/support/app/commands'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import {
  decide,
  createChangeRequests,
  createChangeRequest,
  requestDetail,
  reviewScene,
  withReviewSettings,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { lastEntryOf } from '#tests/support/app/zones/zones'

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

const add = (content = '192.0.2.77') => ({
  op: 'add',
  record: { name: 'api', type: 'A', content, ttl: 300 },
})

/** Returns the backend with some calls that fail. */
async function failing(calls: Partial<DnsBackend>): Promise<DnsBackend> {
  return new Proxy(await backendUnderTest(), {
    get(backend, name) {
      const own: unknown = Reflect.get(calls, name)
      const value: unknown = own ?? Reflect.get(backend, name)
      return typeof value === 'function' && !own ? value.bind(backend) : value
    },
  })
}

/** Runs a sweep to the end and collects the reported zone ids. */
async function sweepRequestsOf(backend: DnsBackend, told: number[] = []): Promise<void> {
  for await (const { id } of sweepRequests(backend)) told.push(id)
}

/** Returns what one sweep does to these requests. */
async function swept(...ids: number[]): Promise<[number, SweptRequest['outcome']][]> {
  const done: [number, SweptRequest['outcome']][] = []
  for await (const { id, outcome } of sweepRequests(await backendUnderTest())) {
    if (ids.includes(id)) done.push([id, outcome])
  }
  return done
}

async function statusOf(id: number): Promise<string> {
  const { change_request: request } = await requestDetail(scene.root, id)
  return request.status
}

const DAY = 86_400_000
const past = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** Backdates the request, and its decision if any, by `days` days. */
async function age(id: number, days: number) {
  const at = past(days)
  await db.from('zw_change_requests').where('id', id).update({ created_at: at })
  await db
    .from('zw_change_requests')
    .where('id', id)
    .whereNotNull('reviewed_at')
    .update({ reviewed_at: at })
}

test.group('change-requests:sweep', (group) => {
  group.setup(withReview())
  group.setup(async () => {
    // A sweep checks all pending requests, including those of other tests.
    await db.from('zw_change_requests').where('status', 'pending').update({ status: 'cancelled' })
  })
  group.each.setup((t) => setUp(t.context.client))

  test('the sweep marks stale requests once, and reports when they are current again', async ({
    assert,
  }) => {
    const { zone, asRequester, root, www } = scene
    const stale = await createChangeRequest(asRequester, zone, { op: 'delete', record_id: www[0] })
    const fine = await createChangeRequest(asRequester, zone, add())
    const path = `/zones/${zone.id}/records/${www[0]}`
    assert.deepEqual(await swept(stale, fine), [])
    await root.put(path, { content: '192.0.2.200' })
    assert.deepEqual(await swept(stale, fine), [[stale, 'stale']])
    assert.deepEqual(await swept(stale, fine), [])
    assert.equal(await statusOf(stale), 'pending')
    const events = await eventsWith({ action: 'request.stale', object_id: zone.id })
    assert.deepEqual(
      events.map(({ detail }) => detail),
      [{ request: stale, stale: [0] }]
    )
    await root.put(path, { content: '192.0.2.1' })
    assert.deepEqual(await swept(stale, fine), [[stale, 'current']])
    await root.put(path, { content: '192.0.2.200' })
    await withReviewSettings({ cancel_stale: true }, async () => {
      assert.deepEqual(await swept(stale, fine), [[stale, 'cancelled']])
    })
    assert.deepEqual([await statusOf(stale), await statusOf(fine)], ['cancelled', 'pending'])
  })

  test('the sweep cancels old requests and deletes old decided ones; both are off by default', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer } = scene
    const old = await createChangeRequest(asRequester, zone, add())
    const young = await createChangeRequest(asRequester, zone, add('192.0.2.78'))
    await age(old, 40)
    assert.deepEqual(await swept(old, young), [])
    await withReviewSettings({ expire_days: 30 }, async () => {
      assert.deepEqual(await swept(old, young), [[old, 'expired']])
      assert.deepEqual(await swept(old, young), [])
    })
    const { change_request: request } = await requestDetail(asRequester, old)
    assert.equal(request.status, 'cancelled')
    assert.match(request.error, /Expired/)
    await decide(asReviewer, young, 'approve')
    await withReviewSettings({ retention_days: 30 }, () => swept())
    assert.equal(await statusOf(old), 'cancelled')
    await age(old, 40)
    await withReviewSettings({ retention_days: 30 }, () => swept())
    const deleted = await asRequester.get(`/change-requests/${old}`)
    deleted.assertStatus(404)
    assert.equal(await statusOf(young), 'approved')
    assert.isEmpty(await db.from('zw_change_request_actions').where('request_id', old))
  })

  test('a scheduled request is applied by the next sweep after its time, as its reviewer', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, reviewer, root } = scene
    const later = new Date(Date.now() + DAY).toISOString()
    const refused = await asRequester.post(`/zones/${zone.id}/change-requests`, {
      actions: [add()],
      apply_at: later,
    })
    refused.assertStatus(400)
    await withReviewSettings({ allow_scheduling: true }, async () => {
      const ids: number[] = []
      for (const content of ['192.0.2.81', '192.0.2.82', '192.0.2.83']) {
        const [{ id }] = await createChangeRequests(asRequester, zone, [add(content)], {
          apply_at: later,
        })
        ids.push(id)
      }
      const [due, stale, stopped] = ids
      for (const id of ids) {
        const approved = await decide(asReviewer, id, 'approve')
        approved.assertStatus(200)
        const { change_request: request } = approved.body().data
        assert.deepEqual([request.status, request.applied_at], ['approved', null])
      }
      const second409 = await decide(root, due, 'approve')
      second409.assertStatus(409)
      const cancelled = await asRequester.delete(`/change-requests/${stopped}`)
      cancelled.assertStatus(200)
      assert.deepEqual(await swept(...ids), [])
      await createRecord(root, zone, { name: 'api', type: 'A', content: '192.0.2.82', ttl: 300 })
      await db
        .from('zw_change_requests')
        .whereIn('id', ids)
        .update({ apply_at: past(1) })
      assert.deepEqual(await swept(...ids), [
        [due, 'applied'],
        [stale, 'failed'],
      ])
      assert.deepEqual(await swept(...ids), [])
      assert.containsSubset(await lastEntryOf(zone.id), {
        username: reviewer.username,
        channel: 'job',
        origin_kind: 'request',
        origin_id: String(due),
      })
      const text = JSON.stringify(await dataOf(root.get(`/zones/${zone.id}/rrsets/api/A`)))
      assert.include(text, '192.0.2.81')
      assert.notInclude(text, '192.0.2.83')
    })
  })

  test('a due request checks its reviewer again, and waits for an unreachable server', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, reviewer, root } = scene
    await withReviewSettings({ allow_scheduling: true }, async () => {
      const later = { apply_at: new Date(Date.now() + DAY).toISOString() }
      const [{ id }] = await createChangeRequests(asRequester, zone, [add()], later)
      const approved = await decide(asReviewer, id, 'approve')
      approved.assertStatus(200)
      await db
        .from('zw_change_requests')
        .where('id', id)
        .update({ apply_at: past(1) })
      const backend = await failing({ write: () => Promise.reject(new BackendUnavailable('away')) })
      await assert.rejects(() => sweepRequestsOf(backend))
      const { change_request: waiting } = await requestDetail(root, id)
      assert.deepEqual([waiting.status, waiting.applied_at], ['approved', null])
      await root.delete(`/zones/${zone.id}/owners/${reviewer.id}`)
      assert.deepEqual(await swept(id), [[id, 'failed']])
      const { change_request: failed } = await requestDetail(root, id)
      assert.match(failed.error, /reviewer can no longer review.*Nothing was applied/)
    })
  })

  test('a request that fails to load does not prevent the sweep of others', async ({
    client,
    assert,
  }) => {
    const bad = scene.zone
    await createChangeRequest(scene.asRequester, bad, add())
    const other = await reviewScene(client)
    const id = await createChangeRequest(other.asRequester, other.zone, {
      op: 'delete',
      record_id: other.www[0],
    })
    await other.root.delete(`/zones/${other.zone.id}/records/${other.www[0]}`)
    const real = await backendUnderTest()
    const backend = await failing({
      rrsetsAt: async (zone, names) => {
        if (zone.id === bad.id) throw new Error('broken')
        return real.rrsetsAt(zone, names)
      },
    })
    const zoneIds: number[] = []
    await assert.rejects(() => sweepRequestsOf(backend, zoneIds), 'broken')
    assert.include(zoneIds, id)
  })

  test('the command prints what it did as text or JSON, and does nothing while approval is off', async ({
    assert,
  }) => {
    const { zone, asRequester, root, www } = scene
    const id = await createChangeRequest(asRequester, zone, { op: 'delete', record_id: www[0] })
    await root.delete(`/zones/${zone.id}/records/${www[0]}`)
    const sweep = ['change-requests:sweep', '--json']
    const off = await withReviewSettings({ enabled: false }, () => ace(sweep))
    assert.deepEqual(JSON.parse(off.stdout), { checked: 0, requests: [], removed: 0 })
    const on = await ace(sweep)
    assert.equal(on.code, 0, on.stderr)
    assert.deepInclude(JSON.parse(on.stdout).requests, {
      id,
      zone_name: zone.name,
      outcome: 'stale',
    })
    const words = await ace(['change-requests:sweep'])
    assert.match(words.stdout, /^Checked \d+ change requests, 0 of them updated; deleted 0\n$/)
  })
})
