import { test } from '@japa/runner'
import fc from 'fast-check'
import type { Actor, KeyOperation, KeyScope } from '#access/actor'
import { explain } from '#access/explain'
import type { Permission } from '#access/permissions'
import { authorize, type AccessRequest } from '#access/authorize'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import { METADATA_KINDS } from '#dns/metadata/kinds'
import { outsideAccess } from '#dns/metadata/metadata'
import { METADATA_WIDENING } from '#tests/support/access/key_widening'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { permissionTemplateValidator } from '#validators/accounts/permission_template'
import {
  assignTemplateValidator,
  createUserValidator,
  deleteUserValidator,
  updateUserValidator,
} from '#validators/accounts/user'
import { refuseUnknownMembers } from '#validators/known_members'
import { createWebhookValidator, updateWebhookValidator } from '#validators/webhook'

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

/** Returns an administrator with a key of this scope, so that only the key restricts the actor. */
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

/** Returns everything that an administrator may do with such a key, as strings. */
function reachOf(keyScope: KeyScope): Set<string> {
  const actor = holder(keyScope)
  const reach = new Set<string>()
  const addIfAllowed = (word: string, allowed: boolean) => allowed && reach.add(word)
  for (const operation of OPERATIONS) {
    addIfAllowed(
      operation,
      authorize(actor, { action: 'key.operate', operations: [operation] }).allowed
    )
  }
  for (const id of [1, 2, 3, 4]) {
    const zone = { id, name: `zone${id}.test`, kind: 'NATIVE', ownership: nobody }
    addIfAllowed(`delete ${id}`, authorize(actor, { action: 'zone.delete', zone }).allowed)
    addIfAllowed(`view ${id}`, authorize(actor, { action: 'zone.view', zone }).allowed)
    for (const name of [`zone${id}.test`, `a.zone${id}.test`]) {
      const write = authorize(actor, { action: 'rrset.write', zone, name, type: 'A' })
      addIfAllowed(`write ${name}`, write.allowed)
    }
  }
  addIfAllowed('zones', authorize(actor, { action: 'key.create_zones' }).allowed)
  addIfAllowed('users', authorize(actor, { action: 'user.create' }).allowed)
  for (const address of ADDRESSES) {
    const { networks } = keyScope
    addIfAllowed(address, networks === null || isInNetworks(address, parseNetworks(networks)))
  }
  for (const moment of MOMENTS) {
    addIfAllowed(moment, keyScope.expiresAt === null || moment < keyScope.expiresAt)
  }
  for (const days of [1, 2, 3, 4, 5, 6]) {
    addIfAllowed(`idle ${days}`, keyScope.idleDays === null || days < keyScope.idleDays)
  }
  return reach
}

test.group('Keys created with keys', () => {
  test('property: a created key allows nothing that its creator does not allow', ({ assert }) => {
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

  test('property: a key for records is refused everything except records and reading zones', ({
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

const FREE: KeyScope = {
  readOnly: false,
  operations: null,
  zones: null,
  patterns: null,
  networks: null,
  expiresAt: null,
  idleDays: null,
}

const zone = { id: 1, name: 'zone1.test', kind: 'MASTER', ownership: nobody }
const to = { permissions: new Set<Permission>(), allPermissions: new Set<Permission>() }

/** Requests that let others write the zone without the key. */
const WRITE_REQUESTS: Record<string, AccessRequest> = {
  'an owner': { action: 'zone.grant', zone, to },
  'a zone of another user': { action: 'zone.create_for_others' },
  'a primary': { action: 'zone.edit_source', zone },
  'a new secondary zone': { action: 'zone.create', kind: 'SLAVE' },
  'a new consumer zone': { action: 'zone.create', kind: 'CONSUMER' },
  'an autoprimary': { action: 'server.add_autoprimaries' },
  'an imported key': { action: 'key.open', access: 'write', what: 'DNSSEC keys' },
  'a restored zone': {
    action: 'zone.serve',
    types: ['A'],
    kinds: ['SOA-EDIT', 'TSIG-ALLOW-DNSUPDATE'],
  },
  'a kind of a later PowerDNS': { action: 'metadata.write', zone, kind: 'ALLOW-NEW-THINGS' },
}

/** Requests that let code run on the name server. */
const CODE_REQUESTS: Record<string, AccessRequest> = {
  'a LUA record': { action: 'rrset.write', zone, name: 'zone1.test', type: 'LUA' },
  'a LUA record of a template': {
    action: 'zone_template.write_record',
    template: { ownerId: null, isGlobal: true },
    type: 'LUA',
  },
  'LUA records of a former replica': { action: 'zone.serve', types: ['LUA'] },
}

for (const [kind, widening] of Object.entries(METADATA_WIDENING)) {
  const request = { action: 'metadata.write', zone, kind } as const
  if (widening === 'write') WRITE_REQUESTS[kind] = request
  if (widening === 'code') CODE_REQUESTS[kind] = request
}

/** Restrictions, and the member in their error message. */
const BOUND: Record<string, [string, Partial<KeyScope>]> = {
  'a network': ['networks', { networks: ['192.0.2.0/24'] }],
  'an end': ['expires_at', { expiresAt: MOMENTS[0] }],
  'idle days': ['idle_days', { idleDays: 30 }],
  'some operations': ['operations', { operations: new Set(['view', 'create', 'update']) }],
}

test.group('Restricted keys and settings that grant others access', () => {
  const decided = (restrictions: Partial<KeyScope>, request: AccessRequest) =>
    authorize(holder({ ...FREE, ...restrictions }), request)

  test('every metadata kind of PowerDNS has an entry', ({ assert }) => {
    const answers = METADATA_KINDS.map(({ kind }) => [kind, outsideAccess(kind) ?? 'nothing'])
    assert.deepEqual(Object.fromEntries(answers), METADATA_WIDENING)
    assert.isNull(outsideAccess('x-of-scripts'))
  })

  for (const [title, request] of Object.entries({ ...WRITE_REQUESTS, ...CODE_REQUESTS })) {
    test(`${title}: refused for keys whose restriction others could bypass`, ({ assert }) => {
      for (const [member, restrictions] of Object.values(BOUND)) {
        const { allowed, reasons } = decided(restrictions, request)
        assert.isFalse(allowed, member)
        assert.match(reasons[0].message, new RegExp(`restricted by .*${member} and cannot change`))
      }
      assert.isTrue(decided({}, request).allowed, 'no restriction')
      const all = new Set(['view', 'create', 'update', 'delete'] as const)
      assert.isTrue(decided({ operations: all }, request).allowed, 'all operations')
    })
  }

  test('kinds that grant read access are allowed for keys that may view, without other restrictions', ({
    assert,
  }) => {
    const kinds = Object.keys(METADATA_WIDENING).filter(
      (kind) => METADATA_WIDENING[kind] === 'read'
    )
    assert.isAbove(kinds.length, 3)
    for (const kind of kinds) {
      const request = { action: 'metadata.write', zone, kind } as const
      for (const [member, { 1: restrictions }] of Object.entries(BOUND)) {
        assert.equal(decided(restrictions, request).allowed, member === 'some operations', kind)
      }
      assert.isFalse(decided({ operations: new Set(['update']) }, request).allowed, kind)
    }
  })

  test('a key for zones may grant access to them, but may not run code or rename a zone', ({
    assert,
  }) => {
    const bound = { zones: new Map([[1, 'zone1.test']]) }
    // HTTP API, Key restrictions 1: the key may edit metadata and owners of its zones.
    for (const title of ['an owner', 'a primary', 'ALLOW-DNSUPDATE-FROM', 'an imported key']) {
      assert.isTrue(decided(bound, WRITE_REQUESTS[title]).allowed, title)
    }
    for (const [title, request] of Object.entries(CODE_REQUESTS)) {
      assert.isFalse(decided(bound, request).allowed, title)
    }
    assert.isFalse(decided(bound, { action: 'key.rename_zone' }).allowed)
    for (const { 1: other } of Object.values(BOUND)) {
      assert.isTrue(decided(other, { action: 'key.rename_zone' }).allowed)
    }
  })

  test('explain says what a restricted key may grant and rename', ({ assert }) => {
    const explained = (
      restrictions: Partial<KeyScope>,
      action: 'zone.add_owners' | 'zone.rename'
    ) => {
      const actor = holder({ ...FREE, ...restrictions })
      const { decision, reasons } = explain(actor, action, { zone })
      return [decision, ...new Set(reasons.map(({ rule }) => rule))]
    }
    const zones = new Map([[1, 'zone1.test']])
    assert.deepEqual(explained({}, 'zone.add_owners')[0], 'allow')
    assert.deepEqual(explained({ zones }, 'zone.add_owners')[0], 'allow')
    for (const bound of [
      { networks: ['192.0.2.0/24'] },
      { expiresAt: '2030-01-01 00:00:00' },
      { idleDays: 30 },
      { operations: new Set(['view', 'create'] as const) },
    ]) {
      assert.deepEqual(explained(bound, 'zone.add_owners'), ['deny', 'key-access'])
    }
    assert.deepEqual(explained({ readOnly: true }, 'zone.add_owners'), [
      'deny',
      'key-access',
      'key-operation',
    ])
    assert.equal(explained({}, 'zone.rename')[0], 'allow')
    assert.equal(explained({ networks: ['192.0.2.0/24'] }, 'zone.rename')[0], 'allow')
    assert.deepEqual(explained({ zones }, 'zone.rename'), ['deny', 'key-zone'])
    assert.deepEqual(explained({ operations: new Set(['create']) }, 'zone.rename'), [
      'deny',
      'key-operation',
    ])
  })

  test('other settings and records are allowed for restricted keys', ({ assert }) => {
    const open: AccessRequest[] = [
      { action: 'rrset.write', zone, name: 'www.zone1.test', type: 'A' },
      { action: 'zone.edit_owners', zone },
      { action: 'zone.edit_properties', zone },
      { action: 'zone.create', kind: 'NATIVE' },
      { action: 'metadata.write', zone, kind: 'X-NOTE' },
      { action: 'metadata.write', zone, kind: 'SOA-EDIT-API' },
    ]
    for (const { 1: restrictions } of Object.values(BOUND)) {
      for (const request of open) {
        assert.isTrue(decided(restrictions, request).allowed, request.action)
      }
    }
  })
})

/** Bodies about rights and webhook receivers, each with a misspelt member. */
const CLOSED_BODIES: [string, object, Record<string, unknown>][] = [
  ['POST /users', createUserValidator, { is_active: false }],
  ['PUT /users/{id}', updateUserValidator, { perm_template: 4 }],
  ['PATCH /users/{id}', assignTemplateValidator, { perm_templ_id: 4 }],
  ['DELETE /users/{id}', deleteUserValidator, { zone_transfers: [{ zone_id: 1, user: 2 }] }],
  ['POST /permission-templates', permissionTemplateValidator, { type: 'group' }],
  ['POST /webhooks', createWebhookValidator, { events: ['zone.deleted'] }],
  ['PUT /webhooks/{id}', updateWebhookValidator, { active: false }],
]

test.group('Bodies about rights', () => {
  for (const [route, validator, misspelt] of CLOSED_BODIES) {
    test(`${route}: an error names an unknown member`, ({ assert }) => {
      assert.throws(
        () => refuseUnknownMembers(validator, { dry_run: true, ...misspelt }),
        /^Field '[\w.]+' is unknown; allowed: .*/
      )
      assert.doesNotThrow(() => refuseUnknownMembers(validator, { dry_run: true, reason: 'x' }))
    })
  }

  test('a returned user can be sent back', ({ assert }) => {
    const user = { user_id: 1, username: 'a', locked: false, is_admin: true, groups: [] }
    assert.doesNotThrow(() => refuseUnknownMembers(updateUserValidator, user))
  })
})
