import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { ListedRow } from '#backends/sql/lists/listed_row'
import { forEachRange } from '#backends/sql/id_ranges'
import {
  RECORD_KEYS,
  STORED_COLUMNS,
  sortKeysOf,
  type KeyRow,
  type StoredKeyRow,
} from '#backends/sql/sort_keys/keys'
import { RECORD_COLUMNS, type RecordRow } from '#backends/sql/rows'
import { atNames, withIds } from '#backends/sql/row_lookup'
import { recordCondition } from '#backends/sql/snapshots/snapshot_queries'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import type { RRsetKey } from '#dns/types'

/** The keys of a zone, for `forEachRange`. */
const KEY_RANGES = { table: RECORD_KEYS, zone: 'zone_id', id: 'record_id' }

/** A row of the zone's records with its sort keys. */
export interface KeyedRow {
  row: RecordRow
  listed: ListedRow
  keys: KeyRow
}

/** Records of the zone by their ids, each with the sort keys that it should have. */
export async function keyedRows(
  client: QueryClientContract,
  { records }: ZoneTables,
  zone: BackendZone,
  ids: number[]
): Promise<Map<number, KeyedRow>> {
  const found = new Map<number, KeyedRow>()
  for (const part of chunks(ids)) {
    const rows = client.from(records).select(RECORD_COLUMNS).whereRaw(recordCondition(records))
    for (const row of (await withIds(rows, zone.id, part)) as RecordRow[]) {
      found.set(Number(row.id), keyedRow(zone, row))
    }
  }
  return found
}

/** A row with the sort keys that it should have. */
export function keyedRow(zone: BackendZone, row: RecordRow): KeyedRow {
  const listed = new ListedRow(row, zone.name)
  return { row, listed, keys: sortKeysOf(zone.id, listed) }
}

/**
 * Creates the keys of rows that this transaction wrote, and deletes those of deleted rows.
 *
 * @param sets former RRsets of these rows
 */
export async function updateKeys(
  trx: TransactionClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  ids: number[],
  sets: readonly RRsetKey[]
): Promise<void> {
  const found = await keyedRows(trx, tables, zone, ids)
  const written = [...found.values()]
  const affectedSets = new Set([...sets, ...written.map(({ listed }) => listed)].map(setKeyOf))
  const names = [...sets.map(({ name }) => name), ...written.map(({ row }) => row.name)]
  const rowsOfNames = await rowsAtNames(trx, tables, zone, names)
  const affectedRows = rowsOfNames.filter(({ listed }) => affectedSets.has(setKeyOf(listed)))
  const known = new Set(affectedRows.map(({ listed }) => listed.id))
  const rows = [...affectedRows, ...written.filter(({ listed }) => !known.has(listed.id))]
  const deletedIds = new Set([...ids, ...rows.map(({ listed }) => listed.id)])
  await replaceKeys(trx, zone.id, [...deletedIds], withSetTtls(rows))
}

/** Records of the zone at these owner names; those of one name by their ids. */
export async function rowsAtNames(
  client: QueryClientContract,
  { records }: ZoneTables,
  zone: BackendZone,
  names: readonly string[]
): Promise<KeyedRow[]> {
  const found: KeyedRow[] = []
  for (const part of chunks([...new Set(names)])) {
    const rows = client.from(records).select(RECORD_COLUMNS).whereRaw(recordCondition(records))
    for (const row of (await atNames(rows, zone.id, part).orderBy('id')) as RecordRow[]) {
      found.push(keyedRow(zone, row))
    }
  }
  return found
}

/** The stored values of records, which must include all records of their RRsets. */
export function withSetTtls(rows: readonly KeyedRow[]): StoredKeyRow[] {
  const sets = new Map<string, { first: number; ttl: number }>()
  for (const { listed } of rows) {
    const set = sets.get(setKeyOf(listed))
    const { id, ttl } = listed
    sets.set(setKeyOf(listed), {
      first: Math.min(id, set?.first ?? id),
      ttl: Math.min(ttl, set?.ttl ?? ttl),
    })
  }
  return rows.map(({ listed, keys }) => {
    const { first, ttl } = sets.get(setKeyOf(listed))!
    return first === listed.id
      ? // Another tool may have stored what is no TTL.
        { ...keys, set_ttl: Math.max(0, ttl), set_id: null }
      : { ...keys, set_ttl: null, set_id: first }
  })
}

function setKeyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}

/** Replaces the keys of some rows. */
export async function replaceKeys(
  trx: TransactionClientContract,
  zoneId: number,
  deletedIds: number[],
  keys: StoredKeyRow[]
): Promise<void> {
  for (const part of chunks(deletedIds)) {
    await trx.from(RECORD_KEYS).where('zone_id', zoneId).whereIn('record_id', part).delete()
  }
  const placeholders = `(${STORED_COLUMNS.map(() => '?').join(', ')})`
  for (const part of chunks(keys)) {
    await trx.rawQuery(
      `INSERT INTO ${RECORD_KEYS} (${STORED_COLUMNS.join(', ')}) VALUES ${part.map(() => placeholders).join(', ')}`,
      // Lucid's types do not allow NULL.
      part.flatMap((row) => STORED_COLUMNS.map((column) => row[column] as string | number))
    )
  }
}

/** Deletes the keys of a zone. */
export async function forgetKeys(trx: TransactionClientContract, zoneId: number): Promise<void> {
  await forEachRange(trx, KEY_RANGES, zoneId, (rows) => rows().delete())
}
