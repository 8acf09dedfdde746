import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import { SEEN_RECORDS } from '#backends/sql/seen_sql'
import type { IdRange } from '#database/text_index/source'

type Id = number | string

/** So many times as many rows are read one after the other as are looked up one by one, in less time. */
const SPREAD = 10

/**
 * Between which ids all records of a large zone lie, where it is quicker to read all rows there than to look up each by an
 * index of the zone: rows that were made together lie together. null elsewhere, and where others wrote.
 */
export async function idsOfZone(
  client: QueryClientContract,
  zone: BackendZone,
  size: ZoneSize
): Promise<IdRange | null> {
  if (!size.isNoted) {
    return null
  }
  const notes = () => client.from(SEEN_RECORDS).where('zone_id', zone.id)
  const [{ first }] = (await notes().min('record_id as first')) as { first: Id }[]
  const [{ last }] = (await notes().max('record_id as last')) as { last: Id }[]
  const range: IdRange = [Number(first), Number(last)]
  return range[1] - range[0] < SPREAD * size.records ? range : null
}
