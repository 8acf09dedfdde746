import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import env from '#support/env'
import { dataOf } from '#tests/support/app/api'
import {
  decide,
  createChangeRequests,
  createChangeRequest,
  requestDetail,
  reviewScene,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { statementsOf } from '#tests/support/app/database/statements'

const ACTIONS = 10_000
/** Other databases than SQLite only test many names. Many records at one name take the same statements. */
const CROWDS = [
  ['as many names', ACTIONS],
  ['one name', 1],
].slice(0, env.get('DB_CONNECTION') === 'sqlite' ? 2 : 1) as [string, number][]
/** Names and rows are sent to the database in batches of some hundreds. */
const MAX_STATEMENTS = 400

let scene: Reviewed

async function setUp(client: ApiClient) {
  scene = await reviewScene(client)
}

test.group('Change requests with very many actions', (group) => {
  group.setup(withReview())
  group.each.setup((t) => setUp(t.context.client))

  for (const [what, names] of CROWDS) {
    test(`${ACTIONS} actions on ${what} take a few hundred statements to create, return, list, rebase and approve`, async ({
      assert,
    }) => {
      const { zone, asRequester, asReviewer, root } = scene
      const content = (net: number, i: number) => `${net}.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
      const step = async (name: string, work: () => Promise<unknown>) => {
        const statements = await statementsOf(work)
        // Each changed row is one UPDATE statement.
        const rows = statements.filter((sql) => /^update .?records\b/i.test(sql)).length
        assert.isBelow(statements.length - rows, MAX_STATEMENTS, name)
      }
      const goThrough = async (actions: object[]) => {
        let id = 0
        await step('filing', async () => {
          id = await createChangeRequest(asRequester, zone, ...actions)
        })
        await step('looking', () => requestDetail(asReviewer, id))
        await step('listing', () => dataOf(root.get(`/change-requests?zone_id=${zone.id}`)))
        await step('rebasing', () => dataOf(decide(asRequester, id, 'rebase')))
        await step('approving', () => dataOf(decide(asReviewer, id, 'approve')))
      }
      await goThrough(
        Array.from({ length: ACTIONS }, (_, i) => ({
          op: 'add',
          name: `n${i % names}.${zone.name}`,
          type: 'A',
          records: [{ content: content(10, i) }],
        }))
      )
      const list = () => dataOf(root.get(`/zones/${zone.id}/records?type=A`), 'records')
      const records: { id: number; content: string }[] = await list()
      const added = records.filter((record) => record.content.startsWith('10.'))
      assert.lengthOf(added, ACTIONS)
      await goThrough(
        added.map((record) => ({
          op: 'edit',
          record_id: record.id,
          record: { content: record.content.replace('10.', '11.') },
        }))
      )
      const edited: { content: string }[] = await list()
      assert.lengthOf(
        edited.filter((record) => record.content.startsWith('11.')),
        ACTIONS
      )
    }).timeout(300_000)
  }

  test('a list of many requests is streamed, each once and newest first', async ({ assert }) => {
    const { zone, asRequester, root } = scene
    const ids: number[] = []
    for (let call = 0; call < 3; call++) {
      const actions = Array.from({ length: 150 }, (_, i) => ({
        op: 'add',
        record: { name: `l${call}`, type: 'A', content: `192.0.2.${i}` },
      }))
      const requests = await createChangeRequests(asRequester, zone, actions)
      ids.push(...requests.map(({ id }) => id))
    }
    const found = async (query: string) => {
      const list = await dataOf(
        root.get(`/change-requests?zone_id=${zone.id}${query}`),
        'change_requests'
      )
      return list.map(({ id }: { id: number }) => id)
    }
    const newestFirst = ids.toSorted((one, other) => other - one)
    assert.deepEqual(await found(''), newestFirst)
    assert.deepEqual(await found('&page=1&per_page=430'), newestFirst.slice(0, 430))
    assert.deepEqual(await found('&status=rejected'), [])
  })
})
