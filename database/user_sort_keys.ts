import { setImmediate as turn } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { dialectOf } from '#database/dialects/dialect_of'
import { rawRows } from '#database/statements/raw_rows'
import { enqueueTexts } from '#database/trigram_index/pending'
import { USER_TEXTS } from '#database/trigram_index/source'

/** Columns of users that lists compare without case. Each has a column with its sort key. */
export const KEYED_COLUMNS = ['username', 'fullname', 'email'] as const

/** Users of one statement. */
const BATCH_SIZE = 1_000

/** The column of the sort key of a column. */
export function userKey(column: (typeof KEYED_COLUMNS)[number]): string {
  return `${column}_key`
}

/** Bindings: each key column and its source column. */
const COLUMNS = KEYED_COLUMNS.flatMap((column) => [userKey(column), column])

/** SQL of the correct key. */
function keyOf(client: QueryClientContract): string {
  return `coalesce(${dialectOf(client).folded}, '')`
}

/**
 * Updates the sort keys of users, and queues their texts for the search index. Call it in each transaction that writes one of
 * these columns or a description.
 *
 * @param ids of the users; null for all
 */
export async function updateUserSortKeys(
  client: QueryClientContract,
  ids: readonly number[] | null
): Promise<void> {
  const sets = KEYED_COLUMNS.map(() => `?? = ${keyOf(client)}`).join(', ')
  const condition = ids === null ? '' : ` WHERE id IN (${ids.map(() => '?').join(', ')})`
  await client.rawQuery(`UPDATE zw_users SET ${sets}${condition}`, [...COLUMNS, ...(ids ?? [])])
  // With null, the rows are new, or `verifyTexts` compares all of them.
  if (ids !== null) await enqueueTexts(client, USER_TEXTS, ids)
}

/**
 * Compares the sort keys of all users with their columns, and corrects differences that other tools
 * caused. Returns the number of updated users.
 */
export async function repairUserSortKeys(
  client: QueryClientContract,
  stopping?: AbortSignal
): Promise<number> {
  const isWrong = KEYED_COLUMNS.map(() => `?? <> ${keyOf(client)}`).join(' OR ')
  let updated = 0
  for (let after = 0; !stopping?.aborted;) {
    const rows = await rawRows<{ id: number; is_wrong: number }>(
      client,
      `SELECT id, CASE WHEN ${isWrong} THEN 1 ELSE 0 END AS is_wrong
       FROM zw_users WHERE id > ? ORDER BY id LIMIT ${BATCH_SIZE}`,
      [...COLUMNS, after]
    )
    const wrongIds = rows.filter((row) => row.is_wrong === 1).map(({ id }) => id)
    if (wrongIds.length > 0) await updateUserSortKeys(client, wrongIds)
    updated += wrongIds.length
    if (rows.length < BATCH_SIZE) break
    after = rows[rows.length - 1].id
    // SQLite's driver is synchronous: other requests run between batches.
    await turn()
  }
  return updated
}
