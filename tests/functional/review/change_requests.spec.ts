// @databases @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, dataOf, type Caller } from '#tests/support/app/api'
import { keyFor, person } from '#tests/support/app/people/people'
import {
  decide,
  createChangeRequests,
  createChangeRequest,
  requestDetail,
  owner,
  reviewScene,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { lastEntryOf, serialOf, stateOf } from '#tests/support/app/zones/zones'

const NEEDED = 'Changes to this zone require approval; create a change request instead'
const DECIDED = 'This change request has already been decided.'

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

const addApi = { op: 'add', record: { name: 'api', type: 'A', content: '192.0.2.77', ttl: 3600 } }

/** Returns the contents of an RRset in order. */
async function contents(as: Caller, name: string, type = 'A'): Promise<string[]> {
  const response = await as.get(`/zones/${scene.zone.id}/rrsets/${name}/${type}`)
  if (response.status() === 404) return []
  return response.body().data.rrset.records.map(({ content }: { content: string }) => content)
}

test.group('Change requests while approval is off', (group) => {
  group.each.setup((t) => setUp(t.context.client))

  test('every request gets 404', async ({ assert }) => {
    const { root, zone } = scene
    const calls = [
      root.get('/change-requests'),
      root.get('/change-requests/1'),
      root.post(`/zones/${zone.id}/change-requests`, { actions: [addApi] }),
      root.post('/change-requests/1/approve', {}),
      root.post('/change-requests/1/reject', {}),
      root.post('/change-requests/1/rebase', {}),
      root.post('/change-requests/1/comments', { text: 'x' }),
      root.delete('/change-requests/1'),
    ]
    for (const call of calls) {
      const response = await call
      assert.equal(response.status(), 404, response.text())
    }
  })

  test('review permissions have no effect', async ({ client }) => {
    const { zone } = scene
    const someUser = await owner(zone, ['zone_change_request_own', 'zone_change_approve_own'])
    const as = caller(client, someUser)
    const call = await as.post(`/zones/${zone.id}/records`, addApi.record)
    call.assertStatus(404)
  })
})

test.group('Change requests', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  test('a request is created, returned, approved and applied once as a change of the reviewer', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, requester, reviewer } = scene
    const before = await serialOf(zone.id)
    const response = await asRequester.post(`/zones/${zone.id}/change-requests`, {
      actions: [addApi],
      comment: 'ticket 12',
    })
    response.assertStatus(201)
    assert.equal(response.body().message, 'Change request filed for review.')
    const { change_request: request } = response.body().data
    assert.containsSubset(request, {
      zone_id: zone.id,
      zone_name: zone.name,
      kind: 'records',
      status: 'pending',
      requester: { id: requester.id, username: requester.username },
      request_comment: 'ticket 12',
      base_serial: String(before),
      zone_comment: null,
      reviewer: null,
      review_comment: null,
      reviewed_at: null,
      applied_at: null,
      error: null,
      actions: [
        {
          op: 'add',
          after: {
            name: `api.${zone.name}`,
            type: 'A',
            content: '192.0.2.77',
            ttl: 3600,
            prio: 0,
            disabled: 0,
            comment: '',
          },
        },
      ],
    })
    assert.equal(await serialOf(zone.id), before)
    const seen = await requestDetail(asReviewer, request.id)
    assert.deepEqual(seen.stale_actions, [])
    assert.isFalse(seen.base_serial_mismatch)
    assert.equal(seen.change_request.plan.zones[0].changes[0].name, `api.${zone.name}`)

    const approved = await decide(asReviewer, request.id, 'approve', { comment: 'ok' })
    approved.assertStatus(200)
    assert.equal(approved.body().message, 'Change request approved and applied.')
    assert.containsSubset(approved.body().data.change_request, {
      status: 'approved',
      reviewer: { id: reviewer.id, username: reviewer.username },
      review_comment: 'ok',
      error: null,
    })
    assert.isNotNull(approved.body().data.change_request.applied_at)
    assert.deepEqual(await contents(asReviewer, 'api'), ['192.0.2.77'])
    assert.equal(await serialOf(zone.id), before + 1)
    assert.containsSubset(await lastEntryOf(zone.id), {
      username: reviewer.username,
      origin_kind: 'request',
      origin_id: String(request.id),
      reason: `Change request #${request.id} from ${requester.username}: ticket 12`,
    })
    const secondResponse = await decide(asReviewer, request.id, 'approve')
    secondResponse.assertStatus(409)
    assert.equal(secondResponse.body().message, DECIDED)
  })

  test('additions and deletions are separate requests; edits, and RRset actions, are one each', async ({
    assert,
  }) => {
    const { zone, asRequester, www } = scene
    const requests = await createChangeRequests(asRequester, zone, [
      { op: 'edit', record_id: www[0], record: { content: '192.0.2.31' } },
      addApi,
      { op: 'edit', record_id: www[1], record: { content: '192.0.2.32' } },
      { op: 'delete', record_id: www[0] },
      { op: 'set', name: `a.${zone.name}`, type: 'TXT', records: [{ content: 'x' }] },
      { op: 'clear', name: `www.${zone.name}`, type: 'A' },
    ])
    assert.deepEqual(
      requests.map(({ actions }) => actions.map(({ op }) => op)),
      [['edit', 'edit'], ['add'], ['delete'], ['set', 'clear']]
    )
    assert.containsSubset(requests[0].actions[0], {
      record_id: www[0],
      before: { name: `www.${zone.name}`, content: '192.0.2.1', ttl: 300 },
      after: { name: `www.${zone.name}`, content: '192.0.2.31', ttl: 300 },
    })
  })

  for (const [what, actions, status, message] of [
    ['no actions', [], 400, /actions/],
    ['an unknown op', [{ op: 'move' }], 400, /Action 1: .*op/],
    [
      'an add without content',
      [{ op: 'add', record: { name: 'a', type: 'A' } }],
      400,
      /Action 1: .*content/,
    ],
    [
      'a content that is none',
      [{ op: 'add', record: { name: 'a', type: 'A', content: 'x' } }],
      400,
      /Action 1: .*content/,
    ],
    [
      'an edit without id',
      [{ op: 'edit', record: { content: 'x' } }],
      400,
      /Action 1: .*record_id/,
    ],
    [
      'a record that is not there',
      [{ op: 'delete', record_id: 999999999 }],
      404,
      /Record not found/,
    ],
    [
      'a record that is there already',
      [{ op: 'add', record: { name: 'www', type: 'A', content: '192.0.2.1' } }],
      409,
      /twice|already/,
    ],
    [
      'a deletion beside others',
      [addApi, { op: 'zone_delete' }],
      400,
      /Only one action per change request is supported/,
    ],
    [
      'a LUA record',
      [{ op: 'add', record: { name: 'a', type: 'LUA', content: 'A "x"' } }],
      403,
      /administrators/,
    ],
  ] as const) {
    test(`no request is created for ${what}`, async ({ assert }) => {
      const { zone, asRequester } = scene
      const response = await asRequester.post(`/zones/${zone.id}/change-requests`, {
        actions: [...actions],
      })
      assert.equal(response.status(), status, response.text())
      assert.match(response.body().message, message)
      const list = await dataOf(asRequester.get('/change-requests?status=all'), 'change_requests')
      assert.isEmpty(list)
    })
  }

  test('all errors of the actions are returned, and a refused action creates no request', async ({
    assert,
  }) => {
    const { zone, asRequester } = scene
    const path = `/zones/${zone.id}/change-requests`
    const response = await asRequester.post(path, { actions: [{ op: 'x' }, { op: 'delete' }] })
    response.assertStatus(400)
    assert.lengthOf(response.body().data.errors, 2)
    const second = await asRequester.post(path, {
      actions: [addApi, { op: 'delete', record_id: 999999999 }],
    })
    second.assertStatus(404)
    assert.match(second.body().message, /^Action 2: /)
    assert.isEmpty(await dataOf(asRequester.get('/change-requests'), 'change_requests'))
  })

  test('errors of all stages are returned at once, each with the index of its action', async ({
    assert,
  }) => {
    const { zone, asRequester } = scene
    const path = `/zones/${zone.id}/change-requests`
    const add = (fields: object) => ({ op: 'add', record: { ...addApi.record, ...fields } })
    const response = await asRequester.post(path, {
      actions: [
        addApi,
        add({ name: 'a', ttl: 'soon' }),
        add({ name: 'b', content: '192.0.2.300' }),
        { op: 'move' },
        { op: 'delete', record_id: 999999999 },
        { op: 'edit', record: { content: 'x' } },
        add({ name: 'c..d' }),
        { op: 'set', name: `e.${zone.name}`, type: 'A', ttl: 60, records: [{ content: 'x' }] },
        { op: 'set', name: 'other.test', type: 'A', ttl: 60, records: [{ content: '192.0.2.1' }] },
      ],
    })
    response.assertStatus(400)
    const { errors } = response.body().data as { errors: string[] }
    assert.deepEqual(
      errors.map((error) => error.split(':')[0]),
      [2, 3, 4, 5, 6, 7, 8, 9].map((number) => `Action ${number}`)
    )
    assert.match(errors[0], /ttl/)
    assert.match(errors[1], /192\.0\.2\.300/)
    assert.match(errors[3], /Record not found/)
    assert.isEmpty(await dataOf(asRequester.get('/change-requests?status=all'), 'change_requests'))
    const singleResponse = await asRequester.post(path, { actions: [add({ ttl: 'soon' })] })
    singleResponse.assertStatus(400)
    assert.match(singleResponse.body().message, /^Field 'actions\.0\.record\.ttl'/)
    const dry = await asRequester.post(`${path}?dry_run=true`, {
      actions: [addApi, add({ name: 'b', content: 'x' }), { op: 'move' }],
    })
    dry.assertStatus(400)
    assert.lengthOf(dry.body().data.errors, 2)
  })

  test('a rejected or cancelled request changes nothing and is final', async ({ assert }) => {
    const { zone, asRequester, asReviewer } = scene
    const before = await stateOf(zone.id)
    const rejected = await createChangeRequest(asRequester, zone, addApi)
    const cancelled = await createChangeRequest(asRequester, zone, addApi)
    const rejection = await decide(asReviewer, rejected, 'reject', { comment: 'no' })
    rejection.assertStatus(200)
    assert.containsSubset(rejection.body().data.change_request, {
      status: 'rejected',
      review_comment: 'no',
    })
    const cancellation = await asRequester.delete(`/change-requests/${cancelled}`)
    cancellation.assertStatus(200)
    assert.equal(cancellation.body().data.change_request.status, 'cancelled')
    for (const id of [rejected, cancelled]) {
      for (const verb of ['approve', 'reject']) {
        const response = await decide(asReviewer, id, verb)
        assert.equal(response.status(), 409)
        assert.equal(response.body().message, DECIDED)
      }
      const response = await asRequester.delete(`/change-requests/${id}`)
      assert.equal(response.status(), 409)
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('reviewers decide, requesters cancel, viewers and other users neither', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const id = await createChangeRequest(asRequester, zone, addApi)
    const viewer = caller(client, await owner(zone, ['zone_content_view_own']))
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    const approverOnly = caller(
      client,
      await owner(zone, ['zone_content_view_own', 'zone_change_approve_own'])
    )
    const editor = caller(
      client,
      await owner(zone, ['zone_content_view_own', 'zone_content_edit_own'])
    )
    const statuses = async (as: Caller) => {
      const seen = await as.get(`/change-requests/${id}`)
      const approved = await decide(as, id, 'approve', { dry_run: true })
      const cancelled = await as.delete(`/change-requests/${id}`)
      return [seen, approved, cancelled].map((response) => response.status())
    }
    assert.deepEqual(await statuses(viewer), [403, 403, 403], 'viewer')
    assert.deepEqual(await statuses(stranger), [404, 404, 404], 'stranger')
    assert.deepEqual(await statuses(approverOnly), [403, 403, 403], 'approves, but does not edit')
    assert.deepEqual(await statuses(editor), [403, 403, 403], 'editor')
    assert.deepEqual(await statuses(asReviewer), [200, 200, 403], 'reviewer')
    assert.deepEqual(await statuses(root), [200, 200, 403], 'administrator')
    assert.deepEqual(await statuses(asRequester), [200, 403, 200], 'requester')
  })

  test('the list has requests that the user created or may review', async ({ client, assert }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const other = await reviewScene(client)
    const mine = await createChangeRequest(asRequester, zone, addApi)
    const theirs = await createChangeRequest(other.asRequester, other.zone, addApi)
    const ids = async (as: Caller, query = '') => {
      const list: { id: number }[] = await dataOf(
        as.get(`/change-requests${query}`),
        'change_requests'
      )
      return list.map(({ id }) => id)
    }
    assert.deepEqual(await ids(asRequester), [mine])
    assert.deepEqual(await ids(asReviewer), [mine])
    assert.deepEqual(await ids(other.asReviewer), [theirs])
    assert.includeMembers(await ids(root), [mine, theirs])
    assert.deepEqual(await ids(root, `?zone_id=${zone.id}`), [mine])
    assert.deepEqual(await ids(root, `?zone_id=${zone.id}&status=approved`), [])
    const narrow = await keyFor(scene.admin, { zones: [zone] })
    const scoped = caller(client, narrow)
    assert.deepEqual(await ids(scoped), [mine])
    const refused = await scoped.get(`/change-requests/${theirs}`)
    refused.assertStatus(403)
    const bad = await root.get('/change-requests?status=open')
    bad.assertStatus(400)
    const sorted = await root.get('/change-requests?sort=nonsense')
    sorted.assertStatus(200)
  })

  test('direct writes to zones under review are refused and write nothing', async ({ assert }) => {
    const { zone, asRequester, www } = scene
    const before = await stateOf(zone.id)
    const path = `/zones/${zone.id}`
    const calls = [
      asRequester.post(`${path}/records`, addApi.record),
      asRequester.put(`${path}/records/${www[0]}`, { content: '192.0.2.9' }),
      asRequester.delete(`${path}/records/${www[0]}`),
      asRequester.post(`${path}/records/bulk`, { operations: [{ action: 'delete', id: www[0] }] }),
      asRequester.put(`${path}/rrsets`, {
        name: 'www',
        type: 'A',
        ttl: 60,
        records: [{ content: '192.0.2.3' }],
      }),
      asRequester.delete(`${path}/rrsets/www/A`),
    ]
    for (const call of calls) {
      const response = await call
      assert.equal(response.status(), 403, response.text())
      assert.equal(response.body().message, NEEDED)
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })
})
