// @api-backend
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { findActorOfUser } from '#accounts/authenticate'
import type { DnsBackend } from '#backends/contract/backend'
import {
  BackendUnavailable,
  CapabilityMissing,
  WriteRefused,
  WriteTooLarge,
  WriteUnconfirmed,
  ZoneGone,
} from '#backends/contract/errors'
import { intentOf } from '#changes/model/intent'
import { approve } from '#review/approve'
import { RequestFailed } from '#review/errors'
import { openRequest } from '#review/open_request'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import {
  createChangeRequest,
  requestDetail,
  reviewScene,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { stateOf } from '#tests/support/app/zones/zones'

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

type Write = DnsBackend['write']

/** Approves a request as its reviewer with a modified backend. Returns the failure. */
async function approveBy(id: number, write: (real: DnsBackend) => Write): Promise<RequestFailed> {
  const real = await backendUnderTest()
  const backend = new Proxy(real, {
    get(target, name) {
      const value: unknown = name === 'write' ? write(real) : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const { actor } = (await findActorOfUser(scene.reviewer.id, 'api'))!
  const open = await openRequest(real, actor, id)
  try {
    await approve(backend, intentOf(actor), open, null)
  } catch (error) {
    if (error instanceof RequestFailed) return error
    throw error
  }
  throw new Error('It was applied')
}

test.group('Failed approvals', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  for (const [error, status, message] of [
    [new WriteTooLarge('2 MB at most'), 413, /does not accept this: 2 MB at most\. Nothing was/],
    [new WriteRefused('RRset is bad'), 400, /does not accept this: RRset is bad\. Nothing was/],
    [new ZoneGone('gone'), 404, /^Zone not found\. Nothing was applied\.$/],
    [
      new CapabilityMissing('It cannot do this'),
      501,
      /^It cannot do this\. Nothing was applied\.$/,
    ],
    [new BackendUnavailable('away'), 502, /cannot be reached\. Nothing was applied\.$/],
    [new WriteUnconfirmed('cut'), 502, /did not confirm.*stored in the history\.$/],
  ] as const) {
    test(`a ${error.constructor.name} of the name server fails the request with ${status}`, async ({
      assert,
    }) => {
      const { zone, www, asRequester, root } = scene
      const id = await createChangeRequest(asRequester, zone, { op: 'delete', record_id: www[0] })
      const before = await stateOf(zone.id)
      const failed = await approveBy(
        id,
        (real) => (work) =>
          real.write(async (session) => {
            await work(session)
            throw error
          })
      )
      assert.equal(failed.status, status)
      const { change_request: request } = await requestDetail(root, id)
      assert.equal(request.status, 'failed')
      assert.match(request.error, message)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('a request that becomes stale before a retry fails', async ({ assert }) => {
    const { zone, www, asRequester, root } = scene
    const id = await createChangeRequest(asRequester, zone, { op: 'delete', record_id: www[0] })
    const failed = await approveBy(id, (real) => async (work) => {
      const rehearsal = real.write(async (session) => {
        await work(session)
        throw new Error('rehearsed')
      })
      await assert.rejects(() => rehearsal, 'rehearsed')
      await root.delete(`/zones/${zone.id}/records/${www[0]}`)
      return real.write(work)
    })
    assert.equal(failed.status, 409)
    const { change_request: request, stale_actions: stale } = await requestDetail(root, id)
    assert.deepEqual([request.status, stale], ['failed', [0]])
  })
})
