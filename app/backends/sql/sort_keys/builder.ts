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
import { ZONE_SNAPSHOTS, isRecord, knownZone } from '#backends/sql/snapshots/snapshot_queries'
import { SqlWriteSession } from '#backends/sql/session'
import type { ZoneTables } from '#backends/sql/tables'
import { inTransaction } from '#database/transaction'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'
import { refreshStatistics } from '#database/schema/statistics'
import { dialectOf } from '#database/dialects/dialect_of'

/** Rows of one transaction. SQLite's driver is synchronous: requests wait for all of it. */
const ROW_BATCH_SIZE = { embedded: 500, server: 2_000 }
/** Ids of one transaction, for rows of other zones lie between: not every schema has the rows of a zone by their ids. */
const ID_BATCH_SIZE = 20_000

/** A zone whose keys are looked at. */
interface KeyedZone {
  zone_id: number | string
  zone_name: string
  keyed_to: number | string
}

/**
 * Makes sort keys, or puts them right: those of the next rows of a zone that waits for them, in one short
 * transaction. Whether there was such a zone. Any number may do so at once.
 */
export async function buildSortKeys(
  client: QueryClientContract,
  tables: ZoneTables
): Promise<boolean> {
  const zone = (await client
    .from(ZONE_SNAPSHOTS)
    .where('keyed_to', '>=', 0)
    .where('keyed_to', '<', LARGEST_ROW_ID)
    // One after the other: pages need all keys of a zone.
    .orderBy('keyed_to', 'desc')
    .select('zone_id', 'zone_name', 'keyed_to')
    .first()) as KeyedZone | null
  if (!zone) {
    return false
  }
  let isDone = false
  await underLock(client, tables, zone, async (trx, current, keyedTo) => {
    if (keyedTo < LARGEST_ROW_ID) {
      const { end } = await putRight(trx, tables, current, keyedTo)
      await knownZone(trx, current).update({ keyed_to: end })
      isDone = end === LARGEST_ROW_ID
      if (isDone) await countExternalRows(trx, current)
    }
  })
  if (isDone) {
    await refreshStatistics(client, [RECORD_KEYS])
  }
  return true
}

/** Where a look at all keys goes on. */
export interface KeyCursor {
  zoneId: number
  after: number
}

/**
 * Looks whether keys are still right: those of the next rows of all zones that have them. Others may have written
 * rows without a word; then all keys of that zone are looked at anew. Returns where to go on.
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
  await underLock(client, tables, zone, async (trx, current, keyedTo) => {
    if (keyedTo === LARGEST_ROW_ID) {
      const looked = await putRight(trx, tables, current, id === zoneId ? after : 0)
      end = looked.end
      if (looked.wrong > 0) await knownZone(trx, current).update({ keyed_to: 0 })
    }
  })
  return end === LARGEST_ROW_ID ? { zoneId: id + 1, after: 0 } : { zoneId: id, after: end }
}

/** Works on a zone with its lock, by which no row is written meanwhile; forgets keys of a zone that is gone. */
async function underLock(
  client: QueryClientContract,
  tables: ZoneTables,
  { zone_id: zoneId, zone_name: name }: KeyedZone,
  work: (trx: TransactionClientContract, zone: BackendZone, keyedTo: number) => Promise<void>
): Promise<void> {
  const id = Number(zoneId)
  await inTransaction(client, async (trx) => {
    const locked = await new SqlWriteSession(trx, tables).lockZones([id])
    const zone = locked.get(id)
    const known = zone?.name === name ? await knownZone(trx, zone).select('keyed_to').first() : null
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

/** Puts the keys of the next rows right. Returns the id of the last one, and how many were wrong. */
async function putRight(
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
  const left = new Map(stored.map((row) => [Number(row.record_id), row]))
  const missing: StoredKeyRow[] = []
  for (const keys of await keysOf(trx, tables, zone, rows)) {
    const id = Number(keys.record_id)
    const known = left.get(id)
    if (known && isSameStored(known, keys)) left.delete(id)
    else missing.push(keys)
  }
  // Those of rows that are gone or other ones now.
  const gone = [...left.keys()]
  await replaceKeys(trx, zone.id, gone, missing)
  return { end, wrong: gone.length + missing.length }
}

/** Records of the zone with the next ids, and the id up to which these are all. */
async function nextRows(
  trx: TransactionClientContract,
  { records }: ZoneTables,
  zone: BackendZone,
  after: number
): Promise<{ rows: RecordRow[]; end: number }> {
  const size = ROW_BATCH_SIZE[dialectOf(trx).isEmbedded ? 'embedded' : 'server']
  const until = after + ID_BATCH_SIZE
  const rows = (await trx
    .from(records)
    .where('id', '>', after)
    .where('id', '<=', until)
    // A sum is looked up by no index: the range of ids is what narrows.
    .whereRaw('domain_id + 0 = ?', [zone.id])
    .whereRaw(isRecord(records))
    .orderBy('id')
    .limit(size)
    .select(RECORD_COLUMNS)) as RecordRow[]
  if (rows.length === size) {
    return { rows, end: Number(rows[rows.length - 1].id) }
  }
  // Ids that no row has are passed at once.
  const next = (await trx
    .from(records)
    .where('id', '>', until)
    .orderBy('id')
    .select('id')
    .first()) as { id: number | string } | null
  return { rows, end: next ? Number(next.id) - 1 : LARGEST_ROW_ID }
}

/** What is to be stored of some rows. Others of their RRsets may lie anywhere in the zone. */
async function keysOf(
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
 * Notes how many more rows have keys than were taken note of: others wrote them, or deleted those. How many RRsets there
 * are is known then.
 */
async function countExternalRows(trx: TransactionClientContract, zone: BackendZone): Promise<void> {
  const [keys] = await trx
    .from(RECORD_KEYS)
    .where('zone_id', zone.id)
    .count('* as total')
    .count('set_ttl as sets')
  const known = (await knownZone(trx, zone).select('records').firstOrFail()) as {
    records: number | string
  }
  await knownZone(trx, zone).update({ sets: Number(keys.sets) })
  const more = Number(keys.total) - Number(known.records)
  await knownZone(trx, zone)
    .whereNot('keyed_more', more)
    // What was found out about the number of records is out of date.
    .update({ keyed_more: more, takes: trx.raw('takes + 1') })
}
