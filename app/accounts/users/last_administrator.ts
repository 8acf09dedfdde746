import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { holdRow } from '#database/rows/row_lock'
import { conflict } from '#exceptions/refusal'

const SUPER_USER_PERMISSION: Permission = 'user_is_ueberuser'

/**
 * Returns the ids of administrators, by user or group template, also inactive ones.
 *
 * @param userIds restricts the query to these users; null for all
 */
export async function findAdministratorIds(
  client: QueryClientContract,
  userIds: readonly number[] | null
): Promise<Set<number>> {
  const users = selectAdministrators(client, userIds).select('id')
  const rows: { id: number }[] = await users
  return new Set(rows.map(({ id }) => id))
}

/** Returns whether an active administrator exists. */
export async function hasAdministrator(client: QueryClientContract): Promise<boolean> {
  const found: unknown = await selectAdministrators(client)
    .where('active', true)
    .select('id')
    .first()
  return found !== null && found !== undefined
}

/**
 * Counts active administrators as the transaction reads them; `exceptUserId` excludes one. Call it after
 * the change, or before it with `exceptUserId`.
 *
 * Locks out other counts until the end of the transaction, so two transactions cannot remove the
 * last two administrators.
 */
export async function countRemainingAdministrators(
  trx: TransactionClientContract,
  { exceptUserId }: { exceptUserId?: number } = {}
): Promise<number> {
  await holdRow(trx, 'zw_permissions', PERMISSIONS[SUPER_USER_PERMISSION].id)
  const users = selectAdministrators(trx).where('active', true)
  if (exceptUserId !== undefined) {
    users.whereNot('id', exceptUserId)
  }
  const [row] = await users.count('* as total')
  return Number(row.total)
}

/**
 * Runs a change that may remove an administrator. Throws a 409 if no active administrator is left,
 * which rolls back the transaction.
 */
export async function withRemainingAdministrator<T>(
  trx: TransactionClientContract,
  change: () => Promise<T>
): Promise<T> {
  const before = await countRemainingAdministrators(trx)
  const result = await change()
  if (before > 0 && (await countRemainingAdministrators(trx)) === 0) {
    throw conflict(
      `No active administrator (${SUPER_USER_PERMISSION}) would be left: make another user an administrator first`
    )
  }
  return result
}

/** @param userIds see `findAdministratorIds`; without it PostgreSQL reads all members of groups */
function selectAdministrators(
  client: QueryClientContract,
  userIds: readonly number[] | null = null
) {
  const templates = client
    .from('zw_permission_template_items')
    .where('permission_id', PERMISSIONS[SUPER_USER_PERMISSION].id)
    .select('template_id')
  const members = client
    .from('zw_group_members as m')
    .join('zw_groups as g', 'g.id', 'm.group_id')
    .whereIn('g.permission_template_id', templates.clone())
    .select('m.user_id')
  const users = client
    .from('zw_users')
    .where((condition) =>
      condition.whereIn('permission_template_id', templates).orWhereIn('id', members)
    )
  if (userIds) {
    members.whereIn('m.user_id', [...userIds])
    users.whereIn('id', [...userIds])
  }
  return users
}
