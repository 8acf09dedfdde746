import { timingSafeEqual } from 'node:crypto'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import type { Actor, ActorGroup, Door, KeyOperation, KeyRestrictions } from '#access/actor'
import { isPermission, type Permission } from '#access/permissions'
import { hashKey } from '#accounts/key_secret'

/** What one look-up tells of a key and its owner. */
interface KeyRow {
  id: number
  secret_hash: string
  user_id: number
  username: string
  permission_template_id: number
  enabled: boolean | number
  active: boolean | number
  read_only: boolean | number
  allowed_operations: string | null
  zone_restricted: boolean | number
  expires_at: string | null
  last_used_at: string | null
}

/** `last_used_at` is written at most this often, so that reading does not mean writing. */
const USE_STAMP_INTERVAL_MS = 60_000

/**
 * The actor behind an API key, with the rights of its owner. null when the key is unknown, disabled or
 * expired, or its owner inactive or gone; the caller cannot tell which.
 */
export async function actorOfKey(key: string, address: string, door: Door): Promise<Actor | null> {
  const hash = hashKey(key)
  const row: KeyRow | null = await db
    .from('zw_api_keys')
    .join('zw_users', 'zw_users.id', 'zw_api_keys.user_id')
    .where('zw_api_keys.secret_hash', hash)
    .select(
      'zw_api_keys.id',
      'zw_api_keys.secret_hash',
      'zw_api_keys.user_id',
      'zw_api_keys.enabled',
      'zw_api_keys.read_only',
      'zw_api_keys.allowed_operations',
      'zw_api_keys.zone_restricted',
      'zw_api_keys.expires_at',
      'zw_api_keys.last_used_at',
      'zw_users.username',
      'zw_users.active',
      'zw_users.permission_template_id'
    )
    .first()
  if (!row || !timingSafeEqual(Buffer.from(row.secret_hash), Buffer.from(hash))) {
    return null
  }
  const now = new Date()
  const isExpired = row.expires_at !== null && row.expires_at <= now.toISOString()
  if (!row.enabled || !row.active || isExpired) {
    return null
  }
  await stampUse(row, now)
  const rights = await rightsOf(row.user_id, row.permission_template_id)
  return {
    userId: row.user_id,
    username: row.username,
    ...rights,
    key: await restrictionsOf(row),
    address,
    door,
  }
}

async function stampUse(row: KeyRow, now: Date): Promise<void> {
  const last = row.last_used_at === null ? 0 : Date.parse(row.last_used_at)
  if (now.getTime() - last < USE_STAMP_INTERVAL_MS) {
    return
  }
  try {
    await db.from('zw_api_keys').where('id', row.id).update({ last_used_at: now.toISOString() })
  } catch (error) {
    // A writer in the way must not keep anybody from reading; the next request stamps it.
    logger.debug({ err: error }, 'The use of an API key was not stamped')
  }
}

async function restrictionsOf(row: KeyRow): Promise<KeyRestrictions> {
  const operations = row.allowed_operations?.split(',') as KeyOperation[] | undefined
  return {
    id: row.id,
    readOnly: Boolean(row.read_only),
    operations: operations ? new Set(operations) : null,
    zones: row.zone_restricted ? await zonesOfKey(row.id) : null,
  }
}

async function zonesOfKey(keyId: number): Promise<Map<number, string>> {
  const rows: { id: number; name: string }[] = await db
    .from('zw_api_key_zones')
    .join('zw_zones', 'zw_zones.id', 'zw_api_key_zones.zone_id')
    .where('zw_api_key_zones.api_key_id', keyId)
    .select('zw_zones.id', 'zw_zones.name')
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** Stands where a group's id would, for permissions of the user's own template. */
const OWN_TEMPLATE = 0

/** Permissions of the user's own template and of each group, in one query. */
async function rightsOf(
  userId: number,
  templateId: number
): Promise<{ permissions: ReadonlySet<Permission>; groups: ActorGroup[] }> {
  const own = db
    .from('zw_permission_template_items')
    .join('zw_permissions', 'zw_permissions.id', 'zw_permission_template_items.permission_id')
    .where('zw_permission_template_items.template_id', templateId)
    .select(db.raw(`${OWN_TEMPLATE} as group_id`), 'zw_permissions.name as permission')
  const rows: { group_id: number | string; permission: string | null }[] = await own.unionAll(
    db
      .from('zw_group_members')
      .join('zw_groups', 'zw_groups.id', 'zw_group_members.group_id')
      .leftJoin(
        'zw_permission_template_items',
        'zw_permission_template_items.template_id',
        'zw_groups.permission_template_id'
      )
      .leftJoin('zw_permissions', 'zw_permissions.id', 'zw_permission_template_items.permission_id')
      .where('zw_group_members.user_id', userId)
      .select('zw_groups.id as group_id', 'zw_permissions.name as permission')
  )
  const permissions = new Set<Permission>()
  const groups = new Map<number, Set<Permission>>()
  for (const { group_id: groupId, permission } of rows) {
    // MariaDB hands the numbers of a union out as text.
    const id = Number(groupId)
    const held = id === OWN_TEMPLATE ? permissions : (groups.get(id) ?? new Set<Permission>())
    if (permission !== null && isPermission(permission)) {
      held.add(permission)
    }
    if (id !== OWN_TEMPLATE) {
      groups.set(id, held)
    }
  }
  return { permissions, groups: [...groups].map(([id, held]) => ({ id, permissions: held })) }
}
