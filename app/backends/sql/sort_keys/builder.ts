import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import {
  RECORD_KEYS,
  STORED_COLUMNS,
  isSameStored,
  type StoredKeyRow,
} from '#backends/sql/sort_keys/keys'
import {
  forgetKeys,
  keyedRow,
  replaceKeys,
  rowsAtNames,
  withSetTtls,
  type KeyedRow,
} from '#backends/sql/sort_keys/sorted_rows'
import { RECORD_COLUMNS, type RecordRow } from '#backends/sql/rows'
import {
  ZONE_SNAPSHOTS,
  recordCondition,
  selectKnownZone,
} from '#backends/sql/snapshots/snapshot_queries'
import { SqlWriteSession } from '#backends/sql/session'
import type { ZoneTables } from '#backends/sql/tables'
import { inTransaction } from '#database/transaction'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'
import { refreshStatistics } from '#database/schema/statistics'
import { dialectOf } from '#database/dialects/dialect_of'

/** Rows of one transaction. SQLite's driver is synchronous: requests wait for all of it. */
const ROW_BATCH_SIZE = { embedded: 500, server: 2_000 }
/** Ids per transaction: rows of other zones can lie between, and not every schema has an index of zone and id. */
const ID_BATCH_SIZE = 20_000

/** A zone whose keys are verified. */
interface KeyedZone {
  zone_id: number | string
  zone_name: string
  keyed_to: number | string
}

/**
 * Creates or corrects the sort keys of the next rows of a waiting zone, in one short transaction. Returns whether there was
 * one. Safe for concurrent callers.
 */
export async function buildSortKeys(
  client: QueryClientContract,
  tables: ZoneTables
): Promise<boolean> {
  const zone = (await client
    .from(ZONE_SNAPSHOTS)
    .where('keyed_to', '>=', 0)
    .where('keyed_to', '<', LARGEST_ROW_ID)
    // One zone after the other: pages need all keys of a zone.
    .orderBy('keyed_to', 'desc')
    .select('zone_id', 'zone_name', 'keyed_to')
    .first()) as KeyedZone | null
  if (!zone) {
    return false
  }
  let isDone = false
  await withZoneLock(client, tables, zone, async (trx, current, keyedTo) => {
    if (keyedTo < LARGEST_ROW_ID) {
      const { end } = await correctKeys(trx, tables, current, keyedTo)
      await selectKnownZone(trx, current).update({ keyed_to: end })
      isDone = end === LARGEST_ROW_ID
      if (isDone) await countExternalRows(trx, current)
    }
  })
  if (isDone) {
    await refreshStatistics(client, [RECORD_KEYS])
  }
  return true
}

/** Position of the verification of all keys. */
export interface KeyCursor {
  zoneId: number
  after: number
}

/**
 * Verifies the keys of the next rows of all zones with keys: other tools can write rows. If a key is wrong, all keys of that
 * zone are verified again. Returns the next position.
 */
export async function verifySortKeys(
  client: QueryClientContract,
  tables: ZoneTables,
  { zoneId, after }: KeyCursor
): Promise<KeyCursor> {
  const zone = (await client
    .from(ZONE_SNAPSHOTS)
    .where('keyed_to', LARGEST_ROW_ID)
    .where('zone_id', '>=', zoneId)
    .orderBy('zone_id')
    .select('zone_id', 'zone_name', 'keyed_to')
    .first()) as KeyedZone | null
  if (!zone) {
    return { zoneId: 0, after: 0 }
  }
  const id = Number(zone.zone_id)
  let end = LARGEST_ROW_ID
  await withZoneLock(client, tables, zone, async (trx, current, keyedTo) => {
    if (keyedTo === LARGEST_ROW_ID) {
      const verified = await correctKeys(trx, tables, current, id === zoneId ? after : 0)
      end = verified.end
      if (verified.wrong > 0) await selectKnownZone(trx, current).update({ keyed_to: 0 })
    }
  })
  return end === LARGEST_ROW_ID ? { zoneId: id + 1, after: 0 } : { zoneId: id, after: end }
}

/** Runs work under the lock of the zone, so that no row is written concurrently; deletes the keys of a deleted zone. */
async function withZoneLock(
  client: QueryClientContract,
  tables: ZoneTables,
  { zone_id: zoneId, zone_name: name }: KeyedZone,
  work: (trx: TransactionClientContract, zone: BackendZone, keyedTo: number) => Promise<void>
): Promise<void> {
  const id = Number(zoneId)
  await inTransaction(client, async (trx) => {
    const locked = await new SqlWriteSession(trx, tables).lockZones([id])
    const zone = locked.get(id)
    const known =
      zone?.name === name ? await selectKnownZone(trx, zone).select('keyed_to').first() : null
    if (zone && known) {
      if (known.keyed_to !== null) await work(trx, zone, Number(known.keyed_to))
      return
    }
    await forgetKeys(trx, id)
    await trx
      .from(ZONE_SNAPSHOTS)
      .where({ zone_id: id, zone_name: name })
      .update({ keyed_to: null })
  })
}

/** Corrects the keys of the next rows. Returns the id of the last row and the number of wrong keys. */
async function correctKeys(
  trx: TransactionClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  after: number
): Promise<{ end: number; wrong: number }> {
  const { rows, end } = await nextRows(trx, tables, zone, after)
  const stored = (await trx
    .from(RECORD_KEYS)
    .where('zone_id', zone.id)
    .where('record_id', '>', after)
    .where('record_id', '<=', end)
    .select([...STORED_COLUMNS])) as StoredKeyRow[]
  const storedById = new Map(stored.map((row) => [Number(row.record_id), row]))
  const missingKeys: StoredKeyRow[] = []
  for (const keys of await expectedKeys(trx, tables, zone, rows)) {
    const id = Number(keys.record_id)
    const known = storedById.get(id)
    if (known && isSameStored(known, keys)) storedById.delete(id)
    else missingKeys.push(keys)
  }
  // Keys of deleted and changed rows.
  const deletedIds = [...storedById.keys()]
  await replaceKeys(trx, zone.id, deletedIds, missingKeys)
  return { end, wrong: deletedIds.length + missingKeys.length }
}

/** Records of the zone with the next ids, and the id up to which these are all. */
async function nextRows(
  trx: TransactionClientContract,
  { records }: ZoneTables,
  zone: BackendZone,
  after: number
): Promise<{ rows: RecordRow[]; end: number }> {
  const size = ROW_BATCH_SIZE[dialectOf(trx).isEmbedded ? 'embedded' : 'server']
  const maxId = after + ID_BATCH_SIZE
  const rows = (await trx
    .from(records)
    .where('id', '>', after)
    .where('id', '<=', maxId)
    // No index has a sum: the range of ids restricts the query.
    .whereRaw('domain_id + 0 = ?', [zone.id])
    .whereRaw(recordCondition(records))
    .orderBy('id')
    .limit(size)
    .select(RECORD_COLUMNS)) as RecordRow[]
  if (rows.length === size) {
    return { rows, end: Number(rows[rows.length - 1].id) }
  }
  // Skips unused ids at once.
  const next = (await trx
    .from(records)
    .where('id', '>', maxId)
    .orderBy('id')
    .select('id')
    .first()) as { id: number | string } | null
  return { rows, end: next ? Number(next.id) - 1 : LARGEST_ROW_ID }
}

/** The keys of some rows. Other rows of their RRsets can be anywhere in the zone. */
async function expectedKeys(
  trx: TransactionClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  rows: readonly RecordRow[]
): Promise<StoredKeyRow[]> {
  const names = rows.map(({ name }) => name)
  const found = new Map<number, KeyedRow>(rows.map((row) => [Number(row.id), keyedRow(zone, row)]))
  const wanted = new Set(found.keys())
  for (const row of await rowsAtNames(trx, tables, zone, names)) found.set(row.listed.id, row)
  return withSetTtls([...found.values()]).filter(({ record_id: id }) => wanted.has(Number(id)))
}

/**
 * Stores the difference between the numbers of keys and of snapshots, which external writes cause, and the number of
 * RRsets, which is then known.
 */
async function countExternalRows(trx: TransactionClientContract, zone: BackendZone): Promise<void> {
  const [keys] = await trx
    .from(RECORD_KEYS)
    .where('zone_id', zone.id)
    .count('* as total')
    .count('set_ttl as sets')
  const known = (await selectKnownZone(trx, zone).select('records').firstOrFail()) as {
    records: number | string
  }
  await selectKnownZone(trx, zone).update({ sets: Number(keys.sets) })
  const difference = Number(keys.total) - Number(known.records)
  await selectKnownZone(trx, zone)
    .whereNot('keyed_more', difference)
    // The cached number of records is outdated.
    .update({ keyed_more: difference, takes: trx.raw('takes + 1') })
}
