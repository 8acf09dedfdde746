import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { submitDecision, contentsOfName } from '#tests/support/app/review'
import { sweepRequests } from '#review/sweep'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { person } from '#tests/support/app/people/people'
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
import { statusOfPage, signedIn, type Page, type WebClient } from '#tests/support/web/client'
import { wordsOf } from '#tests/support/web/review'

let scene: Reviewed
let requester: WebClient
let reviewer: WebClient

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
  requester = await signedIn(scene.requester)
  reviewer = await signedIn(scene.reviewer)
}

const add = (content = '192.0.2.77') => ({
  op: 'add',
  record: { name: 'api', type: 'A', content, ttl: 300 },
})
const edit = (content: string) => ({ op: 'edit', record_id: scene.www[0], record: { content } })

/** Returns the hidden fields of a decision form, which identify the displayed state. */
const shownOn = (page: Page) => ({
  plan_hash: page.hidden('plan_hash'),
  tag: page.hidden('tag'),
})

const statusOf = async (id: number): Promise<string> => {
  const { change_request: request } = await requestDetail(scene.root, id)
  return request.status
}

test.group('Change requests in the web interface', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  test('the list has requests to review and own requests, with counts in the navigation', async ({
    assert,
  }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, add())
    const inbox = await reviewer.get('/requests')
    assert.equal(inbox.status, 200)
    assert.include(inbox.html, `href="/requests/${id}"`)
    assert.include(wordsOf(inbox), '1 change request to review')
    const overview = await reviewer.get('/')
    assert.include(overview.html, `href="/requests/${id}"`)
    const ownPage = await requester.get('/requests?view=own')
    assert.include(ownPage.html, `href="/requests/${id}"`)
    assert.notInclude(wordsOf(ownPage), 'change request to review')
    const others = await reviewer.get('/requests?view=own')
    assert.notInclude(others.html, `href="/requests/${id}"`)
    const emptyPage = await reviewer.get('/requests?view=all&status=rejected')
    assert.notInclude(emptyPage.html, `href="/requests/${id}"`)
    assert.equal(await statusOfPage(reviewer.get('/requests?view=all&status=odd')), 400)
  })

  test('effects and risks of a request are in the language of the page', async ({ assert }) => {
    const name = `www.${scene.zone.name}`
    const [{ id }] = await createChangeRequests(scene.asRequester, scene.zone, [
      { op: 'clear', name, type: 'A' },
    ])
    const german = wordsOf(await reviewer.get(`/requests/${id}`, { 'accept-language': 'de' }))
    assert.include(german, `${name} hat keine A-Einträge mehr`)
    assert.include(german, `${name} A: wird nicht mehr aufgelöst`)
    assert.notInclude(german, 'no longer')
    const arabic = await reviewer.get(`/requests/${id}`, { 'accept-language': 'ar' })
    assert.include(wordsOf(arabic), `لم تعد لدى ⁨${name}⁩ سجلات ⁨A⁩`)
    assert.notInclude(arabic.html, '<ul class="sentences" lang="en"')
  })

  test('the overview shows stale requests separately, before pending ones', async ({ assert }) => {
    const stale = await createChangeRequest(scene.asRequester, scene.zone, edit('192.0.2.9'))
    const ready = await createChangeRequest(scene.asRequester, scene.zone, add())
    const outsider = await signedIn(await owner(scene.zone, ['zone_content_view_own']))
    const changed = { name: 'www', type: 'A', content: '192.0.2.3', ttl: 300 }
    const putResponse = await scene.root.put(
      `/zones/${scene.zone.id}/records/${scene.www[0]}`,
      changed
    )
    putResponse.assertStatus(200)
    const swept = []
    for await (const { id, outcome } of sweepRequests(await backendUnderTest())) {
      if (id === stale || id === ready) swept.push([id, outcome])
    }
    assert.deepEqual(swept, [[stale, 'stale']])
    for (const somebody of [requester, reviewer]) {
      const overview = await somebody.get('/')
      const words = wordsOf(overview)
      const first = words.indexOf('1 outdated change request')
      const second = words.indexOf('1 change request to review')
      assert.isAbove(first, 0)
      assert.isAbove(second, first)
      const [, before, behind] = overview.html.split(
        /outdated change request|change request to review/
      )
      assert.include(before, `href="/requests/${stale}"`)
      assert.notInclude(before, `href="/requests/${ready}"`)
      assert.include(behind, `href="/requests/${ready}"`)
      assert.notInclude(behind, `href="/requests/${stale}"`)
    }
    assert.notInclude(wordsOf(await outsider.get('/')), 'change request')
  })

  test('a request with named approvers is pending for these only', async ({ assert }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, add())
    await withReviewSettings({ zone_approvers: [`${scene.zone.name} somebody`] }, async () => {
      const inbox = await reviewer.get('/requests')
      assert.notInclude(inbox.html, `href="/requests/${id}"`)
      assert.notInclude(wordsOf(inbox), 'change request to review')
      const overview = await reviewer.get('/')
      assert.notInclude(overview.html, `href="/requests/${id}"`)
      assert.notInclude(wordsOf(overview), 'change request to review')
      const ownPage = await requester.get('/')
      assert.include(ownPage.html, `href="/requests/${id}"`)
      const page = await reviewer.get(`/requests/${id}`)
      assert.notInclude(page.html, `/requests/${id}/approve"`)
    })
  })

  test('an approval only applies the displayed plan', async ({ assert }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, edit('192.0.2.9'))
    const page = await reviewer.get(`/requests/${id}`)
    assert.equal(page.status, 200)
    assert.include(wordsOf(page), '192.0.2.9')
    const shown = shownOn(page)
    // The RRset and its plan have changed. The baseline of the request is still valid.
    const putResponse = await scene.root.put(`/zones/${scene.zone.id}/records/${scene.www[1]}`, {
      name: 'www',
      type: 'A',
      content: '192.0.2.3',
      ttl: 300,
    })
    putResponse.assertStatus(200)
    const moved = await submitDecision(reviewer, id, 'approve', shown)
    assert.equal(moved.status, 409)
    assert.include(wordsOf(moved), 'The request or its zones were changed in the meantime')
    assert.include(wordsOf(moved), '192.0.2.3')
    assert.equal(await statusOf(id), 'pending')
    const emptyPage = await submitDecision(reviewer, id, 'approve', { comment: 'kept words' })
    assert.equal(emptyPage.status, 422)
    assert.include(emptyPage.html, 'kept words')
    const again = shownOn(moved)
    const resultPage = await submitDecision(reviewer, id, 'approve', { ...again, comment: 'fine' })
    assert.equal(resultPage.status, 303)
    assert.equal(await statusOf(id), 'approved')
    assert.sameMembers(await contentsOfName(scene, 'www'), ['192.0.2.9', '192.0.2.3'])
    const repeatedPage = await submitDecision(reviewer, id, 'approve', again)
    assert.equal(repeatedPage.status, 409)
    assert.include(wordsOf(repeatedPage), 'You have already reviewed this request')
  })

  test('a request of a deleted user cannot be approved, and does not fail', async ({ assert }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, add())
    const admin = await signedIn(scene.admin)
    const before = await reviewer.get(`/requests/${id}`)
    const deletion = await admin.get(`/users/${scene.requester.id}/delete`)
    assert.include(wordsOf(deletion), 'One change request of this user is still open')
    assert.include(deletion.html, `href="/requests/${id}"`)
    await db.from('zw_users').where('id', scene.requester.id).update({ active: false })
    const page = await reviewer.get(`/requests/${id}`)
    assert.include(wordsOf(page), 'is deactivated or deleted')
    assert.notInclude(page.html, `/requests/${id}/approve"`)
    assert.notInclude(page.html, `/requests/${id}/rebase"`)
    const refused = await submitDecision(reviewer, id, 'approve', shownOn(before))
    assert.equal(refused.status, 409)
    const called = await scene.asReviewer.post(`/change-requests/${id}/approve`, {})
    assert.equal(called.status(), 409)
    assert.include(called.body().message, 'is deactivated or deleted')
    assert.equal(await statusOf(id), 'pending')
    const shown = { ...shownOn(page), comment: 'gone' }
    assert.equal(await statusOfPage(submitDecision(reviewer, id, 'reject', shown)), 303)
  })

  test('a stale request shows what changed, cannot be approved, and can be rebased', async ({
    assert,
  }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, edit('192.0.2.9'))
    await scene.root.put(`/zones/${scene.zone.id}/records/${scene.www[0]}`, {
      name: 'www',
      type: 'A',
      content: '192.0.2.4',
      ttl: 300,
    })
    const page = await reviewer.get(`/requests/${id}`)
    assert.include(wordsOf(page), '1 change is outdated')
    assert.match(wordsOf(page), /Current records: .*192\.0\.2\.4/)
    assert.notInclude(page.html, `action="/requests/${id}/approve"`)
    const rebased = await submitDecision(reviewer, id, 'rebase')
    assert.equal(rebased.status, 303)
    const freshPage = await reviewer.get(`/requests/${id}`)
    assert.notInclude(wordsOf(freshPage), 'is outdated')
    const oldPage = await submitDecision(reviewer, id, 'reject', {
      comment: 'no',
      ...shownOn(page),
    })
    assert.equal(oldPage.status, 409)
    const unseen = await submitDecision(reviewer, id, 'reject', { comment: 'no' })
    assert.equal(unseen.status, 409)
    assert.equal(await statusOf(id), 'pending')
    const terms = shownOn(freshPage)
    assert.equal(await statusOfPage(submitDecision(reviewer, id, 'approve', terms)), 303)
    assert.include(await contentsOfName(scene, 'www'), '192.0.2.9')
  })

  test('a rejection requires a comment, which the author sees, and only the author withdraws a request', async ({
    assert,
  }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, add())
    assert.equal(await statusOfPage(submitDecision(reviewer, id, 'reject', { comment: ' ' })), 422)
    assert.equal(
      await statusOfPage(submitDecision(requester, id, 'reject', { comment: 'no' })),
      403
    )
    assert.equal(await statusOfPage(submitDecision(reviewer, id, 'cancel')), 403)
    assert.equal(await statusOf(id), 'pending')
    const words = '<b>not</b> like this'
    const seen = shownOn(await reviewer.get(`/requests/${id}`))
    assert.equal(
      await statusOfPage(submitDecision(reviewer, id, 'reject', { comment: words, ...seen })),
      303
    )
    const page = await requester.get(`/requests/${id}`)
    assert.include(page.html, '&lt;b&gt;not&lt;/b&gt; like this')
    assert.notInclude(page.html, words)
    const other = await createChangeRequest(scene.asRequester, scene.zone, add('192.0.2.78'))
    assert.equal(await statusOfPage(submitDecision(requester, other, 'cancel')), 303)
    const takenPage = await requester.get(`/requests/${other}`)
    assert.match(wordsOf(takenPage), new RegExp(`Withdrawn ${scene.requester.username} ·`))
    const secondPage = await submitDecision(requester, other, 'cancel')
    assert.equal(secondPage.status, 409)
    assert.include(wordsOf(secondPage), 'This request was already withdrawn')
    assert.equal(await statusOf(other), 'cancelled')
  })

  test('a rejection of a request that was approved since requires the current page', async ({
    assert,
  }) => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await withReviewSettings({ allow_scheduling: true }, async () => {
      const [{ id }] = await createChangeRequests(scene.asRequester, scene.zone, [add()], {
        apply_at: at,
      })
      const shown = shownOn(await reviewer.get(`/requests/${id}`))
      await decide(scene.root, id, 'approve')
      const lateSubmission = await submitDecision(reviewer, id, 'reject', {
        comment: 'no',
        ...shown,
      })
      assert.equal(lateSubmission.status, 409)
      assert.equal(await statusOf(id), 'approved')
      const stopped = { comment: 'no', ...shownOn(lateSubmission) }
      assert.equal(await statusOfPage(submitDecision(reviewer, id, 'reject', stopped)), 303)
      assert.equal(await statusOf(id), 'rejected')
    })
  })

  test('comments are stored and escaped, and an empty comment is refused', async ({ assert }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, add())
    assert.equal(await statusOfPage(submitDecision(requester, id, 'comments', { text: ' ' })), 422)
    const text = '"><script>alert(1)</script>'
    assert.equal(await statusOfPage(submitDecision(requester, id, 'comments', { text })), 303)
    const page = await reviewer.get(`/requests/${id}`)
    assert.notInclude(page.html, '<script>alert')
    assert.include(page.html, '&lt;script&gt;alert(1)')
    const odd = await submitDecision(requester, id, 'comments', { text: 'x', action: '7' })
    assert.equal(odd.status, 422)
  })

  test('users without a right on the zone get 404; users who cannot view it see no contents', async ({
    assert,
  }) => {
    const id = await createChangeRequest(scene.asRequester, scene.zone, edit('192.0.2.9'))
    const stranger = await signedIn(await person({ permissions: ['zone_content_view_own'] }))
    assert.equal(await statusOfPage(stranger.get(`/requests/${id}`)), 404)
    assert.equal(await statusOfPage(submitDecision(stranger, id, 'approve')), 404)
    const blind = await signedIn(
      await owner(scene.zone, ['zone_change_approve_own', 'zone_content_edit_own'])
    )
    const page = await blind.get(`/requests/${id}`)
    if (page.status === 200) assert.notInclude(wordsOf(page), '192.0.2.1')
  })

  test('an own request cannot be approved if the policy forbids it', async ({ assert }) => {
    const id = await createChangeRequest(scene.asReviewer, scene.zone, add())
    await withReviewSettings({ separation_of_duties: true }, async () => {
      const page = await reviewer.get(`/requests/${id}`)
      assert.include(wordsOf(page), 'You cannot approve your own request')
      const tried = await submitDecision(reviewer, id, 'approve', shownOn(page))
      assert.equal(tried.status, 403)
    })
  })
})

test.group('Without review', () => {
  test('there is no list of requests and no link to it', async ({ assert, client }) => {
    const { reviewer: someUser } = await reviewScene(client)
    const visitor = await signedIn(someUser)
    assert.equal(await statusOfPage(visitor.get('/requests')), 404)
    const home = await visitor.get('/')
    assert.notInclude(home.html, 'href="/requests"')
  })
})
