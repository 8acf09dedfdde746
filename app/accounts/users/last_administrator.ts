import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { holdRow } from '#database/rows/row_lock'
import { conflict } from '#exceptions/refusal'

const EVERYTHING: Permission = 'user_is_ueberuser'

/**
 * Returns the ids of administrators, by user or group template, also inactive ones.
 *
 * @param among restricts the query to these users; null for all
 */
export async function administratorIds(
  client: QueryClientContract,
  among: readonly number[] | null
): Promise<Set<number>> {
  const users = administrators(client, among).select('id')
  const rows: { id: number }[] = await users
  return new Set(rows.map(({ id }) => id))
}

/** Returns whether an active administrator exists. */
export async function hasAdministrator(client: QueryClientContract): Promise<boolean> {
  const found: unknown = await administrators(client).where('active', true).select('id').first()
  return found !== null && found !== undefined
}

/**
 * Counts active administrators as the transaction reads them; `without` excludes one. Call it after
 * the change, or before it with `without`.
 *
 * Locks out other counts until the end of the transaction, so two transactions cannot remove the
 * last two administrators.
 */
export async function administratorsLeft(
  trx: TransactionClientContract,
  { without }: { without?: number } = {}
): Promise<number> {
  await holdRow(trx, 'zw_permissions', PERMISSIONS[EVERYTHING].id)
  const users = administrators(trx).where('active', true)
  if (without !== undefined) {
    users.whereNot('id', without)
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
  const before = await administratorsLeft(trx)
  const result = await change()
  if (before > 0 && (await administratorsLeft(trx)) === 0) {
    throw conflict(
      `No active administrator (${EVERYTHING}) would be left: make another user an administrator first`
    )
  }
  return result
}

/** @param among see `administratorIds`; without it PostgreSQL reads all members of groups */
function administrators(client: QueryClientContract, among: readonly number[] | null = null) {
  const templates = client
    .from('zw_permission_template_items')
    .where('permission_id', PERMISSIONS[EVERYTHING].id)
    .select('template_id')
  const members = client
    .from('zw_group_members as m')
    .join('zw_groups as g', 'g.id', 'm.group_id')
    .whereIn('g.permission_template_id', templates.clone())
    .select('m.user_id')
  const users = client
    .from('zw_users')
    .where((either) => either.whereIn('permission_template_id', templates).orWhereIn('id', members))
  if (among) {
    members.whereIn('m.user_id', [...among])
    users.whereIn('id', [...among])
  }
  return users
}
