import db from '@adonisjs/lucid/services/db'
import type { KeyOperation } from '#access/actor'
import type { Permission } from '#access/permissions'
import {
  keyFor,
  person,
  createTeam,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'

/** Permissions of a helpdesk: on accounts, but not on zones. */
const USER_ADMINISTRATION: Permission[] = [
  'user_view_others',
  'user_add_new',
  'user_edit_own',
  'user_edit_others',
  'user_passwd_edit_others',
  'user_edit_templ_perm',
  'templ_perm_add',
  'templ_perm_edit',
  'user_logs_view',
  'api_manage_keys',
]

const ZONE_MANAGEMENT: Permission[] = [
  'zone_master_add',
  'zone_slave_add',
  'zone_content_view_own',
  'zone_content_edit_own',
  'zone_meta_edit_own',
  'zone_delete_own',
  'zone_dnssec_manage_own',
  'zone_logs_view_own',
  'zone_templ_add',
  'zone_templ_edit',
  'search',
]

/** All callers, in the order of their power over the zone. */
export const ROLES = [
  'nobody',
  'stranger',
  'user administrator',
  'viewer',
  'client editor',
  'editor',
  'group owner',
  'zone manager',
  'administrator',
] as const

export type Role = (typeof ROLES)[number]

/** Restrictions of a key. */
export const VARIANTS = [
  'plain',
  'read-only',
  'view',
  'create',
  'update',
  'delete',
  'this zone',
  'another zone',
  'pattern',
  'another pattern',
] as const

export type Variant = (typeof VARIANTS)[number]

/** Returns the operations that a key of a variant allows; null for all. */
export function operationsOf(variant: Variant): KeyOperation[] | null {
  switch (variant) {
    case 'read-only':
      return ['view']
    case 'view':
    case 'create':
    case 'update':
    case 'delete':
      return [variant]
    default:
      return null
  }
}

/** A zone that the callers have rights on. */
export interface Stage {
  id: number
  name: string
}

/** Keys of all callers by role and variant, and keys that authentication rejects. */
export interface Cast {
  people: Record<Role, Person>
  keyOf(role: Role, variant: Variant): string
  wrongKey: string
  inactiveKey: string
}

/** Creates all callers. Callers with rights on own zones own the first and the last zone, directly or through the group. */
export async function createCast(zone: Stage, other: Stage, deleted: Stage): Promise<Cast> {
  const owners = await createTeam(ZONE_MANAGEMENT)
  const people: Record<Role, Person> = {
    'nobody': await person(),
    'stranger': await person({ template: 'Zone Manager' }),
    'user administrator': await person({ permissions: USER_ADMINISTRATION }),
    'viewer': await person({ template: 'Viewer' }),
    'client editor': await person({ template: 'Editor' }),
    'editor': await person({ permissions: ['zone_content_view_own', 'zone_content_edit_own'] }),
    'group owner': await person({ groups: [owners.name] }),
    'zone manager': await person({ template: 'Zone Manager' }),
    'administrator': await person({ template: 'Administrator' }),
  }
  const inactive = await person({ template: 'Administrator' })
  await db.from('zw_users').where('id', inactive.id).update({ active: false })
  const now = new Date().toISOString()
  for (const { id } of [zone, deleted]) {
    const owning = ['viewer', 'client editor', 'editor', 'zone manager', 'administrator'] as const
    const direct = owning.map((role) => ({
      zone_id: id,
      user_id: people[role].id,
      created_at: now,
    }))
    await db.table('zw_zone_owners').multiInsert(direct)
    await db.table('zw_zone_groups').insert({ zone_id: id, group_id: owners.id, created_at: now })
  }

  const keys = new Map<string, string>()
  for (const role of ROLES) {
    for (const variant of VARIANTS) {
      const { key } = await keyFor(people[role], restrictions(variant, zone, other))
      keys.set(`${role} ${variant}`, key)
    }
  }
  return {
    people,
    keyOf: (role, variant) => keys.get(`${role} ${variant}`)!,
    wrongKey: `pwa_${'0'.repeat(64)}`,
    inactiveKey: inactive.key,
  }
}

function restrictions(variant: Variant, zone: Stage, other: Stage): Restrictions {
  switch (variant) {
    case 'plain':
      return {}
    case 'read-only':
      return { readOnly: true }
    case 'this zone':
      return { zones: [zone] }
    case 'another zone':
      return { zones: [other] }
    case 'pattern':
      return { patterns: [{ name: `matrix.${zone.name}`, types: ['A'] }] }
    case 'another pattern':
      return { patterns: [{ name: `elsewhere.${zone.name}`, types: null }] }
    default:
      return { operations: [variant] }
  }
}
