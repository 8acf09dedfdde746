import { authorize, type AccessRequest, type ZoneAction } from '#access/authorize'
import type { Actor, KeyOperation } from '#access/actor'
import { loadZoneFacts } from '#access/ownership'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import type { Stage } from '#tests/support/access/users'

const ZONE_ACTIONS: ZoneAction[] = [
  'zone.view',
  'zone.view_history',
  'zone.edit_records',
  'zone.edit_description',
  'zone.edit_properties',
  'zone.edit_source',
  'zone.delete',
  'zone.view_owners',
  'zone.edit_owners',
  'zone.view_metadata',
  'zone.edit_metadata',
  'zone.manage_dnssec',
  'zone.tell_server',
  'zone.link_template',
]

const OPERATIONS: KeyOperation[] = ['view', 'create', 'update', 'delete']

/** Zones and users on which the power of an actor is measured. */
export interface Measure {
  zones: Stage[]
  /** Id of a user without a special role. */
  bystander: number
}

/** Returns everything that an actor may do, as comparable strings. */
export async function powerOf(actor: Actor, { zones, bystander }: Measure): Promise<Set<string>> {
  const user = { id: bystander, isSuperUser: false }
  const requests: [string, AccessRequest][] = [
    ...OPERATIONS.map((operation): [string, AccessRequest] => [
      `key.operate ${operation}`,
      { action: 'key.operate', operations: [operation] },
    ]),
    ['zone.create MASTER', { action: 'zone.create', kind: 'MASTER' }],
    ['zone.create SLAVE', { action: 'zone.create', kind: 'SLAVE' }],
    ['zone.create_for_others', { action: 'zone.create_for_others' }],
    ['server.view_status', { action: 'server.view_status' }],
    ['server.view_autoprimaries', { action: 'server.view_autoprimaries' }],
    ['server.add_autoprimaries', { action: 'server.add_autoprimaries' }],
    ['server.edit_autoprimaries', { action: 'server.edit_autoprimaries' }],
    ['server.manage_jobs', { action: 'server.manage_jobs' }],
    ['server.check_consistency', { action: 'server.check_consistency' }],
    ['server.manage_webhooks', { action: 'server.manage_webhooks' }],
    ['server.view_settings', { action: 'server.view_settings' }],
    ['trash.discard', { action: 'trash.discard' }],
    ['user.list', { action: 'user.list' }],
    ['user.create', { action: 'user.create' }],
    ['user.edit', { action: 'user.edit', user }],
    ['user.delete', { action: 'user.delete', user }],
    ['user.set_password', { action: 'user.set_password', user }],
    ['user.set_groups', { action: 'user.set_groups' }],
    ['group.manage', { action: 'group.manage' }],
    ['permission.view', { action: 'permission.view' }],
    ['template.view', { action: 'template.view' }],
    ['zone_template.view', { action: 'zone_template.view', template: null }],
    ['zone_template.create', { action: 'zone_template.create', isGlobal: false }],
    ['zone_template.create global', { action: 'zone_template.create', isGlobal: true }],
    ['zone_template.edit', { action: 'zone_template.edit', template: null }],
    ...grants(user),
  ]
  for (const zone of zones) {
    const facts = await loadZoneFacts({ ...zone, kind: 'MASTER' })
    requests.push([`key.reach ${zone.name}`, { action: 'key.reach', zoneId: zone.id }])
    for (const action of ZONE_ACTIONS) {
      requests.push([`${action} ${zone.name}`, { action, zone: facts }])
    }
    for (const [name, type] of [
      [`www.${zone.name}`, 'A'],
      [`sub.${zone.name}`, 'NS'],
      [zone.name, 'NS'],
      [`lua.${zone.name}`, 'LUA'],
    ]) {
      const request = { action: 'rrset.write' as const, zone: facts, name, type }
      requests.push([`rrset.write ${name} ${type}`, request])
    }
  }
  const allowed = requests.filter(([, request]) => authorize(actor, request).allowed)
  return new Set([...allowed.map(([label]) => label), ...reachOf(actor)])
}

/** Returns from which addresses and until when the actor's key works, at fixed comparable points. */
function reachOf({ key }: Actor): string[] {
  const [networks, expiry, idle] = [key?.networks, key?.expiresAt, key?.idleDays]
  const from = (address: string) => !networks || isInNetworks(address, parseNetworks(networks))
  const isAlive = (days: number) => !expiry || Date.parse(expiry) > Date.now() + days * 86_400_000
  return [
    ...['127.0.0.2', '192.0.2.1'].filter(from).map((address) => `key from ${address}`),
    ...[30, 700].filter(isAlive).map((days) => `key for ${days} days`),
    ...[30, 2000].filter((days) => !idle || idle > days).map((days) => `key idle for ${days} days`),
  ]
}

function grants(user: { id: number; isSuperUser: boolean }): [string, AccessRequest][] {
  return (Object.keys(PERMISSIONS) as Permission[]).flatMap(
    (permission): [string, AccessRequest][] => {
      const one = new Set([permission])
      return [
        [`template.create ${permission}`, { action: 'template.create', grants: one }],
        [`assign ${permission}`, { action: 'user.assign_template', user, template: one }],
      ]
    }
  )
}

/** Returns the rights in the second set that the first set does not have. */
export function gainedRights(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...after].filter((label) => !before.has(label))
}
