import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { holdRow } from '#database/rows/row_lock'
import { conflict } from '#exceptions/refusal'

const EVERYTHING: Permission = 'user_is_ueberuser'

/**
 * Ids of the users who may do everything, by their own template or by that of a group; inactive ones too.
 *
 * @param among whom to ask about; null asks about all
 */
export async function administratorIds(
  client: QueryClientContract,
  among: readonly number[] | null
): Promise<Set<number>> {
  const users = administrators(client, among).select('id')
  const rows: { id: number }[] = await users
  return new Set(rows.map(({ id }) => id))
}

/** Whether there is somebody active who may do everything. */
export async function hasAdministrator(client: QueryClientContract): Promise<boolean> {
  const found: unknown = await administrators(client).where('active', true).select('id').first()
  return found !== null && found !== undefined
}

/**
 * How many active users may do everything; `without` leaves one out. Counted as the transaction sees it, so call it
 * after the change, or before it with `without`.
 *
 * From the call to the end of the transaction nobody else counts: of two transactions that would each remove one of
 * the last two, the second one counts what the first has left.
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
 * Makes a change to users, groups or templates that may take somebody the right to do everything. Throws a 409 when
 * nobody active would be left who has it, so that the transaction rolls back.
 */
export async function keepingAnAdministrator<T>(
  trx: TransactionClientContract,
  change: () => Promise<T>
): Promise<T> {
  const before = await administratorsLeft(trx)
  const result = await change()
  if (before > 0 && (await administratorsLeft(trx)) === 0) {
    throw conflict(
      `Nobody active would be left who may do everything (${EVERYTHING}): make somebody else an administrator first`
    )
  }
  return result
}

/** @param among see `administratorIds`: PostgreSQL would read all members of groups to know some of them. */
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
