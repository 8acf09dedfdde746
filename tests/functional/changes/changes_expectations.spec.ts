// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { createRecord, expectStatus } from '#tests/support/app/api'
import { add, changeScene, records, type Scene } from '#tests/support/app/changes'
import { administrator, type Person } from '#tests/support/app/people/people'

let admin: Person
let as: Scene['as']
let alpha: Scene['alpha']
let beta: Scene['beta']
let change: Scene['change']
let rrset: Scene['rrset']
let tagOf: Scene['tagOf']
let bothStates: Scene['bothStates']

async function setUp(client: ApiClient) {
  ;({ as, alpha, beta, change, rrset, tagOf, bothStates } = await changeScene(client, admin))
}

/** An operation of a bulk request. */
const create = (name: string, overrides: object = {}) => {
  return { action: 'create', name, type: 'A', content: '192.0.2.1', ttl: 300, ...overrides }
}

test.group('Change sets: expectations', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  test('absent and present are checked in the transaction of the change', async ({ assert }) => {
    await createRecord(as, alpha, { name: 'there', type: 'A', content: '192.0.2.1' })
    const there = `there.${alpha.name}`
    const none = `none.${alpha.name}`
    const before = await bothStates()
    const other = add(`o.${beta.name}`, '192.0.2.1')
    const current = await rrset(alpha, 'there', 'A')
    const refused = await change([other, add(there, '192.0.2.2', { expect: 'absent' })])
    refused.assertStatus(412)
    assert.deepEqual(refused.body().data, { current })
    assert.equal(refused.header('etag'), await tagOf(alpha, 'there', 'A'))
    for (const op of ['add', 'set', 'remove', 'clear']) {
      const response = await change([other, { ...add(none, '192.0.2.2'), op, expect: 'present' }])
      response.assertStatus(412)
      assert.deepEqual(response.body().data, { current: null })
      assert.isUndefined(response.header('etag'))
    }
    assert.deepEqual(await bothStates(), before)
    await expectStatus(change([add(there, '192.0.2.2', { expect: 'present' })]), 201)
    await expectStatus(change([add(none, '192.0.2.2', { expect: 'absent' })]), 201)
    await expectStatus(change([add(none, '192.0.2.3', { expect: 'any' })]), 201)
  })

  test('if_match is the entity tag of the RRset', async ({ assert }) => {
    await createRecord(as, alpha, { name: 'm', type: 'A', content: '192.0.2.1' })
    const name = `m.${alpha.name}`
    const tag = await tagOf(alpha, 'm', 'A')
    const before = await bothStates()
    for (const [bad, status] of [
      ['"0123456789abcdef0123456789abcdef"', 412],
      [`W/${tag}`, 412],
      [tag.slice(1, -1), 400],
      ['', 400],
      ['"', 400],
      [`${tag} ${tag}`, 400],
      ['"a" b', 400],
    ] as const) {
      const response = await change([add(name, '192.0.2.2', { if_match: bad })])
      response.assertStatus(status)
      if (status === 400) {
        assert.match(response.body().message, /actions\.0\.if_match/)
      } else {
        assert.equal(response.header('etag'), tag)
      }
    }
    await expectStatus(change([add(name, '192.0.2.2', { if_match: tag, expect: 'absent' })]), 400)
    assert.deepEqual(await bothStates(), before)
    const doneResponse = await change([
      add(name, '192.0.2.2', { if_match: `"x", ${tag}`, expect: 'present' }),
    ])
    doneResponse.assertStatus(201)
    await expectStatus(change([add(name, '192.0.2.3', { if_match: tag })]), 412)
  })

  test('a precondition in a header is refused because a change set has no entity tag', async ({
    assert,
  }) => {
    const before = await bothStates()
    for (const [name, value] of [
      ['If-Match', '"x"'],
      ['If-None-Match', '*'],
    ]) {
      const response = await change([add(`w.${alpha.name}`, '192.0.2.1')]).header(name, value)
      response.assertStatus(400)
      assert.include(response.body().message, name)
    }
    assert.deepEqual(await bothStates(), before)
  })
})

test.group('Change sets and bulk requests: errors of all stages', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  const mixed = (): [string, number, unknown[], string[]][] => [
    [
      // The zone is looked up before the values are validated, so its status counts.
      'a TTL of -1, a bad content and a name without a zone',
      404,
      [
        { ...add(`t.${alpha.name}`, '192.0.2.1'), ttl: -1 },
        add(`c.${beta.name}`, 'bad'),
        add('a.nowhere.test', '192.0.2.1'),
      ],
      ['0', '1', '2'],
    ],
    [
      'bad contents in two zones',
      400,
      [add(`c.${alpha.name}`, 'bad'), add(`c.${beta.name}`, 'bad')],
      ['0', '1'],
    ],
    [
      'an unknown op and a bad content',
      400,
      [{ op: 'foo', name: 'x', type: 'A' }, add(`c.${alpha.name}`, 'bad')],
      ['0', '1'],
    ],
    [
      'no records and a broken rule of the other zone',
      400,
      [
        { op: 'set', name: `n.${alpha.name}`, type: 'A', records: [] },
        { ...add(beta.name, 'a.test'), type: 'CNAME' },
      ],
      ['0', '1'],
    ],
    [
      'two bad records of a set, and one of an addition',
      400,
      [
        {
          ...add(`s.${alpha.name}`, '192.0.2.1'),
          op: 'set',
          records: records('bad', '192.0.2.1', 'b'),
        },
        { ...add(`a.${alpha.name}`, 'x'), records: records('192.0.2.1', 'bad', 'worse') },
      ],
      ['0', '0', '1', '1'],
    ],
  ]
  for (const index of [0, 1, 2, 3, 4]) {
    test(`one response has the errors of all stages and zones, case ${index}`, async ({
      assert,
    }) => {
      const [what, status, actions, wrong] = mixed()[index]
      const before = await bothStates()
      const response = await change(actions as object[])
      assert.equal(response.status(), status, what)
      const { errors } = response.body().data as { errors: string[] }
      assert.deepEqual(
        errors.map((text) => /^Action (\d+) /.exec(text)?.[1]),
        wrong,
        what
      )
      assert.deepEqual(await bothStates(), before)
    })
  }

  const badContent = create('c', { content: 'bad' })
  const unknownId = { action: 'delete', id: 999_999_999 }
  const badTtl = create('t', { ttl: -1 })
  const alias = create('fine', { type: 'CNAME', content: 'a.test' })
  const elsewhere = create('www.other.test.')
  for (const [what, status, operations, wrong] of [
    ['an unknown id and a bad content', 404, [badContent, create('fine'), unknownId], [0, 2]],
    ['a TTL of -1 and a bad content', 400, [badTtl, badContent, create('fine')], [0, 1]],
    ['a bad action and an unknown id', 400, [{ action: 'foo' }, unknownId], [0, 1]],
    ['a text as operation and a name of elsewhere', 400, ['x', elsewhere], [0, 1]],
    ['a bad TTL and a broken rule', 400, [create('fine'), alias, badTtl], [1, 2]],
    ['a bad content and a broken rule', 400, [create('fine'), alias, badContent], [1, 2]],
    ['a missing content and an unknown id', 400, [{ action: 'create' }, unknownId], [0, 1]],
    [
      'all stages',
      400,
      [badTtl, { action: 'foo' }, { action: 'update' }, unknownId, elsewhere, badContent, alias],
      [0, 1, 2, 3, 4, 5],
    ],
  ] as [string, number, unknown[], number[]][]) {
    test(`one response has the errors of all stages: ${what}`, async ({ assert }) => {
      const before = await bothStates()
      const response = await as.post(`/zones/${alpha.id}/records/bulk`, { operations })
      response.assertStatus(status)
      const { errors, failed } = response.body().data as { errors: string[]; failed: number }
      assert.deepEqual(
        errors.map((text) => Number(/^Operation (\d+) /.exec(text)?.[1])),
        wrong
      )
      assert.equal(failed, wrong.length)
      assert.deepEqual(await bothStates(), before)
    })
  }

  test('an error of another member is returned alone, and at most 100 errors of all stages are returned', async ({
    assert,
  }) => {
    const comment = await as.post(`/zones/${alpha.id}/records/bulk`, {
      operations: [badTtl],
      comment: 5,
    })
    assert.match(comment.body().message, /Field 'comment'/)
    const half = Array.from({ length: 60 }, () => badTtl)
    const many = await as.post(`/zones/${alpha.id}/records/bulk`, {
      operations: [...half, ...half.map(() => badContent)],
    })
    assert.lengthOf(many.body().data.errors, 100)
  })
})
