// @api-backend(all)
import type { ApiResponse } from '@japa/api-client'
import { test } from '@japa/runner'
import { dataOf } from '#tests/support/app/api'
import { newest, restore, undo } from '#tests/support/app/zones/history'
import {
  decide,
  createChangeRequest,
  requestDetail,
  reviewScene,
  withReviewSettings,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'

let scene: Reviewed

/** Returns the comments of the zone's addresses by content. */
async function commentsByContent(): Promise<Record<string, string>> {
  const text: string = await dataOf(scene.root.get(`/zones/${scene.zone.id}/export`), 'zone_file')
  const lines = [...text.matchAll(/\sA\s+(\S+)(?: ; (.*))?$/gm)]
  return Object.fromEntries(lines.map(([, content, comment = '']) => [content, comment]))
}

/** Sets the comment of an address of www. */
async function setComment(content: string, comment: string): Promise<void> {
  const { root, zone } = scene
  const records = ['192.0.2.1', '192.0.2.2'].map((one) =>
    one === content ? { content, comment } : { content: one }
  )
  const actions = [{ op: 'set', name: `www.${zone.name}`, type: 'A', ttl: 300, records }]
  const response = await root.post('/changes', { actions })
  response.assertStatus(201)
}

/** Returns the id of the request that a call creates. */
async function filedBy(call: Promise<ApiResponse>): Promise<number> {
  const response = await call
  if (response.status() !== 202) throw new Error(response.text())
  return response.body().data.change_request.id
}

/** A way to request the comment 'wished' for 192.0.2.1. */
type CommentCase = [
  what: string,
  /** Index of the action with the comment. `ofAll`: the action also says that 192.0.2.2 has no comment. */
  how: { place: number; ofAll: boolean },
  file: () => Promise<number>,
]

const ALONE = { place: 0, ofAll: false }

const WISHES: CommentCase[] = [
  [
    'an edit',
    ALONE,
    () => {
      const { asRequester, zone, www } = scene
      const record = { comment: 'wished' }
      return createChangeRequest(asRequester, zone, { op: 'edit', record_id: www[0], record })
    },
  ],
  [
    'an RRset',
    ALONE,
    () => {
      const { asRequester, zone } = scene
      const records = [{ content: '192.0.2.1', comment: 'wished' }, { content: '192.0.2.2' }]
      const action = { op: 'set', name: `www.${zone.name}`, type: 'A', ttl: 300, records }
      return filedBy(asRequester.post('/changes', { actions: [action] }))
    },
  ],
  [
    'an undo',
    ALONE,
    async () => {
      const entry = await entryOfFirst()
      return reviewed(() => filedBy(undo(scene.root, scene.zone, entry)))
    },
  ],
  [
    'a restore',
    ALONE,
    async () => {
      const part = { entry: (await entryOfFirst()) - 1, name: 'www', type: 'A' }
      return reviewed(() => filedBy(restore(scene.root, scene.zone, part)))
    },
  ],
  // The exported file starts with the SOA record.
  ...(
    [
      ['merge', 1],
      ['replace', 0],
    ] as const
  ).map(([mode, place]): CommentCase => [
    `an import (${mode})`,
    { ofAll: true, place },
    async () => {
      const { asRequester, root, zone } = scene
      const text: string = await dataOf(root.get(`/zones/${zone.id}/export`), 'zone_file')
      const body = { zone_file: text.replace('; first', '; wished'), mode }
      return filedBy(asRequester.post(`/zones/${zone.id}/import`, body))
    },
  ]),
]

function reviewed(work: () => Promise<number>): Promise<number> {
  return withReviewSettings({ require_review_for_all: true }, work)
}

/** Sets the comment 'wished' of 192.0.2.1, then 'first'. Returns the entry of the second change. */
async function entryOfFirst(): Promise<number> {
  await setComment('192.0.2.1', 'wished')
  await setComment('192.0.2.1', 'first')
  return newest(scene.zone)
}

test.group('Requested comments', (group) => {
  group.setup(withReview())
  group.each.setup(async (t) => {
    scene = await reviewScene(t.context.client)
    await setComment('192.0.2.1', 'first')
  })

  for (const [what, { place: position, ofAll }, input] of WISHES) {
    test(`${what} does not overwrite a newer comment of another user until it is rebased`, async ({
      assert,
    }) => {
      const { root, asReviewer } = scene
      const id = await input()
      const seen = await requestDetail(root, id)
      assert.deepEqual(seen.stale_actions, [])
      assert.isNull(seen.change_request.problem)
      await setComment('192.0.2.2', 'of another')
      const request = await requestDetail(root, id)
      assert.deepEqual(request.stale_actions, ofAll ? [position] : [])
      await setComment('192.0.2.2', '')
      const back = await requestDetail(root, id)
      assert.deepEqual(back.stale_actions, [])
      await setComment('192.0.2.1', 'meanwhile')
      const stale = await requestDetail(root, id)
      assert.deepEqual(stale.stale_actions, [position])
      const refused = await decide(asReviewer, id, 'approve')
      assert.equal(refused.status(), 409, refused.text())
      assert.deepEqual(refused.body().data.stale_actions, [position])
      assert.deepEqual(await commentsByContent(), { '192.0.2.1': 'meanwhile', '192.0.2.2': '' })

      const rebased = await decide(asReviewer, id, 'rebase')
      assert.equal(rebased.status(), 200, rebased.text())
      assert.deepEqual(rebased.body().data.stale_actions, [])
      const approved = await decide(asReviewer, id, 'approve')
      assert.equal(approved.status(), 200, approved.text())
      assert.deepEqual(await commentsByContent(), { '192.0.2.1': 'wished', '192.0.2.2': '' })
    })
  }

  test('a record that was added with another comment and deleted since can still be added', async ({
    assert,
  }) => {
    const { root, asRequester, asReviewer, zone } = scene
    const record = { name: 'new', type: 'A', content: '192.0.2.40', ttl: 300 }
    const add = { op: 'add', record: { ...record, comment: 'wished' } }
    const id = await createChangeRequest(asRequester, zone, add)
    const about = { name: `new.${zone.name}`, type: 'A' }
    const records = [{ content: record.content, comment: 'meanwhile' }]
    for (const action of [
      { op: 'add', ...about, ttl: 300, records },
      { op: 'clear', ...about },
    ]) {
      const response = await root.post('/changes', { actions: [action] })
      response.assertStatus(201)
    }
    const stale = await requestDetail(root, id)
    assert.deepEqual(stale.stale_actions, [0])
    const rebased = await decide(asRequester, id, 'rebase')
    assert.isNotTrue(rebased.body().data.change_request.actions[0].done)
    const approved = await decide(asReviewer, id, 'approve')
    assert.equal(approved.status(), 200, approved.text())
    assert.containsSubset(await commentsByContent(), { '192.0.2.40': 'wished' })
  })
})
