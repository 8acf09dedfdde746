// @databases @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { dataOf, createRecord } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
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
import { signedIn } from '#tests/support/web/client'
import { wordsOf } from '#tests/support/web/review'

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

const add = { op: 'add', record: { name: 'api', type: 'A', content: '192.0.2.77', ttl: 300 } }
const later = () => new Date(Date.now() + 86_400_000).toISOString()

async function deleteZone(): Promise<void> {
  const removed = await scene.root.delete(`/zones/${scene.zone.id}`)
  removed.assertStatus(204)
}

async function restored(): Promise<void> {
  const { root, zone } = scene
  const trash: { id: number; zone_id: number }[] = await dataOf(root.get('/trash'), 'zones')
  const { id } = trash.find((one) => one.zone_id === zone.id)!
  const restoreResponse = await root.post(`/trash/${id}/restore`, {})
  restoreResponse.assertStatus(201)
}

async function requestOf(id: number) {
  const { change_request: request } = await requestDetail(scene.root, id)
  return request
}

const DECIDED = 'This change request has already been decided.'
const reason = () => `The zone '${scene.zone.name}' was deleted. Nothing was applied.`

/** Ways to create a pending request. */
const WAITING: [what: string, filed: () => Promise<number>][] = [
  ['a new record', () => createChangeRequest(scene.asRequester, scene.zone, add)],
  [
    'the end of a record',
    () =>
      createChangeRequest(scene.asRequester, scene.zone, { op: 'delete', record_id: scene.www[0] }),
  ],
  [
    'the end of the zone',
    () => createChangeRequest(scene.asRequester, scene.zone, { op: 'zone_delete' }),
  ],
  [
    'what one of two reviewers approved',
    () =>
      withReviewSettings({ approvals_needed: 2 }, async () => {
        const id = await createChangeRequest(scene.asRequester, scene.zone, add)
        await decide(scene.asReviewer, id, 'approve')
        return id
      }),
  ],
  [
    'what was approved for a moment to come',
    () =>
      withReviewSettings({ allow_scheduling: true }, async () => {
        const { asRequester, asReviewer, zone } = scene
        const [{ id }] = await createChangeRequests(asRequester, zone, [add], { apply_at: later() })
        await decide(asReviewer, id, 'approve')
        return id
      }),
  ],
]

test.group('Change requests of a deleted zone', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  for (const [what, filed] of WAITING) {
    test(`a request for ${what} fails with the zone, has the reason, and is pending again after a restore`, async ({
      assert,
    }) => {
      const { root } = scene
      const id = await filed()
      await deleteZone()
      const seen = await requestDetail(root, id)
      assert.deepInclude(seen.change_request, { status: 'failed', error: reason() })
      assert.deepEqual(seen.stale_actions, [0])
      for (const verb of ['approve', 'reject']) {
        const refused = await decide(root, id, verb)
        refused.assertStatus(409)
        assert.equal(refused.body().message, `${DECIDED} ${reason()}`)
      }
      const browser = await signedIn(scene.admin)
      const page = await browser.get(`/requests/${id}`)
      assert.include(wordsOf(page), 'The zone was deleted, so nothing was applied.')
      assert.notInclude(page.html, `/requests/${id}/rebase`)
      const events = await eventsWith({ action: 'request.failed', object_id: scene.zone.id })
      assert.deepEqual(
        events.map(({ detail }) => detail),
        [{ request: id, status: 404, why: 'zone_deleted' }]
      )
      await restored()
      assert.deepInclude(await requestOf(id), { status: 'pending', error: null })
      const again = await eventsWith({ action: 'request.reopened', object_id: scene.zone.id })
      assert.deepEqual(
        again.map(({ detail }) => detail),
        [{ request: id }]
      )
      const settled = await decide(root, id, 'approve')
      settled.assertStatus(200)
    })
  }

  test('decided requests do not change with the zone', async ({ assert }) => {
    const { asRequester, asReviewer, root, zone, www } = scene
    const ids: Record<string, number> = {
      approved: await createChangeRequest(asRequester, zone, add),
      rejected: await createChangeRequest(asRequester, zone, { op: 'delete', record_id: www[0] }),
      cancelled: await createChangeRequest(asRequester, zone, { op: 'delete', record_id: www[0] }),
      failed: await createChangeRequest(asRequester, zone, { op: 'delete', record_id: www[1] }),
    }
    await decide(asReviewer, ids.approved, 'approve')
    await decide(asReviewer, ids.rejected, 'reject')
    await asRequester.delete(`/change-requests/${ids.cancelled}`)
    await root.put(`/zones/${zone.id}/records/${www[1]}`, { content: '192.0.2.200' })
    await decide(asReviewer, ids.failed, 'approve')
    const before = await Promise.all(Object.values(ids).map(requestOf))
    await deleteZone()
    await restored()
    assert.deepEqual(await Promise.all(Object.values(ids).map(requestOf)), before)
    assert.deepEqual(
      before.map(({ status }) => status),
      Object.keys(ids)
    )
  })

  test('the request that deletes the zone is applied, and the others fail', async ({ assert }) => {
    const { asRequester, root, zone } = scene
    const other = await createChangeRequest(asRequester, zone, add)
    const end = await createChangeRequest(asRequester, zone, { op: 'zone_delete' })
    const applied = await decide(root, end, 'approve')
    applied.assertStatus(200)
    const states = await Promise.all([other, end].map(requestOf))
    assert.deepEqual(
      states.map(({ status }) => status),
      ['failed', 'approved']
    )
  })

  test('a new zone with the same name reopens no request', async ({ assert }) => {
    const { asRequester, root, zone } = scene
    const id = await createChangeRequest(asRequester, zone, add)
    await deleteZone()
    const anew = await dataOf(root.post('/zones', { name: zone.name }), 'zone_id')
    await createRecord(
      root,
      { id: anew },
      { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
    )
    assert.deepInclude(await requestOf(id), { status: 'failed', error: reason() })
  })

  test('a request about two zones is pending only while both exist', async ({ assert }) => {
    const { asRequester, root, zone } = scene
    const second = await reviewSceneZone()
    const id = await createChangeRequest(asRequester, zone, add)
    const row = await db.from('zw_change_request_zones').where('request_id', id).first()
    const { uid } = await db.from('zw_zones').where('id', second.id).first()
    const zoneColumns = { zone_id: second.id, zone_uid: uid, zone_name: second.name }
    await db
      .table('zw_change_request_zones')
      .insert({ ...row, id: undefined, ...zoneColumns, position: 1 })
    await deleteZone()
    const removed = await root.delete(`/zones/${second.id}`)
    removed.assertStatus(204)
    await restored()
    const waiting = await requestOf(id)
    const error = `The zone '${second.name}' was deleted. Nothing was applied.`
    assert.deepInclude(waiting, { status: 'failed', error })
    const first = scene.zone
    scene.zone = second
    await restored()
    scene.zone = first
    const reopened = await requestOf(id)
    assert.equal(reopened.status, 'pending')
  })
})

/** Creates another zone of the administrator. */
async function reviewSceneZone(): Promise<{ id: number; name: string }> {
  const name = `second-${scene.zone.name}`
  const id: number = await dataOf(scene.root.post('/zones', { name }), 'zone_id')
  return { id, name }
}
