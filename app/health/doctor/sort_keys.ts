import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'
import { ok, remark, type Finding } from '#health/doctor/finding'

/** Tables with the progress of the sort keys (`keyed_to` of a zone), and with the keys. */
const [ZONES, RECORDS] = ['zw_zone_snapshots', 'zw_record_snapshots']

/** Reports the progress of the sort keys for lists of large zones. */
export async function sortKeys(client: QueryClientContract): Promise<Finding> {
  const waiting = () =>
    client
      .from(ZONES)
      .where(`${ZONES}.keyed_to`, '>=', 0)
      .where(`${ZONES}.keyed_to`, '<', LARGEST_ROW_ID)
  const [all] = await waiting().count('* as zones').sum('records as records')
  if (Number(all.zones) === 0) {
    return ok('sort_keys', 'The sort keys of all sorted large zones are complete')
  }
  const [done] = await waiting()
    .join(`${RECORDS} as s`, 's.zone_id', `${ZONES}.zone_id`)
    .whereColumn('s.record_id', '<=', `${ZONES}.keyed_to`)
    .count('* as records')
  return remark(
    'sort_keys',
    `The sort keys of ${all.zones} large zone(s) are being created: ${done.records} of ${all.records} records; sorted pages of these zones are slower until then`,
    'Leave the service running, or run: node ace search:index'
  )
}
