import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, ExternalCheckBounds } from '#backends/contract/backend'
import { metadataSnapshot, propertiesSnapshot } from '#backends/sql/snapshots/property_snapshots'
import {
  readMetadataSnapshot,
  RECORD_SNAPSHOTS,
  ZONE_SNAPSHOTS,
  differingConditions,
  recordCondition,
} from '#backends/sql/snapshots/snapshot_queries'
import { memoizeByTables, type ZoneTables } from '#backends/sql/tables'
import { PreparedStatement } from '#database/statements/prepared'
import type { Metadata } from '#dns/metadata/metadata'
import type { SqlDialect } from '#database/dialects/sql_dialect'

const SNAPSHOT_ROWS = `from ${RECORD_SNAPSHOTS} s where s.zone_id = ?`
const RECORD_SNAPSHOT_ROWS = `${SNAPSHOT_ROWS} and ${recordCondition('s')}`

function recordRows({ records }: ZoneTables): string {
  return `from ${records} r where r.domain_id = ? and ${recordCondition('r')}`
}

/**
 * 1 if the zone or its metadata has no snapshot, its properties differ, or a row differs from its snapshot. If no row
 * differs, a row without a snapshot shows in the counts.
 */
function checkSql(tables: ZoneTables, dialect: SqlDialect, conditionsBefore: string): string {
  const { join, where } = differingConditions(tables, dialect)
  const knownZoneCondition =
    'zone_id = ? and zone_name = ? and properties = ? and metadata is not null'
  return `
  select case ${conditionsBefore}
    when not exists (select 1 from ${ZONE_SNAPSHOTS} where ${knownZoneCondition}) then 1
    when exists (select 1 from ${RECORD_SNAPSHOTS} s ${join} where s.zone_id = ? and ${where}) then 1
    when (select count(*) ${SNAPSHOT_ROWS}) <> (select count(*) ${recordRows(tables)}) then 1
    else 0 end as differs
  from ${tables.zones} where id = ?`
}

/** Condition for zones with too many records or snapshots; reads little more than the limit. */
function sizeCondition(tables: ZoneTables): string {
  return [recordRows(tables), RECORD_SNAPSHOT_ROWS]
    .map((rows) => `when (select 1 ${rows} limit 1 offset ?) = 1 then 0`)
    .join('\n')
}

type CheckRow = { differs: number | string }

const statements = memoizeByTables((tables) => ({
  look: new PreparedStatement<CheckRow>((dialect) => checkSql(tables, dialect, '')),
  bounded: new PreparedStatement<CheckRow>((dialect) =>
    checkSql(tables, dialect, sizeCondition(tables))
  ),
}))

/**
 * Whether a row or property of the zone differs from its snapshot, or the zone or its metadata has none. One statement, whose
 * conditions are evaluated in order. With `upTo`, false for zones with more records.
 */
export async function differsFromSnapshots(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  { maxRecords }: ExternalCheckBounds = {}
): Promise<boolean> {
  const { id, name } = zone
  const bindings = [id, name, propertiesSnapshot(zone), id, id, id, id]
  const { look: whole, bounded } = statements(tables)
  const [answer] =
    maxRecords === undefined
      ? await whole.rows(client, bindings)
      : await bounded.rows(client, [id, maxRecords, id, maxRecords, ...bindings])
  return answer !== undefined && Number(answer.differs) === 1
}

/** Whether the metadata of a zone with a snapshot differs from it, or has none. */
export async function differsFromMetadataSnapshot(
  client: QueryClientContract,
  zone: BackendZone,
  metadata: Metadata
): Promise<boolean> {
  const snapshot = await readMetadataSnapshot(client, zone)
  return snapshot !== undefined && snapshot !== metadataSnapshot(metadata)
}
