// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, type Caller } from '#tests/support/app/api'
import { isApiMode } from '#tests/support/app/backend'
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
import { lastEntryOf, stateOf } from '#tests/support/app/zones/zones'

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

async function statusOf(id: number): Promise<string> {
  const { change_request: request } = await requestDetail(scene.root, id)
  return request.status
}

test.group('Review policies', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  test('a requester who reviews may approve their own request, except with separation of duties', async ({
    assert,
  }) => {
    const { zone, asReviewer } = scene
    const own = await createChangeRequest(asReviewer, zone, add())
    await withReviewSettings({ separation_of_duties: true }, async () => {
      const refused = await decide(asReviewer, own, 'approve')
      refused.assertStatus(403)
      assert.equal(await statusOf(own), 'pending')
      const otherResponse = await decide(second, own, 'approve')
      otherResponse.assertStatus(200)
    })
    const again = await createChangeRequest(asReviewer, zone, add('192.0.2.78'))
    const approved = await decide(asReviewer, again, 'approve')
    approved.assertStatus(200)
  })

  test('with several required approvals the last one applies; each user counts once, and a rebase resets them', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const id = await createChangeRequest(asRequester, zone, add())
    const before = await stateOf(zone.id)
    await withReviewSettings({ approvals_needed: 2 }, async () => {
      const first = await decide(asReviewer, id, 'approve', { comment: 'one' })
      first.assertStatus(200)
      assert.equal(first.body().data.change_request.status, 'pending')
      assert.match(first.body().message, /1 of 2/)
      const repeatedResponse = await decide(asReviewer, id, 'approve')
      repeatedResponse.assertStatus(409)
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

  test('an approval of a user who lost the right to review does not count', async ({
    client,
    assert,
  }) => {
    const { zone, asRequester, asReviewer, root } = scene
    const leaving = await owner(zone, [...REVIEW])
    const id = await createChangeRequest(asRequester, zone, add())
    await withReviewSettings({ approvals_needed: 2 }, async () => {
      await decide(caller(client, leaving), id, 'approve')
      await root.delete(`/zones/${zone.id}/owners/${leaving.id}`)
      const first = await decide(asReviewer, id, 'approve')
      assert.match(first.body().message, /1 of 2/)
      const last = await decide(second, id, 'approve')
      assert.equal(last.body().data.change_request.status, 'approved')
    })
  })

  for (const [what, path, body, status] of [
    ['the kind', '', { type: 'SLAVE', master: '192.0.2.1' }, 403],
    ['MASTER to NATIVE', '', { type: 'NATIVE' }, 200],
    ['a description', '', { description: 'x' }, 200],
    ['ALLOW-DNSUPDATE-FROM', '/metadata/ALLOW-DNSUPDATE-FROM', { values: ['192.0.2.1'] }, 403],
    ['TSIG-ALLOW-DNSUPDATE', '/metadata/tsig-allow-dnsupdate', { values: ['key'] }, 403],
    ['FORWARD-DNSUPDATE', '/metadata/FORWARD-DNSUPDATE', { values: ['1'] }, 403],
    ['ALSO-NOTIFY', '/metadata/ALSO-NOTIFY', { values: ['192.0.2.1'] }, 200],
  ] as [string, string, object, number][]) {
    for (const policy of ['for all', 'protected'] as const) {
      test(`${what}, reviewed ${policy}: ${status}`, async ({ assert }) => {
        const { zone, root } = scene
        const settings = {
          'for all': { require_review_for_all: true },
          'protected': { protected_names: [`later.${zone.name}`] },
        }
        const before = await stateOf(zone.id)
        await withReviewSettings(settings[policy], async () => {
          const response = await root.put(`/zones/${zone.id}${path}`, body)
          response.assertStatus(status)
          if (status !== 403) return
          assert.include(response.body().message, 'cannot be changed while')
          assert.deepEqual(await stateOf(zone.id), before)
        })
        await withReviewSettings({ protected_names: ['*.other.example'] }, async () => {
          const response = await root.put(`/zones/${zone.id}${path}`, body)
          response.assertStatus(200)
        })
      })
    }
  }

  test('the primaries of a secondary zone cannot change while every change needs review', async ({
    assert,
  }) => {
    const { zone, root } = scene
    const kind = { type: 'SLAVE', master: '192.0.2.1' }
    const created = await root.put(`/zones/${zone.id}`, kind)
    created.assertStatus(200)
    await withReviewSettings({ require_review_for_all: true }, async () => {
      for (const body of [{ master: '192.0.2.9' }, { type: 'MASTER' }]) {
        const response = await root.put(`/zones/${zone.id}`, body)
        response.assertStatus(403)
        assert.include(response.body().message, 'The type and primaries')
      }
      const repeatedResponse = await root.put(`/zones/${zone.id}`, kind)
      repeatedResponse.assertStatus(200)
    })
  })

  test('with named approvers of a zone only they and administrators approve', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, reviewer, root } = scene
    await withReviewSettings(
      { zone_approvers: [`${zone.name} ${reviewer.username}`] },
      async () => {
        const ids = [
          await createChangeRequest(asRequester, zone, add()),
          await createChangeRequest(asRequester, zone, add('192.0.2.8')),
        ]
        const refused = await decide(second, ids[0], 'approve')
        refused.assertStatus(403)
        for (const [index, as] of [asReviewer, root].entries()) {
          const approved = await decide(as, ids[index], 'approve')
          assert.equal(approved.status(), 200, approved.text())
        }
      }
    )
  })

  test('protected names are changed through review only, by any user; other names directly', async ({
    assert,
  }) => {
    const { zone, root } = scene
    await withReviewSettings({ protected_names: [`www.${zone.name}`] }, async () => {
      const refused = await root.delete(`/zones/${zone.id}/rrsets/www/A`)
      refused.assertStatus(403)
      await createRecord(root, zone, { name: 'beside', type: 'A', content: '192.0.2.9' })
      const id = await createChangeRequest(root, zone, {
        op: 'clear',
        name: `www.${zone.name}`,
        type: 'A',
      })
      const { change_request: request } = await requestDetail(root, id)
      assert.equal(request.risk.level, 'high')
      assert.include(
        request.risk.reasons.map(({ rule }: { rule: string }) => rule),
        'protected'
      )
    })
  })

  test('a zone with a protected name is deleted through review only', async ({ assert }) => {
    const { zone, root, asReviewer } = scene
    await withReviewSettings({ protected_names: [`www.${zone.name}`] }, async () => {
      const refused = await root.delete(`/zones/${zone.id}`)
      refused.assertStatus(403)
      assert.match(refused.body().message, /require approval/)
      const id = await createChangeRequest(root, zone, { op: 'zone_delete' })
      const approved = await decide(asReviewer, id, 'approve')
      assert.equal(approved.status(), 200, approved.text())
    })
  })

  test('a rename from or to a zone with protected names goes through review only', async ({
    assert,
  }) => {
    const { zone, root, asRequester } = scene
    const other = `other-${zone.name}`
    const rename = (name: string) => root.put(`/zones/${zone.id}`, { name })
    if (isApiMode) {
      // A name server behind its API cannot rename zones, with or without review.
      await withReviewSettings({ protected_names: [`www.${zone.name}`] }, async () => {
        const refused = await rename(other)
        refused.assertStatus(400)
      })
      return
    }
    for (const name of [`www.${zone.name}`, `www.${other}`, zone.name, other]) {
      await withReviewSettings({ protected_names: [name] }, async () => {
        const filed = await rename(other)
        assert.equal(filed.status(), 202, `${name}: ${filed.text()}`)
        const { id } = filed.body().data.change_request
        const seen = await requestDetail(root, id)
        assert.deepEqual(seen.stale_actions, [])
        assert.equal(seen.change_request.plan.zones[0].properties.after.name, other)
        const nobody = await decide(asRequester, id, 'approve')
        nobody.assertStatus(403)
        const described = await root.put(`/zones/${zone.id}`, { description: name })
        described.assertStatus(200)
        await root.delete(`/change-requests/${id}`)
      })
    }
    await withReviewSettings({ protected_names: [`www.${zone.name}`] }, async () => {
      const ids = [await rename(other), await rename(`third-${zone.name}`)].map(
        (filed) => filed.body().data.change_request.id
      )
      const approved = await decide(root, ids[0], 'approve')
      assert.equal(approved.status(), 200, approved.text())
      const { name } = await dataOf(root.get(`/zones/${zone.id}`), 'zone')
      assert.equal(name, other)
      // The request was based on the earlier name of the zone.
      const late = await decide(root, ids[1], 'approve')
      late.assertStatus(409)
    })
    await withReviewSettings({ protected_names: ['www.elsewhere.test'] }, async () => {
      const direct = await rename(zone.name)
      direct.assertStatus(200)
    })
  })

  test('one call creates at most 200 requests', async ({ assert }) => {
    const { zone, asRequester, root } = scene
    const actions = Array.from({ length: 201 }, (_, index) => add(`198.51.100.${index}`))
    const refused = await asRequester.post(`/zones/${zone.id}/change-requests`, { actions })
    refused.assertStatus(413)
    assert.match(refused.body().message, /201 .*at most 200/)
    const filed = await dataOf(root.get(`/change-requests?zone_id=${zone.id}`), 'change_requests')
    assert.isEmpty(filed)
  })

  test('a created request is returned even if applying it at once fails', async ({
    client,
    assert,
  }) => {
    const { zone, root, requester } = scene
    const name = `_acme-challenge.k.${zone.name}`
    await createRecord(root, zone, { name: '_acme-challenge.k', type: 'TXT', content: 'x' })
    const filing = caller(client, await keyFor(requester, { operations: ['view', 'create'] }))
    await withReviewSettings(
      { auto_approve: [`_acme-challenge.**.${zone.name} TXT`] },
      async () => {
        const [request] = await createChangeRequests(filing, zone, [
          { op: 'clear', name, type: 'TXT' },
        ])
        assert.equal(request.status, 'pending')
      }
    )
  })

  test('records that need no review are written at once for users with the right to request, and nothing else', async ({
    assert,
  }) => {
    const { zone, asRequester, requester } = scene
    const auto = { auto_approve: [`_acme-challenge.**.${zone.name} TXT`] }
    await withReviewSettings(
      { ...auto, protected_names: [`_acme-challenge.safe.${zone.name}`] },
      async () => {
        const txt = (name: string) =>
          asRequester.post(`/zones/${zone.id}/records`, { name, type: 'TXT', content: 'token' })
        const direct = await txt('_acme-challenge.www')
        direct.assertStatus(201)
        assert.containsSubset(await lastEntryOf(zone.id), { username: requester.username })
        for (const name of ['_acme-challenge.safe', 'other']) {
          const refused = await txt(name)
          refused.assertStatus(403)
        }
        const [request] = await createChangeRequests(asRequester, zone, [
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
      }
    )
  })

  test('a reviewer sees the current effect: changed answers, risk, and results of the rules', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer } = scene
    const [{ id }] = await createChangeRequests(asRequester, zone, [
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
    const { change_request: request } = await requestDetail(asReviewer, id)
    const messages = request.effects.map(({ message }: { message: string }) => message)
    assert.sameMembers(messages, [
      `Mail for ${zone.name} goes to alias.${zone.name}`,
      `www.${zone.name} no longer has an A record`,
      `each name below sub.${zone.name} without records and all names below it are delegated to ns.test`,
      `each name below ${zone.name} without records gets an A record: 192.0.2.99`,
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

  test('comments are returned with the request in order, also for single actions', async ({
    assert,
  }) => {
    const { zone, asRequester, asReviewer, requester } = scene
    const id = await createChangeRequest(asRequester, zone, add())
    const comment = (as: Caller, body: object) => as.post(`/change-requests/${id}/comments`, body)
    await comment(asReviewer, { text: 'why?', action: 0 }).then((it) => it.assertStatus(201))
    await comment(asRequester, { text: 'because' }).then((it) => it.assertStatus(201))
    await comment(asReviewer, { text: 'x', action: 5 }).then((it) => it.assertStatus(400))
    const { change_request: request } = await requestDetail(asRequester, id)
    assert.containsSubset(request.comments, [
      { text: 'why?', action: 0 },
      { text: 'because', action: null, user: { username: requester.username } },
    ])
  })
})
