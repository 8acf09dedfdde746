// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, createZone, expectStatus } from '#tests/support/app/api'
import { add, records, changeScene, type Scene } from '#tests/support/app/changes'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

let admin: Person
let as: Scene['as']
let alpha: Scene['alpha']
let beta: Scene['beta']
let change: Scene['change']
let bothStates: Scene['bothStates']

async function setUp(client: ApiClient) {
  ;({ as, alpha, beta, change, bothStates } = await changeScene(client, admin))
}

test.group('Change sets: rights', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  test('a hidden zone, a replica or a read-only zone refuses the whole change set', async ({
    client,
    assert,
  }) => {
    const owner = await person({ permissions: ['zone_content_view_own', 'zone_content_edit_own'] })
    const ownZone = await createZone(as, { name: zoneNamed(), owner_user_id: owner.id })
    const replica = await createZone(as, {
      name: zoneNamed(),
      type: 'SLAVE',
      master: '192.0.2.1',
      owner_user_id: owner.id,
    })
    const asMember = caller(client, owner)
    const good = add(`w.${ownZone.name}`, '192.0.2.1')
    const before = await stateOf(ownZone.id)
    for (const [zone, status] of [
      [alpha, 404],
      [replica, 403],
    ] as const) {
      for (const more of [{}, { dry_run: true }]) {
        for (const actions of [
          [good, add(`w.${zone.name}`, '192.0.2.1')],
          [add(`w.${zone.name}`, '192.0.2.1'), good],
        ]) {
          await expectStatus(change(actions, more, asMember), status)
        }
      }
    }
    const viewer = await person({ permissions: ['zone_content_view_others'] })
    await expectStatus(change([good], {}, caller(client, viewer)), 403)
    assert.deepEqual(await stateOf(ownZone.id), before)
  })

  test('a client-level editor changes no NS record, and the whole change set fails', async ({
    client,
    assert,
  }) => {
    const editor = await person({ template: 'Editor' })
    const ownZone = await createZone(as, { name: zoneNamed(), owner_user_id: editor.id })
    const asMember = caller(client, editor)
    const before = await stateOf(ownZone.id)
    for (const type of ['NS', 'ns', 'SOA', 'LUA']) {
      for (const op of ['add', 'set', 'remove', 'clear']) {
        const bad = { op, name: ownZone.name, type, records: records('x.test') }
        const response = await change([add(`w.${ownZone.name}`, '192.0.2.1'), bad], {}, asMember)
        response.assertStatus(403)
        assert.match(response.body().message, /^Action 1 /)
      }
    }
    assert.deepEqual(await stateOf(ownZone.id), before)
  })

  test('a key requires the operations of the resulting changes', async ({ client, assert }) => {
    const name = `k.${alpha.name}`
    const set = (...contents: string[]) => ({
      op: 'set',
      name,
      type: 'A',
      records: records(...contents),
    })
    await change([set('192.0.2.1')])
    const able = async (
      operations: ('view' | 'create' | 'update' | 'delete')[],
      action: object
    ) => {
      const restricted = caller(
        client,
        await keyFor(admin, { operations: ['view', ...operations] })
      )
      const response = await change([action], { dry_run: true }, restricted)
      assert.include([200, 403], response.status())
      return response.status() === 200
    }
    assert.isTrue(await able(['create'], set('192.0.2.1', '192.0.2.2')))
    assert.isFalse(await able(['update', 'delete'], set('192.0.2.1', '192.0.2.2')))
    assert.isTrue(await able(['update'], set('192.0.2.2')))
    assert.isTrue(await able(['create', 'delete'], set('192.0.2.2')))
    assert.isFalse(await able(['create'], set('192.0.2.2')))
    assert.isFalse(await able(['delete'], set('192.0.2.2')))
    assert.isTrue(await able(['delete'], { op: 'clear', name, type: 'A' }))
    assert.isFalse(await able(['create', 'update', 'view'], { op: 'clear', name, type: 'A' }))
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    await expectStatus(change([set('192.0.2.2')], { dry_run: true }, reader), 403)
  })

  test('a key of some zones cannot change others', async ({ client, assert }) => {
    const restricted = caller(client, await keyFor(admin, { zones: [alpha] }))
    const before = await bothStates()
    const both = [add(`w.${alpha.name}`, '192.0.2.1'), add(`w.${beta.name}`, '192.0.2.1')]
    await expectStatus(change(both, {}, restricted), 404)
    for (const id of [beta.id, 999999999]) {
      const named = await change(
        [add(`w.${beta.name}`, '192.0.2.1', { zone_id: id })],
        {},
        restricted
      )
      named.assertStatus(403)
    }
    assert.deepEqual(await bothStates(), before)
    await expectStatus(change([both[0]], {}, restricted), 201)
  })
})
