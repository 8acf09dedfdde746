import { setImmediate as turn } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { noteClockSteps } from '#database/clock_steps'
import { rawRows } from '#database/raw_rows'

/** Rows that are looked at by one statement. */
const BATCH = 500

/** Whether an entry that changed properties of the zone changed its name. */
export const RENAMES = `zone_before LIKE '%"name":%'`

/** What an entry did to the zone as a whole, where it did something. */
const ACTION = `CASE WHEN zone_before IS NULL THEN 'create' WHEN zone_after IS NULL THEN 'delete'
  WHEN ${RENAMES} THEN 'rename' ELSE 'properties' END`

const LACKS_ACTION = 'zone_action IS NULL AND (zone_before IS NOT NULL OR zone_after IS NOT NULL)'

/**
 * Gives changes their zone and the number of their entry, where a version from before migration 0046 wrote them: filters
 * find none without. They are one range of the indexes of names and types. Writes nothing where there are none.
 */
export async function mendChangeKeys(
  client: QueryClientContract,
  stopping?: AbortSignal
): Promise<void> {
  while (!stopping?.aborted) {
    const rows: { journal_id: number | string }[] = await client
      .from('zw_journal_changes')
      .where('zone_uid', '')
      .limit(BATCH)
      .select('journal_id')
    const ids = [...new Set(rows.map(({ journal_id: id }) => Number(id)))]
    if (ids.length === 0) return
    await client.rawQuery(
      `UPDATE zw_journal_changes SET
         zone_uid = (SELECT zone_uid FROM zw_journal WHERE id = journal_id),
         entry = (SELECT entry FROM zw_journal WHERE id = journal_id)
       WHERE zone_uid = '' AND journal_id IN (${ids.map(() => '?').join(', ')})`,
      ids
    )
    await turn()
  }
}

/**
 * Says of entries behind one what they did to the zone as a whole, and which of them begin an earlier time than the one
 * before them, where an older version wrote them. Writes nothing where there are none.
 *
 * @param after id of an entry; 0 looks at all
 * @returns id of the last entry that was looked at
 */
export async function mendEntryKeys(
  client: QueryClientContract,
  after: number,
  stopping?: AbortSignal
): Promise<number> {
  let last = after
  while (!stopping?.aborted) {
    const rows = await rawRows<{ id: number | string; lacks: number }>(
      client,
      `SELECT id, CASE WHEN ${LACKS_ACTION} THEN 1 ELSE 0 END AS lacks
       FROM zw_journal WHERE id > ? ORDER BY id LIMIT ${BATCH}`,
      [last]
    )
    const lacking = rows.flatMap(({ id, lacks }) => (Number(lacks) === 1 ? [Number(id)] : []))
    if (lacking.length > 0) {
      const places = lacking.map(() => '?').join(', ')
      await client.rawQuery(
        `UPDATE zw_journal SET zone_action = ${ACTION} WHERE id IN (${places})`,
        lacking
      )
    }
    if (rows.length > 0) {
      const end = Number(rows[rows.length - 1].id)
      await noteClockSteps(client, last, end)
      last = end
    }
    if (rows.length < BATCH) break
    // SQLite's driver is synchronous: requests get their turn between the batches.
    await turn()
  }
  return last
}
