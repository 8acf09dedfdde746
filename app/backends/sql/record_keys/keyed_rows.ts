import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract'
import { ListedRow } from '#backends/sql/lists/listed_row'
import { inRanges } from '#backends/sql/ranges'
import { KEY_COLUMNS, RECORD_KEYS, keyRowOf, type KeyRow } from '#backends/sql/record_keys/key_rows'
import { RECORD_COLUMNS, type RecordRow } from '#backends/sql/rows'
import { withIds } from '#backends/sql/row_lookup'
import { isRecord } from '#backends/sql/seen_sql'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/chunks'

/** The keys of a zone, for `inRanges`. */
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
    const rows = client.from(records).select(RECORD_COLUMNS).whereRaw(isRecord(records))
    for (const row of (await withIds(rows, zone.id, part)) as RecordRow[]) {
      found.set(Number(row.id), keyedRow(zone, row))
    }
  }
  return found
}

/** A row with the sort keys that it should have. */
export function keyedRow(zone: BackendZone, row: RecordRow): KeyedRow {
  const listed = new ListedRow(row, zone.name)
  return { row, listed, keys: keyRowOf(zone.id, listed) }
}

/** Gives rows that this transaction has written their keys; the keys of those that are gone go. */
export async function rekey(
  trx: TransactionClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  ids: number[]
): Promise<void> {
  const rows = await keyedRows(trx, tables, zone, ids)
  await replaceKeys(
    trx,
    zone.id,
    ids,
    [...rows.values()].map(({ keys }) => keys)
  )
}

/** Replaces the keys of some rows. */
export async function replaceKeys(
  trx: TransactionClientContract,
  zoneId: number,
  gone: number[],
  keys: KeyRow[]
): Promise<void> {
  for (const part of chunks(gone)) {
    await trx.from(RECORD_KEYS).where('zone_id', zoneId).whereIn('record_id', part).delete()
  }
  const places = `(${KEY_COLUMNS.map(() => '?').join(', ')})`
  for (const part of chunks(keys)) {
    await trx.rawQuery(
      `INSERT INTO ${RECORD_KEYS} (${KEY_COLUMNS.join(', ')}) VALUES ${part.map(() => places).join(', ')}`,
      part.flatMap((row) => KEY_COLUMNS.map((column) => row[column]))
    )
  }
}

/** Forgets the keys of a zone. */
export async function forgetKeys(trx: TransactionClientContract, zoneId: number): Promise<void> {
  await inRanges(trx, KEY_RANGES, zoneId, (rows) => rows().delete())
}
