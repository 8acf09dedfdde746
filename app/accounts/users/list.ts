import db from '@adonisjs/lucid/services/db'
import { findAdministratorIds } from '#accounts/users/last_administrator'
import { loadGroupsByUser } from '#accounts/users/memberships'

/** A user in the output of `user:list`. */
export interface NamedUser {
  id: number
  username: string
  email: string | null
  active: boolean
  /** Name of the permission template. */
  template: string
  /** Names of groups. */
  groups: string[]
  /** Whether the user is an administrator, by template or group. */
  administrator: boolean
}

/** Returns all users by name, without a check of rights. */
export async function listUsersByName(): Promise<NamedUser[]> {
  const users: (Omit<NamedUser, 'active'> & { active: boolean | number })[] = await db
    .from('zw_users as u')
    .join('zw_permission_templates as t', 't.id', 'u.permission_template_id')
    .orderBy('u.username')
    .select('u.id', 'u.username', 'u.email', 'u.active', 't.name as template')
  const groups = await loadGroupsByUser(db.connection(), null)
  const administrators = await findAdministratorIds(db.connection(), null)
  return users.map((user) => ({
    ...user,
    active: Boolean(user.active),
    groups: (groups.get(user.id) ?? []).map(({ name }) => name),
    administrator: administrators.has(user.id),
  }))
}
