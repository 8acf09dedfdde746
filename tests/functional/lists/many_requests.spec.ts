import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { chunks } from '#database/statements/chunks'
import { caller, type Caller } from '#tests/support/app/api'
import { person } from '#tests/support/app/people/people'
import { withReview } from '#tests/support/app/review'

const REQUESTS = 10_030
const STEP = 4_000
/** The id of a zone that never existed. */
const ZONE = 950_000_000

test.group('More change requests than a page may contain', (group) => {
  group.setup(withReview())
  group.each.timeout(180_000)
  let as: Caller
  let ids: number[]

  group.each.setup(async (t) => {
    const user = await person()
    as = caller(t.context.client, user)
    const rows = Array.from({ length: REQUESTS }, (_, index) => ({
      kind: 'records',
      status: index % 10 === 0 ? 'pending' : 'rejected',
      requester_id: user.id,
      requester_name: user.username,
      created_at: '2020-01-02T10:00:00.000Z',
    }))
    for (const part of chunks(rows)) await db.table('zw_change_requests').multiInsert(part)
    const stored: { id: number }[] = await db
      .from('zw_change_requests')
      .where('requester_id', user.id)
      .orderBy('id', 'desc')
      .select('id')
    ids = stored.map(({ id }) => Number(id))
    const zones = ids.map((id) => ({
      request_id: id,
      position: 0,
      zone_id: ZONE,
      zone_uid: 'gone',
      zone_name: 'gone.test',
      terms: '{}',
    }))
    for (const part of chunks(zones)) await db.table('zw_change_request_zones').multiInsert(part)
    return async () => {
      await db.from('zw_change_request_zones').where('zone_id', ZONE).delete()
      await db.from('zw_change_requests').where('requester_id', user.id).delete()
    }
  })

  async function listed(query: string) {
    const response = await as.get(`/change-requests?${query}`)
    response.assertStatus(200)
    const { data, pagination, next_cursor: next } = response.body()
    const requests: { id: number }[] = data.change_requests
    return { ids: requests.map(({ id }) => id), pagination, next }
  }

  test('the list is cut at 10000 rows with pagination, and the next page has the rest', async ({
    assert,
  }) => {
    const whole = await listed('status=all')
    assert.deepEqual(whole.ids, ids.slice(0, 10_000))
    const total = { per_page: 10_000, total: REQUESTS, last_page: 2 }
    assert.deepEqual(whole.pagination, { current_page: 1, ...total })
    const rest = await listed('status=all&per_page=10000&page=2')
    assert.deepEqual(rest.ids, ids.slice(10_000))
    assert.deepEqual(rest.pagination, { current_page: 2, ...total })
    // All pending requests fit on one page, so the response has no pagination.
    const pending = await listed('')
    assert.lengthOf(pending.ids, REQUESTS / 10)
    assert.isUndefined(pending.pagination)
  })

  test('a walk to the end returns each request once', async ({ assert }) => {
    const seenIds: number[] = []
    let cursor: string | null = '*'
    for (; cursor !== null;) {
      const step: Awaited<ReturnType<typeof listed>> = await listed(
        `status=all&per_page=${STEP}&cursor=${cursor}`
      )
      seenIds.push(...step.ids)
      cursor = step.next
    }
    assert.deepEqual(seenIds, ids)
  })
})
