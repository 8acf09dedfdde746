import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { ZONE_SNAPSHOTS, selectKnownZone } from '#backends/sql/snapshots/snapshot_queries'
import { retryOnConflict } from '#database/conflicts'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'

/** Requests the creation or verification of the keys of a zone. */
export async function queueKeys(client: QueryClientContract, zone: BackendZone): Promise<void> {
  await retryOnConflict(() =>
    selectKnownZone(client, zone)
      .where((condition) => {
        condition.whereNull('keyed_to').orWhere('keyed_to', LARGEST_ROW_ID)
      })
      .update({ keyed_to: 0 })
      .exec()
  )
}

/** Queues the keys of all large zones. */
export async function queueAllKeys(client: QueryClientContract): Promise<void> {
  await client
    .from(ZONE_SNAPSHOTS)
    .whereNull('keyed_to')
    .where('records', '>', MAX_SMALL_ZONE.records)
    .update({ keyed_to: 0 })
}
