// @databases
import { test } from '@japa/runner'
import {
  caller,
  dataOf,
  expectStatus,
  createRecord,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 60 }

/** Every write of records accepts comments. Responses contain comments on request. */
test.group('HTTP API: comments of records', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }

  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    const name = zoneNamed()
    zone = { ...(await createZone(as, { name })), name }
  })

  const commentOf = async (id: number | string): Promise<string> => {
    const shown = as.get(`/zones/${zone.id}/records/${id}?include=comments`)
    return dataOf(shown, 'record.comment')
  }

  test('a created record has the given comment', async ({ assert }) => {
    const record = await createRecord(as, zone, { ...A, comment: 'Moves in May.' })
    assert.equal((record as { comment?: string }).comment, 'Moves in May.')
    assert.equal(await commentOf(record.id), 'Moves in May.')
  })

  test('an update sets, keeps and deletes the comment', async ({ assert }) => {
    const { id } = await createRecord(as, zone, A)
    assert.equal(await commentOf(id), '')
    const path = `/zones/${zone.id}/records/${id}`
    for (const [patch, comment] of [
      [{ comment: 'first' }, 'first'],
      [{ content: '192.0.2.2' }, 'first'],
      [{ ttl: 120, comment: 'second' }, 'second'],
      [{ comment: '' }, ''],
    ] as const) {
      await expectStatus(as.put(path, patch), 200)
      assert.equal(await commentOf(id), comment, JSON.stringify(patch))
    }
  })

  test('writes of RRsets and bulk operations accept comments', async ({ assert }) => {
    const records = [{ content: '192.0.2.7', comment: 'left' }, { content: '192.0.2.8' }]
    const set = await as.put(`/zones/${zone.id}/rrsets`, { ...A, content: undefined, records })
    set.assertStatus(200)
    const operation = { action: 'create', ...A, name: 'mail', comment: 'bulk' }
    const bulk = await as.post(`/zones/${zone.id}/records/bulk`, { operations: [operation] })
    bulk.assertStatus(200)

    const list = await dataOf(
      as.get(`/zones/${zone.id}/records?type=A&include=comments`),
      'records'
    )
    const commentsByName = Object.fromEntries(
      list.map((one: { content: string; comment: string }) => [one.content, one.comment])
    )
    assert.deepEqual(commentsByName, { '192.0.2.1': 'bulk', '192.0.2.7': 'left', '192.0.2.8': '' })
    const paged = await dataOf(
      as.get(`/zones/${zone.id}/records?type=A&per_page=2&include=comments`),
      'records'
    )
    assert.lengthOf(
      paged.filter(({ comment }: { comment?: string }) => comment !== undefined),
      2
    )
    const rrset = await dataOf(
      as.get(`/zones/${zone.id}/rrsets/www/A?include=comments`),
      'rrset.records'
    )
    assert.sameMembers(
      rrset.map(({ comment }: { comment: string }) => comment),
      ['left', '']
    )
    const rrsets = await dataOf(
      as.get(`/zones/${zone.id}/rrsets?type=A&include=comments`),
      'rrsets'
    )
    const comments = rrsets.flatMap((one: { records: { comment: string }[] }) =>
      one.records.map(({ comment }) => comment)
    )
    assert.sameMembers(comments, ['bulk', 'left', ''])
  })

  test('responses contain comments only on request, and other values are refused', async ({
    assert,
  }) => {
    const { id } = await createRecord(as, zone, { ...A, comment: 'x' })
    const plain = await dataOf(as.get(`/zones/${zone.id}/records/${id}`), 'record')
    assert.notProperty(plain, 'comment')
    const invalidResponse = await as.get(`/zones/${zone.id}/records?include=notes`)
    invalidResponse.assertStatus(400)
    assert.equal(
      invalidResponse.body().message,
      'Query parameter \'include\' must be comments, found "notes"'
    )
  })

  test('a conditional read only applies to responses without comments', async ({ assert }) => {
    const { id } = await createRecord(as, zone, { ...A, comment: 'x' })
    const path = `/zones/${zone.id}/records/${id}`
    const plain = await as.get(path)
    const tag = plain.header('etag')!
    await expectStatus(as.get(path).header('if-none-match', tag), 304)
    const response = as.get(`${path}?include=comments`).header('if-none-match', tag)
    await expectStatus(response, 200)
    assert.isNotEmpty(tag)
  })

  test('a comment above the maximum length is refused and nothing is written', async ({
    assert,
  }) => {
    const refused = await as.post(`/zones/${zone.id}/records`, {
      ...A,
      comment: 'x'.repeat(100_000),
    })
    refused.assertStatus(400)
    assert.include(refused.body().message, "'comment'")
  })
})
