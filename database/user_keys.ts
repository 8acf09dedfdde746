import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { folded } from '#database/folded'

/** Columns of users that lists compare whatever their case; each has a stored key beside it. */
export const KEYED_COLUMNS = ['username', 'fullname', 'email'] as const

/** The column of the stored key of another one. */
export function userKey(column: (typeof KEYED_COLUMNS)[number]): string {
  return `${column}_key`
}

/**
 * Stores what users are sorted by. Whoever writes one of these columns calls it in the same transaction.
 *
 * @param id of the user; null for all
 */
export async function keepUserKeys(client: QueryClientContract, id: number | null): Promise<void> {
  const sets = KEYED_COLUMNS.map(() => `?? = coalesce(${folded(client)}, '')`).join(', ')
  const columns = KEYED_COLUMNS.flatMap((column) => [userKey(column), column])
  const where = id === null ? '' : ' WHERE id = ?'
  await client.rawQuery(`UPDATE zw_users SET ${sets}${where}`, [
    ...columns,
    ...(id === null ? [] : [id]),
  ])
}
