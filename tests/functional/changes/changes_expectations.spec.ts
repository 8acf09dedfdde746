// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { createRecord, expectStatus } from '#tests/support/app/api'
import { add, changeScene, type Scene } from '#tests/support/app/changes'
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

test.group('Change sets: expectations', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  test('absent and present are checked at the instant of the change', async ({ assert }) => {
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

  test('if_match is the tag of the RRset', async ({ assert }) => {
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
    const done = await change([
      add(name, '192.0.2.2', { if_match: `"x", ${tag}`, expect: 'present' }),
    ])
    done.assertStatus(201)
    await expectStatus(change([add(name, '192.0.2.3', { if_match: tag })]), 412)
  })

  test('a condition in a header belongs to no object here and is refused', async ({ assert }) => {
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
