import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Grantee } from '#access/rules/ownership_rules'
import { isPermission, type Permission } from '#access/permissions'

/** Returns existing users by id, with the permissions that they would have as owners. */
export async function loadUsersAsOwners(
  client: QueryClientContract,
  ids: number[]
): Promise<Map<number, Grantee>> {
  const users: { id: number }[] = await client.from('zw_users').whereIn('id', ids).select('id')
  const userGrants: GrantRow[] = await client
    .from('zw_users')
    .join('zw_permission_template_items as i', 'i.template_id', 'zw_users.permission_template_id')
    .join('zw_permissions as p', 'p.id', 'i.permission_id')
    .whereIn('zw_users.id', ids)
    .select('zw_users.id as holder', 'p.name as permission')
  const groupGrants: GrantRow[] = await client
    .from('zw_group_members as m')
    .join('zw_groups as g', 'g.id', 'm.group_id')
    .join('zw_permission_template_items as i', 'i.template_id', 'g.permission_template_id')
    .join('zw_permissions as p', 'p.id', 'i.permission_id')
    .whereIn('m.user_id', ids)
    .select('m.user_id as holder', 'p.name as permission')
  const permissions = permissionsByHolder(userGrants)
  const allPermissions = permissionsByHolder([...userGrants, ...groupGrants])
  return new Map(
    users.map(({ id }) => [
      id,
      {
        permissions: permissions.get(id) ?? new Set(),
        allPermissions: allPermissions.get(id) ?? new Set(),
      },
    ])
  )
}

/**
 * Returns the group with the permissions that its members would have as owners; null if it does not
 * exist.
 */
export async function loadGroupAsOwner(
  client: QueryClientContract,
  id: number
): Promise<Grantee | null> {
  const group: unknown = await client.from('zw_groups').where('id', id).select('id').first()
  const rows: GrantRow[] = await client
    .from('zw_groups as g')
    .join('zw_permission_template_items as i', 'i.template_id', 'g.permission_template_id')
    .join('zw_permissions as p', 'p.id', 'i.permission_id')
    .where('g.id', id)
    .select('g.id as holder', 'p.name as permission')
  const permissions = permissionsByHolder(rows).get(id) ?? new Set<Permission>()
  return group ? { permissions, allPermissions: permissions } : null
}

interface GrantRow {
  holder: number
  permission: string
}

function permissionsByHolder(rows: GrantRow[]): Map<number, Set<Permission>> {
  const result = new Map<number, Set<Permission>>()
  for (const { holder, permission } of rows) {
    const holderPermissions = result.get(holder) ?? new Set<Permission>()
    result.set(holder, holderPermissions)
    if (isPermission(permission)) {
      holderPermissions.add(permission)
    }
  }
  return result
}
