import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { ZoneSummaryRow } from '#backends/contract/backend'
import { ZONE_SNAPSHOTS } from '#backends/sql/snapshots/snapshot_queries'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'

/** Index of the serial in the content of an SOA record (RFC 1035, 3.3.13). */
const SERIAL_FIELD = 2

/**
 * Values of zones for lists, by a fixed number of indexed statements: the cost depends on the number of requested zones
 * only.
 */
export async function summarizeZones(
  client: QueryClientContract,
  tables: ZoneTables,
  ids: readonly number[]
): Promise<Map<number, ZoneSummaryRow>> {
  const summaries = new Map<number, ZoneSummaryRow>(
    ids.map((id) => [id, { serial: null, signing: null, records: null }])
  )
  for (const part of chunks([...ids])) {
    const soas: { zone: number | string; content: string | null }[] = await client
      .from(tables.records)
      .join(tables.zones, `${tables.zones}.id`, `${tables.records}.domain_id`)
      .whereIn(`${tables.records}.domain_id`, part)
      .where(`${tables.records}.type`, 'SOA')
      .where(`${tables.records}.disabled`, false)
      .whereColumn(`${tables.records}.name`, `${tables.zones}.name`)
      .orderBy(`${tables.records}.id`, 'desc')
      .select(`${tables.records}.domain_id as zone`, `${tables.records}.content`)
    for (const { zone, content } of soas) {
      const serial = Number((content ?? '').split(/\s+/)[SERIAL_FIELD])
      addValues(summaries, zone, { serial: Number.isSafeInteger(serial) ? serial : null })
    }
    const keys: { zone: number | string }[] = await client
      .from(tables.keys)
      .whereIn('domain_id', part)
      .where('active', true)
      .distinct('domain_id as zone')
    keys.forEach(({ zone }) => addValues(summaries, zone, { signing: 'signed' }))
    const presigned: { zone: number | string }[] = await client
      .from(tables.metadata)
      .whereIn('domain_id', part)
      .where({ kind: 'PRESIGNED', content: '1' })
      .distinct('domain_id as zone')
    presigned.forEach(({ zone }) => addValues(summaries, zone, { signing: 'presigned' }))
    const counts: { zone: number | string; records: number | string }[] = await client
      .from(ZONE_SNAPSHOTS)
      .whereIn('zone_id', part)
      .select('zone_id as zone', 'records')
    counts.forEach(({ zone, records }) => addValues(summaries, zone, { records: Number(records) }))
  }
  return summaries
}

function addValues(
  summaries: Map<number, ZoneSummaryRow>,
  zone: number | string,
  values: Partial<ZoneSummaryRow>
) {
  const summary = summaries.get(Number(zone))
  if (summary) Object.assign(summary, values)
}
