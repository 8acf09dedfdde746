import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { BackendZone } from '#backends/contract/backend'
import type { ZoneTables } from '#backends/sql/tables'
import { dialectOf } from '#database/dialects/dialect_of'
import type { SqlDialect } from '#database/dialects/sql_dialect'

/** Snapshots of record rows at the last write or check. */
export const RECORD_SNAPSHOTS = 'zw_record_snapshots'
/** Zones with a complete snapshot. */
export const ZONE_SNAPSHOTS = 'zw_zone_snapshots'

const TEXT_COLUMNS = ['name', 'type', 'content']
const VALUE_COLUMNS = ['ttl', 'prio', 'disabled']

/** Columns of a snapshot. Derived columns of name servers (auth, ordername) are not included. */
export const SNAPSHOT_COLUMNS = [...TEXT_COLUMNS, ...VALUE_COLUMNS]

/** Condition for records: empty non-terminals have no type. */
export function recordCondition(alias: string): string {
  return `${alias}.type IS NOT NULL AND ${alias}.name IS NOT NULL`
}

/**
 * Condition that a column of the row `r` differs from the snapshot `s`. Text compares byte by byte: the case of a TXT record is
 * a difference.
 */
function differsCondition({ differs: condition }: SqlDialect): string {
  const sides = (column: string) => [`r.${column}`, `s.${column}`] as const
  return condition(TEXT_COLUMNS.map(sides), VALUE_COLUMNS.map(sides))
}

/** Selects the snapshots of the zone (`s`). */
function selectSnapshots(
  client: QueryClientContract,
  zoneId: number
): DatabaseQueryBuilderContract {
  return client.from(`${RECORD_SNAPSHOTS} as s`).where('s.zone_id', zoneId)
}

/** Record rows of the zone (`r`). */
function rows(
  client: QueryClientContract,
  { records }: ZoneTables,
  zoneId: number
): DatabaseQueryBuilderContract {
  return client.from(`${records} as r`).where('r.domain_id', zoneId).whereRaw(recordCondition('r'))
}

/**
 * The two queries below find each row by its key. A planner that expects a small zone (PostgreSQL, after a transfer)
 * would compare all rows with all snapshots: hence `+ 0` and the subquery.
 */

/** Join and condition for the snapshots that differ from their row. */
export function differingConditions(
  { records }: ZoneTables,
  dialect: SqlDialect
): { join: string; where: string } {
  const sameRecord = `r.id = s.record_id AND r.domain_id + 0 = s.zone_id AND ${recordCondition('r')}`
  return {
    join: `LEFT JOIN ${records} r ON ${sameRecord}`,
    where: `(r.id IS NULL OR ${differsCondition(dialect)})`,
  }
}

/** Snapshots (`s`) that differ from their row `r`, or whose row is deleted. */
export function differingSnapshots(
  client: QueryClientContract,
  tables: ZoneTables,
  zoneId: number
): DatabaseQueryBuilderContract {
  const { join, where } = differingConditions(tables, dialectOf(client))
  return selectSnapshots(client, zoneId).joinRaw(join).whereRaw(where)
}

/** Rows of the zone (`r`) without a snapshot. */
export function rowsWithoutSnapshot(
  client: QueryClientContract,
  tables: ZoneTables,
  zoneId: number
): DatabaseQueryBuilderContract {
  const snapshotQuery = `SELECT 1 FROM ${RECORD_SNAPSHOTS} s WHERE s.zone_id = r.domain_id AND s.record_id = r.id`
  return rows(client, tables, zoneId).whereRaw(`(${snapshotQuery}) IS NULL`)
}

/** Selects the row of a zone with a snapshot. */
export function selectKnownZone(
  client: QueryClientContract,
  zone: BackendZone
): DatabaseQueryBuilderContract {
  return client.from(ZONE_SNAPSHOTS).where({ zone_id: zone.id, zone_name: zone.name })
}

/** The snapshot of the metadata; null if there is none, undefined for a zone without a snapshot. */
export async function readMetadataSnapshot(
  client: QueryClientContract,
  zone: BackendZone
): Promise<string | null | undefined> {
  const row = (await selectKnownZone(client, zone).select('metadata').first()) as {
    metadata: string | null
  } | null
  return row?.metadata
}
