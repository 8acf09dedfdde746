import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/chunks'
import { rawRows } from '#database/raw_rows'

/**
 * Takes note of entries whose time is before that of the entry before them, where a version from before migration 0050 wrote
 * them.
 *
 * @param after id of an entry; those behind it are looked at
 * @param upTo id of the last that is
 */
export async function noteClockSteps(
  client: QueryClientContract,
  after: number,
  upTo: number
): Promise<void> {
  const steps = await rawRows<{ zone_uid: string; entry: number }>(
    client,
    `SELECT j.zone_uid, j.entry FROM zw_journal j
     JOIN zw_journal b ON b.zone_uid = j.zone_uid AND b.entry = j.entry - 1 AND b.time > j.time
     WHERE j.id > ? AND j.id <= ?`,
    [after, upTo]
  )
  for (const part of chunks(steps)) {
    // Each keeper takes the same note, and most of them are written with their entry.
    await client
      .table('zw_clock_steps')
      .knexQuery.insert(part)
      .onConflict(['zone_uid', 'entry'])
      .ignore()
  }
}
