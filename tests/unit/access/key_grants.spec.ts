import { test } from '@japa/runner'
import fc from 'fast-check'
import type { Actor, KeyOperation, KeyScope } from '#access/actor'
import type { Permission } from '#access/permissions'
import { authorize } from '#access/authorize'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

const OPERATIONS: KeyOperation[] = ['view', 'create', 'update', 'delete']
const NETWORKS = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.0/24',
  '192.0.2.0/24',
  '2001:db8::/32',
  '::/0',
]
const ADDRESSES = ['10.1.2.3', '10.1.9.9', '10.200.0.1', '192.0.2.9', '2001:db8::1', '2001:dead::1']
const MOMENTS = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z', '2032-01-01T00:00:00.000Z']

const orNull = <T>(items: fc.Arbitrary<T>) => fc.option(items, { nil: null })
const scope: fc.Arbitrary<KeyScope> = fc.record({
  readOnly: fc.boolean(),
  operations: orNull(fc.subarray(OPERATIONS, { minLength: 1 }).map((items) => new Set(items))),
  zones: orNull(
    fc.subarray([1, 2, 3]).map((ids) => new Map(ids.map((id) => [id, `zone${id}.test`])))
  ),
  patterns: orNull(
    fc
      .subarray(['*', '*.zone1.test', 'a.zone2.test'], { minLength: 1 })
      .map((names) => names.map((name) => ({ name, types: null })))
  ),
  networks: orNull(fc.subarray(NETWORKS, { minLength: 1 })),
  expiresAt: orNull(fc.constantFrom(...MOMENTS)),
  idleDays: orNull(fc.integer({ min: 1, max: 5 })),
})

/** An administrator with a key of this scope, so that nothing but the key stands in the way. */
function holder(keyScope: KeyScope): Actor {
  return {
    userId: 1,
    username: 'admin',
    permissions: new Set(['user_is_ueberuser']),
    template: 'Administrator',
    groups: [],
    key: { id: 7, ...keyScope },
    address: null,
    channel: 'api',
  }
}

const nobody = { users: new Set<number>(), groups: new Set<number>() }

/** Everything that such a key lets an administrator do, one word for each. */
function reachOf(keyScope: KeyScope): Set<string> {
  const actor = holder(keyScope)
  const reach = new Set<string>()
  const note = (word: string, allowed: boolean) => allowed && reach.add(word)
  for (const operation of OPERATIONS) {
    note(operation, authorize(actor, { action: 'key.operate', operations: [operation] }).allowed)
  }
  for (const id of [1, 2, 3, 4]) {
    const zone = { id, name: `zone${id}.test`, kind: 'NATIVE', ownership: nobody }
    note(`delete ${id}`, authorize(actor, { action: 'zone.delete', zone }).allowed)
    note(`view ${id}`, authorize(actor, { action: 'zone.view', zone }).allowed)
    for (const name of [`zone${id}.test`, `a.zone${id}.test`]) {
      const write = authorize(actor, { action: 'rrset.write', zone, name, type: 'A' })
      note(`write ${name}`, write.allowed)
    }
  }
  note('zones', authorize(actor, { action: 'key.create_zones' }).allowed)
  note('users', authorize(actor, { action: 'user.create' }).allowed)
  for (const address of ADDRESSES) {
    const { networks } = keyScope
    note(address, networks === null || isInNetworks(address, parseNetworks(networks)))
  }
  for (const moment of MOMENTS) {
    note(moment, keyScope.expiresAt === null || moment < keyScope.expiresAt)
  }
  for (const days of [1, 2, 3, 4, 5, 6]) {
    note(`idle ${days}`, keyScope.idleDays === null || days < keyScope.idleDays)
  }
  return reach
}

test.group('Keys that are made through keys', () => {
  test('law: none lets anything be done that the key which made it does not', ({ assert }) => {
    let granted = 0
    const law = fc.property(scope, scope, (bound, wanted) => {
      if (!authorize(holder(bound), { action: 'api_key.grant', scope: wanted }).allowed) return
      granted++
      const reach = reachOf(bound)
      for (const word of reachOf(wanted)) {
        assert.isTrue(reach.has(word), `${word} is beyond the key that made it`)
      }
    })
    fc.assert(law, { numRuns: LAW_RUNS.numRuns * 5 })
    assert.isAbove(granted, 0)
  })

  test('law: a key for records is refused all that is no record or reading of a zone', ({
    assert,
  }) => {
    const law = fc.property(scope, (keyScope) => {
      fc.pre(keyScope.patterns !== null)
      const actor = holder(keyScope)
      const refused = [
        { action: 'key.create_zones' },
        { action: 'zone.create', kind: 'MASTER' },
        { action: 'zone.create_for_others' },
        { action: 'trash.discard' },
        { action: 'user.create' },
        { action: 'user.list' },
        { action: 'user.set_groups' },
        { action: 'group.manage' },
        { action: 'permission.view' },
        { action: 'template.create', grants: new Set<Permission>() },
        { action: 'api_key.create', userId: 1 },
        { action: 'api_key.edit', key: { id: 7, userId: 1, scope: keyScope } },
        { action: 'api_key.grant', scope: keyScope },
      ] as const
      for (const request of refused) {
        assert.isFalse(authorize(actor, request).allowed, request.action)
      }
      const itself = { id: 7, userId: 1, scope: keyScope }
      assert.isTrue(authorize(actor, { action: 'api_key.delete', key: itself }).allowed)
      assert.isTrue(authorize(actor, { action: 'api_key.view', key: itself }).allowed)
      const other = { ...itself, id: 8 }
      assert.isTrue(authorize(actor, { action: 'api_key.view', key: other }).hidden)
    })
    fc.assert(law, LAW_RUNS)
  })
})
