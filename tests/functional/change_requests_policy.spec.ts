import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sweepRequests, type SweptRequest } from '#review/sweep'
import { caller, dataOf, makeRecord, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { ace } from '#tests/support/app/commands'
import { backendUnderTest } from '#tests/support/app/foreign_zones'
import {
  decide,
  file,
  fileOne,
  look,
  owner,
  reviewScene,
  under,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { lastEntryOf, stateOf } from '#tests/support/app/zones'

let scene: Reviewed
let second: Caller

const REVIEW = [
  'zone_content_view_own',
  'zone_content_edit_own',
  'zone_change_approve_own',
] as const

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
  second = caller(client, await owner(scene.zone, [...REVIEW]))
}

const add = (content = '192.0.2.77') => ({
  op: 'add',
  record: { name: 'api', type: 'A', content, ttl: 300 },
})

/** What one sweep does to some requests. */
async function swept(...ids: number[]): Promise<[number, SweptRequest['what']][]> {
  const done: [number, SweptRequest['what']][] = []
  for await (const { id, what } of sweepRequests(await backendUnderTest())) {
    if (ids.includes(id)) done.push([id, what])
  }
  return done
}

async function statusOf(id: number): Promise<string> {
  const { change_request: request } = await look(scene.root, id)
  return request.status
}

const DAY = 86_400_000
const past = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** As if the request had been filed, and perhaps decided, so many days ago. */
async function age(id: number, days: number) {
  const at = past(days)
  await db.from('zw_change_requests').where('id', id).update({ created_at: at })
  await db
    .from('zw_change_requests')
    .where('id', id)
    .whereNotNull('reviewed_at')
    .update({ reviewed_at: at })
}

test.group('Policies of review', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  test('a requester who reviews may approve their own request, but not with separation of duties', async ({
    assert,
  }) => {
    const { zone, asReviewer } = scene
    const own = await fileOne(asReviewer, zone, add())
    await under({ separation_of_duties: true }, async () => {
      const refused = await decide(asReviewer, own, 'approve')
      refused.assertStatus(403)
      assert.equal(await statusOf(own), 'pending')
      const other = await decide(second, own, 'approve')
      other.assertStatus(200)
    })
    const again = await fileOne(asReviewer, zone, add('192.0.2.78'))
    const approved = await decide(asReviewer, again, 'approve')
    approved.assertStatus(200)
  })

  test('where several have to approve, the last one applies; nobody counts twice, and a new base asks all anew', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const id = await fileOne(asRequester, zone, add())
    const before = await stateOf(zone.id)
    await under({ approvals_needed: 2 }, async () => {
      const first = await decide(asReviewer, id, 'approve', { comment: 'one' })
      first.assertStatus(200)
      assert.equal(first.body().data.change_request.status, 'pending')
      assert.match(first.body().message, /1 of 2/)
      const twice = await decide(asReviewer, id, 'approve')
      twice.assertStatus(409)
      assert.deepEqual(await stateOf(zone.id), before)
      const rebased = await decide(asRequester, id, 'rebase')
      assert.isEmpty(rebased.body().data.change_request.approvals)
      await decide(asReviewer, id, 'approve')
      const responses = await Promise.all(
        [second, root, second].map(async (as) => {
          const response = await decide(as, id, 'approve')
          return response.status()
        })
      )
      assert.equal(responses.filter((status) => status === 200).length, 1, responses.join())
      assert.equal(await statusOf(id), 'approved')
    })
  })

  test('an approval of somebody who may not review any more does not count', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const leaving = await owner(zone, [...REVIEW])
    const id = await fileOne(asRequester, zone, add())
    await under({ approvals_needed: 2 }, async () => {
      await decide(caller(client, leaving), id, 'approve')
      await root.delete(`/zones/${zone.id}/owners/${leaving.id}`)
      const first = await decide(asReviewer, id, 'approve')
      assert.match(first.body().message, /1 of 2/)
      const last = await decide(second, id, 'approve')
      assert.equal(last.body().data.change_request.status, 'approved')
    })
  })

  test('where approvers of a zone are named, only they and administrators approve', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, reviewer, root } = scene
    await under({ zone_approvers: [`${zone.name} ${reviewer.username}`] }, async () => {
      const ids = [
        await fileOne(asRequester, zone, add()),
        await fileOne(asRequester, zone, add('192.0.2.8')),
      ]
      const refused = await decide(second, ids[0], 'approve')
      refused.assertStatus(403)
      for (const [index, as] of [asReviewer, root].entries()) {
        const approved = await decide(as, ids[index], 'approve')
        assert.equal(approved.status(), 200, approved.text())
      }
    })
  })

  test('protected names are changed through review only, by whomever; names beside them directly', async ({
    assert,
  }) => {
    const { zone, root } = scene
    await under({ protected_names: [`www.${zone.name}`] }, async () => {
      const refused = await root.delete(`/zones/${zone.id}/rrsets/www/A`)
      refused.assertStatus(403)
      await makeRecord(root, zone, { name: 'beside', type: 'A', content: '192.0.2.9' })
      const id = await fileOne(root, zone, { op: 'clear', name: `www.${zone.name}`, type: 'A' })
      const { change_request: request } = await look(root, id)
      assert.equal(request.risk.level, 'high')
      assert.include(
        request.risk.reasons.map(({ rule }: { rule: string }) => rule),
        'protected'
      )
    })
  })

  test('records that need no review are written at once by who may request them, and nothing else is', async ({
    assert,
  }) => {
    const { zone, asRequester, requester } = scene
    const auto = { auto_approve: [`_acme-challenge.**.${zone.name} TXT`] }
    await under({ ...auto, protected_names: [`_acme-challenge.safe.${zone.name}`] }, async () => {
      const txt = (name: string) =>
        asRequester.post(`/zones/${zone.id}/records`, { name, type: 'TXT', content: 'token' })
      const direct = await txt('_acme-challenge.www')
      direct.assertStatus(201)
      assert.containsSubset(await lastEntryOf(zone.id), { username: requester.username })
      for (const name of ['_acme-challenge.safe', 'other']) {
        const refused = await txt(name)
        refused.assertStatus(403)
      }
      const [request] = await file(asRequester, zone, [
        { op: 'add', record: { name: '_acme-challenge.a', type: 'TXT', content: 'x' } },
      ])
      assert.equal(request.status, 'approved')
      const mixed = await asRequester.post('/changes', {
        actions: ['_acme-challenge.b', 'c'].map((label) => ({
          op: 'add',
          name: `${label}.${zone.name}`,
          type: 'TXT',
          records: [{ content: 'x' }],
        })),
      })
      mixed.assertStatus(202)
    })
  })

  test('a reviewer sees what it does now: which names answer what, how risky it is, and what the rules say', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer } = scene
    const [{ id }] = await file(asRequester, zone, [
      { op: 'set', name: `*.sub.${zone.name}`, type: 'NS', records: [{ content: 'ns.test' }] },
      {
        op: 'set',
        name: zone.name,
        type: 'MX',
        records: [{ content: `alias.${zone.name}`, priority: 10 }],
      },
      { op: 'clear', name: `www.${zone.name}`, type: 'A' },
      { op: 'set', name: `*.${zone.name}`, type: 'A', records: [{ content: '192.0.2.99' }] },
    ])
    const { change_request: request } = await look(asReviewer, id)
    const messages = request.effects.map(({ message }: { message: string }) => message)
    assert.sameMembers(messages, [
      `mail for ${zone.name} goes to alias.${zone.name}`,
      `www.${zone.name} stops answering on IPv4`,
      `every name below sub.${zone.name} without records and all names below it are delegated to ns.test`,
      `every name below ${zone.name} without records begins to answer on IPv4: 192.0.2.99`,
    ])
    assert.equal(request.risk.level, 'high')
    assert.includeMembers(
      request.risk.reasons.map(({ rule }: { rule: string }) => rule),
      ['mail', 'wildcard', 'delete', 'apex']
    )
    assert.include(
      request.plan.zones[0].warnings.map(({ rule }: { rule: string }) => rule),
      'wildcard-ns'
    )
  })

  test('comments stand beside the request, in order, also about one action', async ({ assert }) => {
    const { zone, asRequester, asReviewer, requester } = scene
    const id = await fileOne(asRequester, zone, add())
    const comment = (as: Caller, body: object) => as.post(`/change-requests/${id}/comments`, body)
    await comment(asReviewer, { text: 'why?', action: 0 }).then((it) => it.assertStatus(201))
    await comment(asRequester, { text: 'because' }).then((it) => it.assertStatus(201))
    await comment(asReviewer, { text: 'x', action: 5 }).then((it) => it.assertStatus(400))
    const { change_request: request } = await look(asRequester, id)
    assert.containsSubset(request.comments, [
      { text: 'why?', action: 0 },
      { text: 'because', action: null, user: { username: requester.username } },
    ])
  })
})

test.group('change-requests:sweep', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  test('marks stale requests once, and says when they are current again', async ({ assert }) => {
    const { zone, asRequester, root, www } = scene
    const stale = await fileOne(asRequester, zone, { op: 'delete', record_id: www[0] })
    const fine = await fileOne(asRequester, zone, add())
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
    await under({ cancel_stale: true }, async () => {
      assert.deepEqual(await swept(stale, fine), [[stale, 'cancelled']])
    })
    assert.deepEqual([await statusOf(stale), await statusOf(fine)], ['cancelled', 'pending'])
  })

  test('cancels what is too old, and removes what was decided long ago; both are off by default', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer } = scene
    const old = await fileOne(asRequester, zone, add())
    const young = await fileOne(asRequester, zone, add('192.0.2.78'))
    await age(old, 40)
    assert.deepEqual(await swept(old, young), [])
    await under({ expire_days: 30 }, async () => {
      assert.deepEqual(await swept(old, young), [[old, 'expired']])
      assert.deepEqual(await swept(old, young), [])
    })
    const { change_request: request } = await look(asRequester, old)
    assert.equal(request.status, 'cancelled')
    assert.match(request.error, /Expired/)
    await decide(asReviewer, young, 'approve')
    await under({ retention_days: 30 }, () => swept())
    const gone = await asRequester.get(`/change-requests/${old}`)
    gone.assertStatus(404)
    assert.equal(await statusOf(young), 'approved')
    assert.isEmpty(await db.from('zw_change_request_actions').where('request_id', old))
  })

  test('a request with a time is applied by the sweep after it, as its reviewer, and not before', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, reviewer, root } = scene
    const later = new Date(Date.now() + DAY).toISOString()
    const refused = await asRequester.post(`/zones/${zone.id}/change-requests`, {
      actions: [add()],
      apply_at: later,
    })
    refused.assertStatus(400)
    await under({ allow_scheduling: true }, async () => {
      const ids: number[] = []
      for (const content of ['192.0.2.81', '192.0.2.82', '192.0.2.83']) {
        const [{ id }] = await file(asRequester, zone, [add(content)], { apply_at: later })
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
      await makeRecord(root, zone, { name: 'api', type: 'A', content: '192.0.2.82', ttl: 300 })
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
        door: 'job',
        origin_kind: 'request',
        origin_id: String(due),
      })
      const text = JSON.stringify(await dataOf(root.get(`/zones/${zone.id}/rrsets/api/A`)))
      assert.include(text, '192.0.2.81')
      assert.notInclude(text, '192.0.2.83')
    })
  })

  test('the command tells what it did, in words and as JSON, and does nothing while approval is off', async ({
    assert,
  }) => {
    const { zone, asRequester, root, www } = scene
    const id = await fileOne(asRequester, zone, { op: 'delete', record_id: www[0] })
    await root.delete(`/zones/${zone.id}/records/${www[0]}`)
    const off = await ace(['change-requests:sweep', '--json'])
    assert.deepEqual(JSON.parse(off.stdout), { checked: 0, requests: [], removed: 0 })
    const variables = { APPROVAL_ENABLED: 'true' }
    const on = await ace(['change-requests:sweep', '--json'], { variables })
    assert.equal(on.code, 0, on.stderr)
    assert.deepInclude(JSON.parse(on.stdout).requests, {
      id,
      zone_name: zone.name,
      outcome: 'stale',
    })
    const words = await ace(['change-requests:sweep'], { variables })
    assert.match(words.stdout, /^Checked \d+ change requests, 0 of them moved; removed 0\n$/)
  })
})
