// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { createRecord, expectStatus } from '#tests/support/app/api'
import { add, records, changeScene, type Scene } from '#tests/support/app/changes'
import { administrator, type Person } from '#tests/support/app/people/people'

let admin: Person
let as: Scene['as']
let alpha: Scene['alpha']
let beta: Scene['beta']
let change: Scene['change']
let plan: Scene['plan']
let bothStates: Scene['bothStates']

async function setUp(client: ApiClient) {
  ;({ as, alpha, beta, change, plan, bothStates } = await changeScene(client, admin))
}

test.group('Change sets: plan hashes', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  const inputs = () => [
    add(`www.${alpha.name}`, '192.0.2.7'),
    { ...add(`set.${alpha.name}`, '192.0.2.1'), op: 'set', ttl: 60 },
    { op: 'clear', name: `gone.${beta.name}`, type: 'A' },
  ]

  test('a plan is applied although other RRsets changed since', async ({ assert }) => {
    await createRecord(as, beta, { name: 'gone', type: 'A', content: '192.0.2.1' })
    const planned = await plan(inputs())
    assert.match(planned.plan_hash, /^sha256:[0-9a-f]{64}$/)
    await createRecord(as, alpha, { name: 'unrelated', type: 'A', content: '192.0.2.1' })
    await createRecord(as, alpha, { name: 'www', type: 'TXT', content: 'beside it' })
    const response = await change(inputs(), { plan_hash: planned.plan_hash })
    response.assertStatus(201)
    const applied = response.body().data.change.zones
    assert.deepEqual(
      applied.map(({ changes }: { changes: object }) => changes),
      planned.zones.map(({ changes }: { changes: object }) => changes)
    )
    assert.equal(applied[0].serial_before, planned.zones[0].serial_before + 2)
    const secondResponse = await change(inputs(), { plan_hash: planned.plan_hash })
    secondResponse.assertStatus(409)
  })

  test('the hash does not depend on the order of actions, records and zones', async ({
    assert,
  }) => {
    const set = (...contents: string[]) => ({
      op: 'set',
      name: `s.${alpha.name}`,
      type: 'A',
      ttl: 60,
      records: records(...contents),
    })
    const other = add(`o.${beta.name}`, '192.0.2.1')
    const one = await plan([set('192.0.2.1', '192.0.2.2'), other])
    const two = await plan([other, set('192.0.2.2', '192.0.2.1')])
    const three = await plan([other, set('192.0.2.2', '192.0.2.3')])
    assert.equal(one.plan_hash, two.plan_hash)
    assert.notEqual(one.plan_hash, three.plan_hash)
  })

  test('a stale plan gets 412 with the changed RRsets and the new plan, and nothing is applied', async ({
    assert,
  }) => {
    await createRecord(as, beta, { name: 'gone', type: 'A', content: '192.0.2.1' })
    const { plan_hash: hash } = await plan(inputs())
    await createRecord(as, alpha, { name: 'www', type: 'A', content: '192.0.2.99', ttl: 60 })
    const before = await bothStates()
    const response = await change(inputs(), { plan_hash: hash })
    response.assertStatus(409)
    const { data } = response.body()
    assert.deepEqual(data.moved, [{ name: `www.${alpha.name}`, type: 'A' }])
    assert.deepEqual(await bothStates(), before)
    const now = await plan(inputs())
    assert.deepEqual(data.plan, now)
    await expectStatus(change(inputs(), { plan_hash: data.plan.plan_hash }), 201)
  })

  test('changes that another user already made are listed', async ({ assert }) => {
    await createRecord(as, beta, { name: 'gone', type: 'A', content: '192.0.2.1' })
    const { plan_hash: hash } = await plan(inputs())
    await expectStatus(as.delete(`/zones/${beta.id}/rrsets/gone/A`), 204)
    const response = await change(inputs(), { plan_hash: hash })
    response.assertStatus(409)
    assert.deepEqual(response.body().data.moved, [{ name: `gone.${beta.name}`, type: 'A' }])
  })

  test('changes that became impossible are listed too', async ({ assert }) => {
    const input = [add(`a.${alpha.name}`, '192.0.2.1'), add(`b.${beta.name}`, '192.0.2.1')]
    const { plan_hash: hash } = await plan(input)
    await createRecord(as, alpha, { name: 'a', type: 'CNAME', content: 'b.example.net' })
    const kept = await bothStates()
    const overtaken = await change(input, { plan_hash: hash })
    overtaken.assertStatus(400)
    await expectStatus(as.delete(`/zones/${alpha.id}/rrsets/a/CNAME`), 204)
    await expectStatus(change(input, { plan_hash: hash }), 201)
    const before = await bothStates()
    const secondResponse = await change(input, { plan_hash: hash })
    secondResponse.assertStatus(409)
    assert.isNull(secondResponse.body().data.plan)
    assert.deepEqual(secondResponse.body().data.moved, [
      { name: `a.${alpha.name}`, type: 'A' },
      { name: `b.${beta.name}`, type: 'A' },
    ])
    assert.match(secondResponse.body().message, /plan is outdated.*exists twice/)
    assert.deepEqual(await bothStates(), before)
    assert.notDeepEqual(before, kept)
  })

  test('actions that were never possible are refused for their own reason', async ({ assert }) => {
    const { plan_hash: hash } = await plan([add(`a.${alpha.name}`, '192.0.2.1')])
    const response = await change([add(`a.${alpha.name}`, 'bad')], { plan_hash: hash })
    response.assertStatus(400)
    assert.match(response.body().message, /"bad" is not an IPv4 address/)
  })

  test('the hash of other actions does not match', async ({ assert }) => {
    const { plan_hash: hash } = await plan([add(`a.${alpha.name}`, '192.0.2.1')])
    const before = await bothStates()
    const response = await change([add(`a.${alpha.name}`, '192.0.2.2')], { plan_hash: hash })
    response.assertStatus(409)
    assert.deepEqual(await bothStates(), before)
  })

  test('an unknown or expired hash gets 409 with all RRsets, unless it matches', async ({
    assert,
  }) => {
    const input = [add(`a.${alpha.name}`, '192.0.2.1')]
    const response = await change(input, { plan_hash: `sha256:${'0'.repeat(64)}` })
    response.assertStatus(409)
    const { plan: now, moved } = response.body().data
    assert.deepEqual(moved, [{ name: `a.${alpha.name}`, type: 'A' }])
    await db.from('zw_plans').where('hash', now.plan_hash).delete()
    await expectStatus(change(input, { plan_hash: now.plan_hash }), 201)
  })

  test('an invalid hash gets 400', async ({ assert }) => {
    const before = await bothStates()
    const input = [add(`a.${alpha.name}`, '192.0.2.1')]
    const { plan_hash: hash } = await plan(input)
    for (const bad of ['', 'x', hash.slice(7), hash.slice(0, -1), hash.toUpperCase(), ` ${hash}`]) {
      const response = await change(input, { plan_hash: bad })
      response.assertStatus(400)
      assert.match(response.body().message, /plan_hash/)
    }
    assert.deepEqual(await bothStates(), before)
  })

  test('an empty plan has a hash, and applying it changes nothing', async ({ assert }) => {
    const input = [{ op: 'clear', name: `none.${alpha.name}`, type: 'A' }]
    const planned = await plan(input)
    assert.deepEqual(planned.zones[0].changes, [])
    const before = await bothStates()
    await expectStatus(change(input, { plan_hash: planned.plan_hash }), 201)
    assert.deepEqual(await bothStates(), before)
  })
})
