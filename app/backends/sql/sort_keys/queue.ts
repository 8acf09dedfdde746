import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { LARGE_ZONE } from '#backends/sql/lists/zone_size'
import { ZONE_SNAPSHOTS, knownZone } from '#backends/sql/snapshots/snapshot_queries'
import { retryOnConflict } from '#database/conflicts'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'

/** Requests the creation or verification of the keys of a zone. */
export async function askForKeys(client: QueryClientContract, zone: BackendZone): Promise<void> {
  await retryOnConflict(() =>
    knownZone(client, zone)
      .where((some) => {
        some.whereNull('keyed_to').orWhere('keyed_to', LARGEST_ROW_ID)
      })
      .update({ keyed_to: 0 })
      .exec()
  )
}

/** Asks for the keys of all zones that are large enough. */
export async function askForAllKeys(client: QueryClientContract): Promise<void> {
  await client
    .from(ZONE_SNAPSHOTS)
    .whereNull('keyed_to')
    .where('records', '>', LARGE_ZONE.above)
    .update({ keyed_to: 0 })
}
