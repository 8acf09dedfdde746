// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, type Caller } from '#tests/support/app/api'
import { ace } from '#tests/support/app/commands'
import { newest, historyEntries } from '#tests/support/app/zones/history'
import { person } from '#tests/support/app/people/people'
import {
  decide,
  createChangeRequest,
  requestDetail,
  owner,
  reviewScene,
  withReviewSettings,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { stateOf } from '#tests/support/app/zones/zones'
import { dyndnsClient } from '#tests/support/dyndns/ask'

const NEEDED = 'Changes to this zone require approval; create a change request instead'

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

type Call = (as: Caller) => ReturnType<Caller['get']>

/** Requests of the specification that refuse a user without the right to apply. */
function refusing(): Record<string, Call> {
  const { zone, www } = scene
  const path = `/zones/${zone.id}`
  const record = { name: 'channel', type: 'A', content: '192.0.2.77' }
  return {
    'POST records': (as) => as.post(`${path}/records`, record),
    'POST records with PTR': (as) => as.post(`${path}/records`, { ...record, create_ptr: true }),
    'PUT records': (as) => as.put(`${path}/records/${www[0]}`, { ttl: 77 }),
    'DELETE records': (as) => as.delete(`${path}/records/${www[0]}`),
    'POST bulk': (as) =>
      as.post(`${path}/records/bulk`, { operations: [{ action: 'create', ...record }] }),
    'PUT rrsets': (as) =>
      as.put(`${path}/rrsets`, { name: 'www', type: 'A', records: [{ content: '192.0.2.3' }] }),
    'DELETE rrsets': (as) => as.delete(`${path}/rrsets/www/A`),
  }
}

/** Requests outside the specification that create a change request. */
async function filing(): Promise<Record<string, Call>> {
  const { zone } = scene
  const path = `/zones/${zone.id}`
  const entry = await newest(zone)
  const text = await dataOf(scene.root.get(`${path}/export`), 'zone_file')
  return {
    'POST changes': (as) =>
      as.post('/changes', {
        actions: [
          {
            op: 'add',
            name: `channel.${zone.name}`,
            type: 'A',
            records: [{ content: '192.0.2.77' }],
          },
          { op: 'clear', name: `www.${zone.name}`, type: 'A' },
        ],
      }),
    'POST undo': (as) => as.post(`${path}/history/${entry}/undo`, {}),
    'POST restore': (as) => as.post(`${path}/restore`, { entry: entry - 1 }),
    'POST import': (as) =>
      as.post(`${path}/import`, {
        zone_file: `${text}\ndoor 77 IN A 192.0.2.77\n`,
        mode: 'replace',
      }),
  }
}

test.group('Review in every channel', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  test('requests of the specification are refused with the expected message and write nothing', async ({
    assert,
  }) => {
    const { asRequester, zone } = scene
    const before = await stateOf(zone.id)
    for (const [channel, call] of Object.entries(refusing())) {
      const response = await call(asRequester)
      assert.equal(response.status(), 403, `${channel}: ${response.text()}`)
      assert.equal(response.body().message, NEEDED, channel)
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('the need for review is reported before other errors', async ({ assert }) => {
    const { zone, asRequester, asReviewer, root, www } = scene
    const path = `/zones/${zone.id}`
    const stale = (call: ReturnType<Caller['get']>) => call.header('If-Match', '"00"')
    const taken = { name: 'www', type: 'A', content: '192.0.2.1' }
    const wrong: Record<string, Call> = {
      'a body that is none': (as) => as.post(`${path}/records`, {}),
      'a member of a wrong shape': (as) => as.post(`${path}/records`, { ...taken, ttl: 'x' }),
      'a content that is none': (as) => as.post(`${path}/records`, { ...taken, content: 'x' }),
      'a record that is there': (as) => as.post(`${path}/records`, taken),
      'a record that is not there': (as) => as.put(`${path}/records/999999999`, { ttl: 1 }),
      'a wrong patch': (as) => as.put(`${path}/records/${www[0]}`, { content: 'x' }),
      'a deletion of nothing': (as) => as.delete(`${path}/records/999999999`),
      'no operations': (as) => as.post(`${path}/records/bulk`, { operations: [] }),
      'an unknown operation': (as) =>
        as.post(`${path}/records/bulk`, { operations: [{ action: 'move' }] }),
      'an RRset without records': (as) =>
        as.put(`${path}/rrsets`, { name: 'www', type: 'A', records: [] }),
      'an RRset that is not there': (as) => as.delete(`${path}/rrsets/nothing/A`),
      'a condition that does not hold': (as) => stale(as.delete(`${path}/rrsets/www/A`)),
    }
    const before = await stateOf(zone.id)
    const demandAll = async (as: Caller, calls: Record<string, Call>) => {
      for (const [what, call] of Object.entries(calls)) {
        const response = await call(as)
        assert.equal(response.status(), 403, `${what}: ${response.text()}`)
        assert.equal(response.body().message, NEEDED, what)
      }
    }
    await demandAll(asRequester, wrong)
    await withReviewSettings({ require_review_for_all: true }, async () => {
      await demandAll(root, wrong)
      await demandAll(asReviewer, { deletion: (as) => stale(as.delete(path)) })
      // A dry run reports the error itself.
      const dry = await root.post(`${path}/records`, { ...taken, content: 'x', dry_run: true })
      dry.assertStatus(400)
      const form = await root.post(`${path}/records?dry_run=1`, {})
      form.assertStatus(400)
    })
    // If review depends on the record, it applies as soon as the record is known.
    await withReviewSettings({ protected_names: [`www.${zone.name}`] }, async () => {
      await demandAll(root, {
        'a content that is none': wrong['a content that is none'],
        'a record that is there': wrong['a record that is there'],
        'a wrong patch': wrong['a wrong patch'],
        'a condition that does not hold': wrong['a condition that does not hold'],
      })
      const otherName = await root.post(`${path}/records`, { ...taken, name: 'x', content: 'x' })
      otherName.assertStatus(400)
    })
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('dynamic DNS refuses users who may only request changes', async ({ assert }) => {
    const { zone, asRequester, requester } = scene
    const host = `www.${zone.name}`
    const before = await stateOf(zone.id)
    for (const body of [
      { hostname: host, ipv4: '192.0.2.88' },
      { hostname: host, ipv4: '192.0.2.1,192.0.2.2', ipv6: '2001:db8::1' },
      { hostname: `new.${zone.name}`, ipv4: '192.0.2.88' },
    ]) {
      const response = await asRequester.post('/dynamic-dns', body)
      assert.equal(response.status(), 403, response.text())
      assert.equal(response.body().message, NEEDED)
    }
    const update = dyndnsClient(requester)
    assert.equal(await update(`hostname=${host}&myip=192.0.2.88`), '!yours\n')
    assert.equal(await update(`hostname=${host}&myip=192.0.2.2,192.0.2.1`), 'nochg 192.0.2.1\n')
    assert.deepEqual(await stateOf(zone.id), before)
    const elsewhere = await asRequester.post('/dynamic-dns', {
      hostname: 'www.nowhere.test',
      ipv4: '192.0.2.88',
    })
    elsewhere.assertStatus(404)
  })

  for (const channel of ['POST changes', 'POST undo', 'POST restore', 'POST import']) {
    test(`${channel} creates a request with the same effect as the direct change`, async ({
      client,
      assert,
    }) => {
      const { zone, asReviewer, root } = scene
      const requester = await owner(zone, [
        'zone_content_view_own',
        'zone_logs_view_own',
        'zone_change_request_own',
      ])
      const channels = await filing()
      const call = channels[channel]
      const before = await stateOf(zone.id)
      const planned = await dataOf(call(root).qs({ dry_run: 'true' }), 'plan.zones.0')
      assert.isNotEmpty(planned.changes)
      const filed = await call(caller(client, requester))
      assert.equal(filed.status(), 202, filed.text())
      assert.equal(filed.body().message, 'Change request filed for review.')
      const { id } = filed.body().data.change_request
      assert.deepEqual(await stateOf(zone.id), before)
      const seen = await requestDetail(asReviewer, id)
      assert.deepEqual(seen.stale_actions, [])
      assert.deepEqual(seen.change_request.plan.zones[0].changes, planned.changes)
      const approved = await decide(asReviewer, id, 'approve')
      assert.equal(approved.status(), 200, approved.text())
      const [entry] = await historyEntries(root, zone)
      assert.deepEqual(entry.changes, planned.changes)
      assert.deepEqual(entry.origin, { kind: 'request', id })
    })
  }

  test('a dry run reports the routing, and an editor of the zone writes directly', async ({
    assert,
  }) => {
    const { asRequester, asReviewer } = scene
    const channels = { ...refusing(), ...(await filing()) }
    delete channels['POST undo']
    delete channels['POST restore']
    for (const [channel, call] of Object.entries(channels)) {
      for (const [as, review] of [
        [asRequester, 'request'],
        [asReviewer, 'direct'],
      ] as const) {
        const response = await call(as).qs({ dry_run: 'true' })
        assert.equal(response.status(), 200, `${channel}: ${response.text()}`)
        assert.equal(response.body().data.plan.zones[0].review, review, channel)
      }
    }
    const { zone } = scene
    await createRecord(asReviewer, zone, { name: 'direct', type: 'A', content: '192.0.2.7' })
  })

  test('require_review_for_all covers all users and deletions of zones, but not new zones and properties', async ({
    assert,
  }) => {
    const { zone, asReviewer, root } = scene
    await withReviewSettings({ require_review_for_all: true }, async () => {
      const before = await stateOf(zone.id)
      for (const as of [asReviewer, root]) {
        for (const [channel, call] of Object.entries(refusing())) {
          const response = await call(as)
          assert.equal(response.status(), 403, `${channel}: ${response.text()}`)
          assert.equal(response.body().message, NEEDED, channel)
        }
        const deletion = await as.delete(`/zones/${zone.id}`)
        assert.equal(deletion.status(), 403)
        assert.equal(deletion.body().message, NEEDED)
      }
      assert.deepEqual(await stateOf(zone.id), before)
      const host = { hostname: `www.${zone.name}`, ipv4: '192.0.2.88' }
      const dynamic = await asReviewer.post('/dynamic-dns', host)
      assert.equal(dynamic.status(), 403, dynamic.text())
      assert.equal(dynamic.body().message, NEEDED)
      assert.deepEqual(await stateOf(zone.id), before)
      const described = await root.put(`/zones/${zone.id}`, { description: 'direct' })
      described.assertStatus(200)
      const id = await createChangeRequest(asReviewer, zone, { op: 'zone_delete' })
      // Approving an own request is allowed, unless the policy forbids it.
      const approved = await decide(asReviewer, id, 'approve')
      assert.equal(approved.status(), 200, approved.text())
    })
    const deleted = await root.get(`/zones/${zone.id}`)
    deleted.assertStatus(404)
  })

  test('a user who may only request changes requests the deletion of a zone', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester } = scene
    const deletion = await asRequester.delete(`/zones/${zone.id}`)
    assert.equal(deletion.status(), 403)
    assert.notEqual(deletion.body().message, NEEDED)
    const id = await createChangeRequest(asRequester, zone, { op: 'zone_delete' })
    const noDeleter = caller(
      client,
      await owner(zone, [
        'zone_content_view_own',
        'zone_content_edit_own',
        'zone_change_approve_own',
      ])
    )
    const failed = await decide(noDeleter, id, 'approve')
    failed.assertStatus(403)
    assert.equal(failed.body().data.change_request.status, 'failed')
  })

  test('a change set over two zones is one request, approved by a reviewer of both', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester, requester, asReviewer, reviewer, root } = scene
    const other = await reviewScene(client)
    for (const user of [requester, reviewer]) {
      const added = await root.post(`/zones/${other.zone.id}/owners`, { user_id: user.id })
      added.assertStatus(201)
    }
    const actions = [zone, other.zone].map(({ name }) => ({
      op: 'add',
      name: `both.${name}`,
      type: 'A',
      records: [{ content: '192.0.2.5' }],
    }))
    const filed = await asRequester.post('/changes', { actions })
    filed.assertStatus(202)
    const { id } = filed.body().data.change_request
    const half = await decide(other.asReviewer, id, 'approve')
    assert.equal(half.status(), 404)
    const approved = await decide(asReviewer, id, 'approve')
    assert.equal(approved.status(), 200, approved.text())
    for (const it of [zone, other.zone]) {
      const found = await root.get(`/zones/${it.id}/rrsets/both/A`)
      found.assertStatus(200)
    }
  })

  test('a repeated request with one Idempotency-Key is created once', async ({ assert }) => {
    const { zone, asRequester } = scene
    const body = {
      actions: [
        { op: 'add', name: `once.${zone.name}`, type: 'A', records: [{ content: '192.0.2.5' }] },
      ],
    }
    const ids: number[] = []
    for (let i = 0; i < 2; i++) {
      const response = await asRequester.post('/changes', body).header('Idempotency-Key', zone.name)
      response.assertStatus(202)
      ids.push(response.body().data.change_request.id)
    }
    assert.equal(ids[0], ids[1])
    assert.lengthOf(await dataOf(asRequester.get('/change-requests'), 'change_requests'), 1)
  })
})

test.group('Explain and review', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  const ask = async (as: Caller, action: string, more = '') => {
    const { decision, reasons } = await dataOf(
      as.get(`/explain?action=${action}&zone_id=${scene.zone.id}${more}`)
    )
    const by = reasons.find(({ rule }: { rule: string }) => rule === 'approval')
    return [decision, by?.source ?? null]
  }
  const write = '&name=www&type=A'

  test('GET /explain says which changes need review, and why', async ({ client, assert }) => {
    const { asRequester, asReviewer, root, zone } = scene
    const own = 'zone_change_request_own'
    assert.deepEqual(await ask(asRequester, 'zone.edit_records'), ['request', own])
    assert.deepEqual(await ask(asRequester, 'rrset.write', write), ['request', own])
    assert.deepEqual(await ask(asReviewer, 'rrset.write', write), ['allow', null])
    assert.deepEqual(await ask(asRequester, 'zone.request_changes'), ['allow', null])
    assert.deepEqual(await ask(asRequester, 'zone.review'), ['deny', null])
    assert.deepEqual(await ask(asReviewer, 'zone.review'), ['allow', null])
    const viewer = caller(client, await owner(zone, ['zone_content_view_own']))
    assert.deepEqual(await ask(viewer, 'zone.request_changes'), ['deny', null])
    await withReviewSettings({ require_review_for_all: true }, async () => {
      const all = 'approval.require_review_for_all'
      assert.deepEqual(await ask(root, 'zone.delete'), ['request', all])
      assert.deepEqual(await ask(asReviewer, 'rrset.write', write), ['request', all])
      assert.deepEqual(await ask(root, 'zone.edit_properties'), ['allow', null])
      assert.deepEqual(await ask(root, 'zone.edit_source'), ['deny', all])
    })
    await withReviewSettings({ protected_names: [`www.${zone.name}`] }, async () => {
      assert.deepEqual(await ask(root, 'rrset.write', write), [
        'request',
        'approval.protected_names',
      ])
    })
    await withReviewSettings({ auto_approve: [`*.${zone.name} TXT/A`] }, async () => {
      assert.deepEqual(await ask(asRequester, 'rrset.write', write), [
        'allow',
        'approval.auto_approve',
      ])
    })
    await withReviewSettings({ zone_approvers: [`${zone.name} nobody`] }, async () => {
      assert.deepEqual(await ask(asReviewer, 'zone.review'), ['deny', 'approval.zone_approvers'])
      assert.deepEqual(await ask(root, 'zone.review'), ['allow', null])
    })
  })

  test('the explain command prints it as text', async ({ assert }) => {
    const { requester, zone } = scene
    const words = ['explain', requester.username, 'zone.edit_records', `--zone=${zone.name}`]
    const { stdout } = await ace(words)
    assert.include(
      stdout,
      `${requester.username} may zone.edit_records on ${zone.name}, through review`
    )
    assert.match(stdout, /approval: .*change request is submitted \(zone_change_request_own\)/)
    const off = await withReviewSettings({ enabled: false }, () => ace(words))
    assert.include(off.stdout, 'may not zone.edit_records')
  })

  test('a user without any right on a zone learns nothing of it', async ({ client, assert }) => {
    const as = caller(client, await person())
    const response = await as.get(`/explain?action=zone.review&zone_id=${scene.zone.id}`)
    assert.equal(response.status(), 404)
  })
})
