// @databases @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { dataOf, createRecord } from '#tests/support/app/api'
import { externalRows, writeExternally } from '#tests/support/app/zones/history'
import {
  decide,
  createChangeRequests,
  requestDetail,
  reviewScene,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { serialOf, stateOf } from '#tests/support/app/zones/zones'

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

/**
 * Creates one request of each kind about www (two addresses): an edit of each record, then RRset actions that replace www,
 * remove an address of www, clear the texts of www, and add a record at new.
 */
async function fileAll() {
  const { zone, asRequester, www, root } = scene
  await createRecord(root, zone, { name: 'www', type: 'TXT', content: 'text', ttl: 300 })
  const [edits, added, deleted, sets] = await createChangeRequests(asRequester, zone, [
    { op: 'edit', record_id: www[0], record: { content: '192.0.2.11' } },
    { op: 'edit', record_id: www[1], record: { disabled: true } },
    { op: 'add', record: { name: 'new', type: 'A', content: '192.0.2.40', ttl: 300 } },
    { op: 'delete', record_id: www[1] },
    { op: 'remove', name: `www.${zone.name}`, type: 'A', records: [{ content: '192.0.2.2' }] },
    { op: 'clear', name: `www.${zone.name}`, type: 'TXT' },
  ])
  return { edits: edits.id, added: added.id, deleted: deleted.id, sets: sets.id }
}

type Filed = Awaited<ReturnType<typeof fileAll>>

const NOTHING = { edits: [], added: [], deleted: [], sets: [] }

/** A change after the requests, and the actions that become stale. */
const CHANGES: [
  what: string,
  change: () => Promise<unknown>,
  stale: Record<keyof Filed, number[]>,
][] = [
  ['nothing changes', async () => {}, NOTHING],
  [
    'one of the records is edited',
    () => put(1, { content: '192.0.2.9' }),
    { edits: [1], added: [], deleted: [0], sets: [0] },
  ],
  [
    'the other record of the RRset is edited',
    () => put(0, { content: '192.0.2.9' }),
    { edits: [0], added: [], deleted: [], sets: [] },
  ],
  [
    'the TTL of the RRset changes',
    () => put(0, { ttl: 999 }),
    { edits: [0, 1], added: [], deleted: [0], sets: [] },
  ],
  [
    'a record is disabled',
    () => put(1, { disabled: true }),
    { edits: [1], added: [], deleted: [0], sets: [0] },
  ],
  [
    'a record is deleted',
    () => scene.root.delete(path(1)),
    { edits: [1], added: [], deleted: [0], sets: [0] },
  ],
  ['a record is deleted and added alike, under another id', again, NOTHING],
  [
    'another tool edits a record',
    () =>
      externalRows(scene.zone, 'www', 'A')
        .where('content', '192.0.2.2')
        .update({ content: '192.0.2.99' }),
    { edits: [1], added: [], deleted: [0], sets: [0] },
  ],
  [
    'a record beside them is added',
    () =>
      createRecord(scene.root, scene.zone, {
        name: 'www',
        type: 'A',
        content: '192.0.2.3',
        ttl: 300,
      }),
    NOTHING,
  ],
  [
    'another text is added to those that are to be cleared',
    () =>
      createRecord(scene.root, scene.zone, { name: 'www', type: 'TXT', content: 'more', ttl: 300 }),
    { ...NOTHING, sets: [1] },
  ],
  [
    'what is to be added is there',
    () =>
      createRecord(scene.root, scene.zone, {
        name: 'new',
        type: 'A',
        content: '192.0.2.40',
        ttl: 60,
      }),
    { ...NOTHING, added: [0] },
  ],
  [
    'another record stands where one is to be added',
    () => writeExternally(scene.zone, { name: 'new', type: 'A', content: '192.0.2.41' }),
    NOTHING,
  ],
  [
    'another name changes',
    () => createRecord(scene.root, scene.zone, { name: 'other', type: 'A', content: '192.0.2.9' }),
    NOTHING,
  ],
  ['the zone is deleted and restored', deletedAndRestored, NOTHING],
]

function path(index: number): string {
  return `/zones/${scene.zone.id}/records/${scene.www[index]}`
}

async function put(index: number, body: object) {
  const response = await scene.root.put(path(index), body)
  response.assertStatus(200)
}

async function again() {
  const response = await scene.root.delete(path(1))
  response.assertStatus(204)
  await createRecord(scene.root, scene.zone, {
    name: 'www',
    type: 'A',
    content: '192.0.2.2',
    ttl: 300,
  })
}

async function deletedAndRestored() {
  const { root, zone } = scene
  const removed = await root.delete(`/zones/${zone.id}`)
  removed.assertStatus(204)
  const trash: { id: number; zone_id: number }[] = await dataOf(root.get('/trash'), 'zones')
  const { id } = trash.find((one) => one.zone_id === zone.id)!
  const restoreResponse = await root.post(`/trash/${id}/restore`, {})
  restoreResponse.assertStatus(201)
}

test.group('Stale actions', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  for (const [what, change, stale] of CHANGES) {
    test(`when ${what}, the actions with a changed baseline are stale, and stale requests fail`, async ({
      assert,
    }) => {
      const { root, zone } = scene
      const filed = await fileAll()
      await change()
      for (const kind of Object.keys(stale) as (keyof Filed)[]) {
        const seen = await requestDetail(root, filed[kind])
        assert.deepEqual(seen.stale_actions, stale[kind], kind)
        assert.equal(
          seen.base_serial_mismatch,
          what !== 'nothing changes' &&
            !what.includes('tool') &&
            !what.includes('another record stands')
        )
      }
      for (const kind of Object.keys(stale) as (keyof Filed)[]) {
        if (stale[kind].length === 0) continue
        const before = await stateOf(zone.id)
        const response = await decide(root, filed[kind], 'approve', { comment: 'go' })
        assert.equal(response.status(), 409, response.text())
        const { data } = response.body()
        assert.deepEqual(data.stale_actions, stale[kind])
        assert.equal(data.change_request.status, 'failed')
        assert.match(data.change_request.error, /outdated actions: .*Nothing was applied\.$/)
        const after = await stateOf(zone.id)
        // Changes of other users may now be returned.
        assert.deepEqual(after.records, before.records, kind)
        const second = await decide(root, filed[kind], 'approve')
        assert.equal(second.status(), 409)
        assert.equal(second.body().message, 'This change request has already been decided.')
      }
    })
  }

  test('a request about records that were deleted and added again is applied to the new records', async ({
    assert,
  }) => {
    const { root, asReviewer, zone } = scene
    const filed = await fileAll()
    await again()
    const response = await decide(asReviewer, filed.edits, 'approve')
    response.assertStatus(200)
    const records = await dataOf(root.get(`/zones/${zone.id}/rrsets/www/A`), 'rrset.records')
    assert.deepEqual(
      records.map((it: { content: string; disabled: boolean }) => [it.content, it.disabled]).sort(),
      [
        ['192.0.2.11', false],
        ['192.0.2.2', true],
      ]
    )
  })

  test('a deletion of the zone is stale if its records changed, but not for its serial', async ({
    assert,
  }) => {
    const { root, asRequester, asReviewer, zone } = scene
    const [{ id }] = await createChangeRequests(asRequester, zone, [{ op: 'zone_delete' }])
    const [{ id: second }] = await createChangeRequests(asRequester, zone, [{ op: 'zone_delete' }])
    const { id: extra } = await createRecord(root, zone, {
      name: 'x',
      type: 'A',
      content: '192.0.2.9',
    })
    const stale = await requestDetail(asReviewer, id)
    assert.deepEqual(stale.stale_actions, [0])
    const failed = await decide(asReviewer, id, 'approve')
    failed.assertStatus(409)
    await root.delete(`/zones/${zone.id}/records/${extra}`)
    const seen = await requestDetail(asReviewer, second)
    assert.deepEqual(seen.stale_actions, [])
    assert.isTrue(seen.base_serial_mismatch)
    const approved = await decide(asReviewer, second, 'approve')
    approved.assertStatus(200)
    const removed = await root.get(`/zones/${zone.id}`)
    removed.assertStatus(404)
  })
})

test.group('Rebasing', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  test('a stale request, pending or failed, is rebased by one call and then applied', async ({
    assert,
  }) => {
    const { root, asRequester, asReviewer, zone } = scene
    const filed = await fileAll()
    await put(1, { content: '192.0.2.9' })
    const failed = await decide(asReviewer, filed.edits, 'approve')
    failed.assertStatus(409)
    for (const id of [filed.edits, filed.sets]) {
      const rebased = await decide(asRequester, id, 'rebase')
      assert.equal(rebased.status(), 200, rebased.text())
      const { change_request: request, stale_actions: stale } = rebased.body().data
      assert.equal(request.status, 'pending')
      assert.isNull(request.error)
      assert.equal(request.base_serial, String(await serialOf(zone.id)))
      assert.deepEqual(stale, [])
    }
    const { change_request: request } = await requestDetail(asReviewer, filed.edits)
    assert.equal(request.actions[1].before.content, '192.0.2.9')
    for (const id of [filed.edits, filed.sets]) {
      const approved = await decide(asReviewer, id, 'approve')
      assert.equal(approved.status(), 200, approved.text())
    }
    const records = await dataOf(root.get(`/zones/${zone.id}/rrsets/www/A`), 'rrset.records')
    assert.deepEqual(
      records.map((it: { content: string; disabled: boolean }) => [it.content, it.disabled]).sort(),
      [
        ['192.0.2.11', false],
        ['192.0.2.9', true],
      ]
    )
  })

  test('a rebase drops completed actions and is refused for an edit of a deleted record', async ({
    assert,
  }) => {
    const { root, asRequester, asReviewer, zone } = scene
    const filed = await fileAll()
    await root.delete(path(1))
    const record = { name: 'new', type: 'A', content: '192.0.2.40', ttl: 300 }
    const { id: first } = await createRecord(root, zone, record)
    const [{ id: undone }] = await createChangeRequests(asRequester, zone, [
      { op: 'delete', record_id: first },
    ])
    await root.delete(`/zones/${zone.id}/records/${first}`)
    await decide(asRequester, undone, 'rebase')
    await createRecord(root, zone, record)
    const seen = await requestDetail(asReviewer, undone)
    assert.deepEqual(seen.stale_actions, [0])
    const before = await stateOf(zone.id)
    for (const id of [filed.added, filed.deleted]) {
      const rebased = await decide(asRequester, id, 'rebase')
      assert.equal(rebased.status(), 200, rebased.text())
      assert.isTrue(rebased.body().data.change_request.actions[0].done)
      const approved = await decide(asReviewer, id, 'approve')
      assert.equal(approved.status(), 200, approved.text())
    }
    assert.deepEqual(await stateOf(zone.id), before)
    const refused = await decide(asRequester, filed.edits, 'rebase')
    refused.assertStatus(409)
    assert.match(refused.body().message, /Action 1 .*no longer exists/)
  })

  test('approved, rejected and cancelled requests cannot be rebased', async ({ assert }) => {
    const { asRequester, asReviewer } = scene
    const filed = await fileAll()
    await decide(asReviewer, filed.added, 'approve')
    await decide(asReviewer, filed.deleted, 'reject')
    await asRequester.delete(`/change-requests/${filed.sets}`)
    for (const id of [filed.added, filed.deleted, filed.sets]) {
      const response = await decide(asRequester, id, 'rebase')
      assert.equal(response.status(), 409)
    }
  })
})
