// @databases @api-backend(all) @process
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, dataOf, createRecord } from '#tests/support/app/api'
import { newest } from '#tests/support/app/zones/history'
import { keyFor } from '#tests/support/app/people/people'
import {
  decide,
  createChangeRequests,
  createChangeRequest,
  requestDetail,
  owner,
  reviewScene,
  withReviewSettings,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { CalledServer, OtherServer } from '#tests/support/app/server'
import { stateOf } from '#tests/support/app/zones/zones'

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

test.group('Decisions on change requests', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  const add = { op: 'add', record: { name: 'api', type: 'A', content: '192.0.2.77', ttl: 300 } }

  test('of concurrent approvals one succeeds, the others get 409, and the request is applied once', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const second = caller(
      client,
      await owner(zone, [
        'zone_content_view_own',
        'zone_content_edit_own',
        'zone_change_approve_own',
      ])
    )
    for (let round = 0; round < 5; round++) {
      const record = { ...add.record, content: `192.0.2.${80 + round}` }
      const id = await createChangeRequest(asRequester, zone, { op: 'add', record })
      const entries = await newest(zone)
      const responses = await Promise.all(
        [asReviewer, second, root, asReviewer].map(async (as) => {
          const response = await decide(as, id, 'approve')
          return response.status()
        })
      )
      assert.deepEqual(responses.sort(), [200, 409, 409, 409])
      assert.equal(await newest(zone), entries + 1)
    }
  })

  test('preconditions without an entity tag are refused and decide nothing', async ({ assert }) => {
    const { zone, asRequester, asReviewer } = scene
    const id = await createChangeRequest(asRequester, zone, add)
    const path = `/change-requests/${id}`
    const calls = [
      () => asReviewer.post(`${path}/approve`, {}),
      () => asReviewer.post(`${path}/reject`, { comment: 'no' }),
      () => asRequester.post(`${path}/rebase`, {}),
      () => asRequester.post(`${path}/comments`, { text: 'still?' }),
      () => asRequester.delete(path),
    ]
    for (const call of calls) {
      for (const header of ['If-Match', 'If-None-Match']) {
        const response = await call().header(header, '"00"')
        assert.equal(response.status(), 400, response.text())
        assert.include(response.text(), header)
      }
    }
    const request = await dataOf(asRequester.get(path), 'change_request')
    assert.deepEqual([request.status, request.comments], ['pending', []])
  })

  test('of concurrent approvals on two servers one succeeds, and the request is applied once', async ({
    assert,
    cleanup,
  }) => {
    const { zone, asRequester, admin, reviewer, root } = scene
    const settings = { APPROVAL_ENABLED: 'true', API_ENABLED: 'true' }
    const other = await OtherServer.start(settings)
    cleanup(() => other.stop())
    const servers = [CalledServer.ofThisProcess(), other]
    for (let round = 0; round < 8; round++) {
      const record = { ...add.record, content: `192.0.2.${100 + round}` }
      const id = await createChangeRequest(asRequester, zone, { op: 'add', record })
      const entries = await newest(zone)
      const statuses = await Promise.all(
        [admin, reviewer].map(async ({ key }, index) => {
          const url = `${servers[index].url}/api/v2/change-requests/${id}/approve`
          const answer = await fetch(url, { method: 'POST', headers: { 'x-api-key': key } })
          await answer.text()
          return answer.status
        })
      )
      assert.deepEqual(statuses.sort(), [200, 409])
      const { change_request: request } = await requestDetail(root, id)
      assert.equal(request.status, 'approved')
      assert.equal(await newest(zone), entries + 1)
    }
    const records = await dataOf(root.get(`/zones/${zone.id}/rrsets/api/A`), 'rrset.records')
    assert.lengthOf(records, 8)
  })

  test('of a concurrent approval, rejection and cancellation one succeeds', async ({ assert }) => {
    const { zone, asRequester, asReviewer, root } = scene
    for (let round = 0; round < 5; round++) {
      const record = { ...add.record, content: `192.0.2.${90 + round}` }
      const id = await createChangeRequest(asRequester, zone, { op: 'add', record })
      const responses = await Promise.all([
        decide(asReviewer, id, 'approve').then((it) => it.status()),
        decide(root, id, 'reject').then((it) => it.status()),
        asRequester.delete(`/change-requests/${id}`).then((it) => it.status()),
      ])
      assert.deepEqual(responses.sort(), [200, 409, 409])
      const { change_request: request } = await requestDetail(root, id)
      const found = await root.get(`/zones/${zone.id}/rrsets/api/A`)
      const isThere = found.text().includes(record.content)
      assert.equal(isThere, request.status === 'approved')
    }
  })

  test('the requester must still have the right to request when the request is applied', async ({
    client,
    assert,
  }) => {
    const { zone, asReviewer, root } = scene
    const requester = await owner(zone, ['zone_content_view_own', 'zone_change_request_own'])
    const as = caller(client, requester)
    const lost = await createChangeRequest(as, zone, add)
    const removed = await root.delete(`/zones/${zone.id}/owners/${requester.id}`)
    removed.assertStatus(200)
    const before = await stateOf(zone.id)
    const failed = await decide(asReviewer, lost, 'approve')
    failed.assertStatus(403)
    assert.match(failed.body().data.change_request.error, /requester.*can no longer request/)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a user who may only request a record type cannot approve it, but reviewers may approve what a setting routes to review', async ({
    client,
    assert,
  }) => {
    const { zone, asReviewer } = scene
    const both = caller(
      client,
      await owner(zone, [
        'zone_content_view_own',
        'zone_content_edit_own_as_client',
        'zone_change_request_own',
        'zone_change_approve_own',
      ])
    )
    const before = await stateOf(zone.id)
    const ns = await createChangeRequest(both, zone, {
      op: 'add',
      record: { name: '@', type: 'NS', content: 'ns.elsewhere.test', ttl: 300 },
    })
    const refused = await decide(both, ns, 'approve')
    refused.assertStatus(403)
    assert.equal(refused.body().message, 'You do not have permission to edit this record type: NS')
    assert.deepEqual(await stateOf(zone.id), before)
    const settings = { require_review_for_all: true, protected_names: [`api.${zone.name}`] }
    await withReviewSettings(settings, async () => {
      for (const as of [both, asReviewer]) {
        const content = as === both ? '192.0.2.31' : '192.0.2.32'
        const id = await createChangeRequest(as, zone, {
          op: 'add',
          record: { ...add.record, content },
        })
        const approved = await decide(as, id, 'approve')
        assert.equal(approved.status(), 200, approved.text())
      }
    })
  })

  test('a dry run decides nothing, cancels nothing and writes no comment', async ({ assert }) => {
    const { zone, asRequester, asReviewer } = scene
    const id = await createChangeRequest(asRequester, zone, add)
    const { change_request: before } = await requestDetail(asReviewer, id)
    const calls = [
      decide(asReviewer, id, 'reject', { dry_run: true }),
      decide(asRequester, id, 'rebase', { dry_run: true }),
      asRequester.delete(`/change-requests/${id}?dry_run=true`),
      decide(asReviewer, id, 'comments', { text: 'why?', dry_run: true }),
    ]
    for (const call of calls) {
      const response = await call
      assert.equal(response.status(), 200, response.text())
      assert.equal(response.body().message, 'Dry run: nothing was changed')
    }
    const { change_request: after } = await requestDetail(asReviewer, id)
    assert.deepEqual(after, before)
    const unknown = await asRequester.delete(`/change-requests/${id}?dry_run=perhaps`)
    unknown.assertStatus(400)
  })

  test('an invalid plan_hash, or one of a caller who cannot see the zone, decides nothing', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester, asReviewer } = scene
    const id = await createChangeRequest(asRequester, zone, add)
    const { change_request: seen } = await requestDetail(asReviewer, id)
    const blind = caller(
      client,
      await owner(zone, ['zone_content_edit_own', 'zone_change_approve_own'])
    )
    for (const [as, hash, status] of [
      [asReviewer, 'sha256:12', 400],
      [asReviewer, '', 400],
      [blind, seen.plan.plan_hash, 403],
    ] as const) {
      const refused = await decide(as, id, 'approve', { plan_hash: hash })
      assert.equal(refused.status(), status, refused.text())
      const { change_request: request } = await requestDetail(asReviewer, id)
      assert.equal(request.status, 'pending')
    }
  })

  test('plan_hash also counts for further approvals and for a later application', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const settings = { approvals_needed: 2, allow_scheduling: true }
    await withReviewSettings(settings, async () => {
      const later = { apply_at: new Date(Date.now() + 86_400_000).toISOString() }
      const [{ id: now }] = await createChangeRequests(asRequester, zone, [add])
      const [{ id: then }] = await createChangeRequests(asRequester, zone, [add], later)
      const { change_request: seen } = await requestDetail(asReviewer, now)
      const hash = { plan_hash: seen.plan.plan_hash }
      await createRecord(root, zone, { name: 'api', type: 'A', content: '192.0.2.50', ttl: 60 })
      for (const [id, needed] of [
        [now, 2],
        [then, 1],
      ]) {
        await withReviewSettings({ ...settings, approvals_needed: needed }, async () => {
          const moved = await decide(asReviewer, id, 'approve', hash)
          assert.equal(moved.status(), 409, moved.text())
          assert.deepEqual(moved.body().data.moved, [{ name: `api.${zone.name}`, type: 'A' }])
          const { change_request: request } = await requestDetail(asReviewer, id)
          assert.deepEqual([request.status, request.approvals], ['pending', []])
          const secondResponse = await decide(asReviewer, id, 'approve', {
            plan_hash: request.plan.plan_hash,
          })
          assert.equal(secondResponse.status(), 200, secondResponse.text())
        })
      }
    })
  })

  test('a request fails if the reviewer may not write it, and is refused if only their key forbids it', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester, reviewer } = scene
    const client1 = caller(
      client,
      await owner(zone, [
        'zone_content_view_own',
        'zone_content_edit_own_as_client',
        'zone_change_approve_own',
      ])
    )
    const ns = await createChangeRequest(asRequester, zone, {
      op: 'add',
      record: { name: 'sub', type: 'NS', content: 'ns.elsewhere.test', ttl: 300 },
    })
    const failed = await decide(client1, ns, 'approve')
    failed.assertStatus(403)
    assert.equal(failed.body().data.change_request.status, 'failed')

    const id = await createChangeRequest(asRequester, zone, add)
    const updating = caller(client, await keyFor(reviewer, { operations: ['view', 'update'] }))
    const refused = await decide(updating, id, 'approve')
    refused.assertStatus(403)
    const { change_request: request } = await requestDetail(updating, id)
    assert.equal(request.status, 'pending')
    const both = caller(client, await keyFor(reviewer, { operations: ['create', 'update'] }))
    const approved = await decide(both, id, 'approve')
    assert.equal(approved.status(), 200, approved.text())
  })

  test('a reviewer who cannot view the zone sees the requested values but not the current ones', async ({
    client,
    assert,
  }) => {
    const { zone, www, asReviewer } = scene
    const blind = caller(client, await owner(zone, ['zone_change_request_own']))
    const [{ id }] = await createChangeRequests(blind, zone, [
      { op: 'edit', record_id: www[0], record: { ttl: 77 } },
      { op: 'clear', name: `www.${zone.name}`, type: 'A' },
    ])
    const filed = await blind.post('/changes', {
      actions: [{ op: 'clear', name: `www.${zone.name}`, type: 'A' }],
    })
    filed.assertStatus(202)
    const one = await blind.get(`/change-requests/${id}`)
    const list = await blind.get('/change-requests')
    for (const answer of [one, list, filed]) {
      assert.notInclude(answer.text(), '192.0.2.1')
    }
    const seen = await requestDetail(asReviewer, id)
    assert.include(JSON.stringify(seen), '192.0.2.1')
    const dry = await blind.post(`/zones/${zone.id}/change-requests?dry_run=true`, {
      actions: [add],
    })
    dry.assertStatus(403)
  })

  test('a comment is applied with its record, and a comment alone goes through review as well', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const zoneFile = () => dataOf(root.get(`/zones/${zone.id}/export`), 'zone_file')
    const record = { ...add.record, comment: 'wished with it' }
    const id = await createChangeRequest(asRequester, zone, { op: 'add', record })
    const { change_request: request } = await requestDetail(asReviewer, id)
    assert.equal(request.actions[0].after.comment, 'wished with it')
    const approved = await decide(asReviewer, id, 'approve')
    approved.assertStatus(200)
    assert.include(await zoneFile(), 'wished with it')
    const singleResponse = await asRequester.post('/changes', {
      actions: [
        {
          op: 'set',
          name: `api.${zone.name}`,
          type: 'A',
          records: [{ content: '192.0.2.77', comment: 'and now another' }],
        },
      ],
    })
    singleResponse.assertStatus(202)
    assert.notInclude(await zoneFile(), 'and now another')
    const last = await decide(asReviewer, singleResponse.body().data.change_request.id, 'approve')
    last.assertStatus(200)
    assert.include(await zoneFile(), 'and now another')
  })

  test('the comment of an edit is stored with the new record', async ({ assert }) => {
    const { zone, www, asRequester, asReviewer, root } = scene
    const lines = async () => {
      const text: string = await dataOf(root.get(`/zones/${zone.id}/export`), 'zone_file')
      return text.split('\n').filter((line) => line.startsWith('www'))
    }
    const [{ id }] = await createChangeRequests(asRequester, zone, [
      { op: 'edit', record_id: www[0], record: { content: '192.0.2.11', comment: 'moved' } },
      { op: 'edit', record_id: www[1], record: { comment: 'stays' } },
    ])
    const approved = await decide(asReviewer, id, 'approve')
    assert.equal(approved.status(), 200, approved.text())
    const written = await lines()
    assert.match(written.find((line) => line.includes('192.0.2.11')) ?? '', /; moved$/)
    assert.match(written.find((line) => line.includes('192.0.2.2')) ?? '', /; stays$/)
    const second = await requestDetail(asReviewer, id)
    assert.equal(second.change_request.actions[0].after.comment, 'moved')
  })

  test('plan_hash applies the reviewed plan; another plan gets 409 and decides nothing', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const id = await createChangeRequest(asRequester, zone, add)
    const { change_request: seen } = await requestDetail(asReviewer, id)
    const hash = seen.plan.plan_hash
    await createRecord(root, zone, { name: 'api', type: 'A', content: '192.0.2.50', ttl: 60 })
    const moved = await decide(asReviewer, id, 'approve', { plan_hash: hash })
    moved.assertStatus(409)
    assert.deepEqual(moved.body().data.moved, [{ name: `api.${zone.name}`, type: 'A' }])
    const { change_request: now } = await requestDetail(asReviewer, id)
    assert.equal(now.status, 'pending')
    const approved = await decide(asReviewer, id, 'approve', { plan_hash: now.plan.plan_hash })
    approved.assertStatus(200)
  })

  test('a requested SOA record gets the serial of the time of its application', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const soa = await dataOf(root.get(`/zones/${zone.id}/rrsets/@/SOA`), 'rrset.records.0.content')
    const wished = soa.split(' ').with(3, '7777').join(' ')
    const [{ id }] = await createChangeRequests(asRequester, zone, [
      { op: 'set', name: zone.name, type: 'SOA', records: [{ content: wished }] },
    ])
    for (const content of ['192.0.2.61', '192.0.2.62']) {
      await createRecord(root, zone, { name: 'x', type: 'A', content })
    }
    const seen = await requestDetail(asReviewer, id)
    assert.deepEqual(seen.stale_actions, [])
    const before = seen.change_request.plan.zones[0].serial_before
    const approved = await decide(asReviewer, id, 'approve')
    approved.assertStatus(200)
    const after = await dataOf(
      root.get(`/zones/${zone.id}/rrsets/@/SOA`),
      'rrset.records.0.content'
    )
    assert.equal(Number(after.split(' ')[2]), before + 1)
    assert.equal(after.split(' ')[3], '7777')
  })
})
