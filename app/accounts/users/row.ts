import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { UserFacts } from '#access/rules/account_rules'
import { loadUsersAsOwners } from '#access/grantees'
import { findAdministratorIds } from '#accounts/users/last_administrator'
import permissions from '#config/permissions'
import { isRowId } from '#database/rows/row_ids'
import { notFound } from '#exceptions/refusal'

/** Method of sign-in; passwords of all but `local` are external. */
export type AuthMethod = 'local' | 'ldap' | 'oidc' | 'saml'

/** A stored user. */
export interface UserRow {
  id: number
  username: string
  fullname: string
  email: string | null
  description: string
  permission_template_id: number
  active: boolean
  auth_method: AuthMethod
}

/** A user with the facts for decisions. */
export interface UserWithFacts extends UserRow {
  facts: UserFacts
}

export const USER_COLUMNS = [
  'zw_users.id',
  'zw_users.username',
  'zw_users.fullname',
  'zw_users.email',
  'zw_users.description',
  'zw_users.permission_template_id',
  'zw_users.active',
  'zw_users.auth_method',
]

/** Converts the boolean, which only PostgreSQL returns as such. */
export function userFromRow<Row extends { active: unknown }>(row: Row): Row & { active: boolean } {
  return { ...row, active: Boolean(row.active) }
}

/** Returns the user with facts. Throws a 404 if it does not exist. */
export async function findUserById(
  client: QueryClientContract,
  id: number
): Promise<UserWithFacts> {
  return withFacts(client, id, await rowOf(client, id))
}

/**
 * As `findUserById`; locks the user until the end of the transaction. The lock also blocks new
 * ownerships, memberships and keys.
 */
export async function lockUser(trx: TransactionClientContract, id: number): Promise<UserWithFacts> {
  return withFacts(trx, id, await rowOf(trx, id, true))
}

async function rowOf(
  client: QueryClientContract,
  id: number,
  isLocked = false
): Promise<UserRow | null> {
  if (!isRowId(id)) {
    return null
  }
  const query = client.from('zw_users').where('zw_users.id', id).select(USER_COLUMNS)
  if (isLocked) {
    query.forUpdate()
  }
  return query.first()
}

async function withFacts(
  client: QueryClientContract,
  id: number,
  row: UserRow | null
): Promise<UserWithFacts> {
  if (!row) {
    throw notFound('User not found')
  }
  const administrators = await findAdministratorIds(client, [id])
  const isSuperUser = administrators.has(id)
  const needsPermissions = permissions.assign_only_held && !isSuperUser
  const holders = needsPermissions ? await loadUsersAsOwners(client, [id]) : null
  return {
    ...userFromRow(row),
    facts: { id, isSuperUser, permissions: holders?.get(id)?.allPermissions },
  }
}
