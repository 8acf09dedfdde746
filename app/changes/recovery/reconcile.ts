import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { importNewZones, zoneOfIndex } from '#changes/zone_index/discover'
import {
  addMissingRows,
  addZoneRow,
  ensureZoneRow,
  findZoneRow,
  listedKind,
  namedColumns,
  type ListedZoneRow,
  type ZoneRow,
} from '#changes/zone_index/zone_rows'
import { createSortRows, deleteSortRows, enqueueSortRows } from '#changes/zone_index/sort_rows'
import { writeZones } from '#changes/recovery/write_zones'
import type { ZoneCountChange, ZoneWrite } from '#changes/transaction/zone_transaction'
import { chunks } from '#database/statements/chunks'

/** Zones that one step compares. */
const STEP_BATCH_SIZE = 2_000

/** Zones per transaction of a command, when no request waits. */
const COMMAND_BATCH_SIZE = 20_000

/** Differences between zone rows and the backend, in numbers of zones. */
export interface Repairs {
  /** Zones without a zone row. */
  adopted: number
  /** Rows of another zone with the same id: they were deleted, with their owners. */
  replaced: number
  /** Zones of another kind, and zones that exist again. */
  changed: number
  /** Rows of zones that do not exist any more. */
  gone: number
}

/** A step of a sweep; `next` is the start of the next one, null at the end. */
export interface ReconcileStep {
  next: number | null
  repairs: Repairs
}

/**
 * Compares one batch of zone rows with the zones of the backend, by id, and repairs differences.
 * Both tables are read by their keys; a step without differences takes no lock. Several sweeps may
 * overlap.
 *
 * @param after the id after which it begins; 0 at first
 */
export async function reconcileZones(backend: DnsBackend, after: number): Promise<ReconcileStep> {
  const { table, columns } = backend.zoneIndex
  const ends = await Promise.all([endOf(table, columns.id, after), endOf('zw_zones', 'id', after)])
  const next = ends.reduce((one, other) => Math.min(one ?? Infinity, other ?? Infinity))
  const last = next === Infinity ? null : next
  const ids = [
    ...(await findStaleRows(backend, after, last)),
    ...(await findUnlistedZones(backend, after, last)),
  ]
  return { next: last, repairs: await repairZoneRows(backend, ids) }
}

/**
 * Adds zone rows for all zones without one, and repairs other differences. Reads the whole zone
 * index, in steps. For commands: on SQLite, other writers wait up to a second per step.
 */
export async function adoptAllZones(backend: DnsBackend): Promise<void> {
  await importNewZones(backend, { batch: COMMAND_BATCH_SIZE })
  for (let after: number | null = 0; after !== null;) {
    const step: ReconcileStep = await reconcileZones(backend, after)
    after = step.next
  }
}

/**
 * Repairs the zone rows of these zones; correct rows stay. The row of a missing zone leaves the
 * lists, but keeps owners and journal for a zone of that id and name that is created again. A row
 * without such data is deleted.
 */
export async function repairZoneRows(backend: DnsBackend, ids: number[]): Promise<Repairs> {
  const repairs = { adopted: 0, replaced: 0, changed: 0, gone: 0 }
  for (const part of chunks([...new Set(ids)].sort((one, other) => one - other))) {
    const done = await writeZones(backend, (write) => repairBatch(backend, write, part))
    enqueueSortRows(part)
    for (const counter of Object.keys(repairs) as (keyof Repairs)[])
      repairs[counter] += done[counter]
  }
  return repairs
}

/** Lists rows again whose zones exist again. */
export async function relistZones(backend: DnsBackend): Promise<Repairs> {
  const { table, columns } = backend.zoneIndex
  const rows: { id: number }[] = await db
    .from('zw_zones as own')
    .join(`${table} as z`, `z.${columns.id}`, 'own.id')
    .whereNull('own.kind')
    .select('own.id')
  return repairZoneRows(
    backend,
    rows.map(({ id }) => Number(id))
  )
}

async function endOf(table: string, id: string, after: number): Promise<number | null> {
  const row: { id: number } | null = await db
    .from(table)
    .where(id, '>', after)
    .orderBy(id)
    .offset(STEP_BATCH_SIZE - 1)
    .select(`${id} as id`)
    .first()
  return row && Number(row.id)
}

/**
 * Ids of zone rows that differ from their zone, or whose zone is missing. Rows outside the list may
 * have no zone.
 */
async function findStaleRows(
  { zoneIndex: { table, columns } }: DnsBackend,
  after: number,
  last: number | null
): Promise<number[]> {
  const [id, name, kind] = [columns.id, columns.name, columns.kind].map((one) => `z.${one}`)
  const rows = db
    .from('zw_zones as own')
    .leftJoin(`${table} as z`, id, 'own.id')
    .where('own.id', '>', after)
    .where((staleCondition) => {
      staleCondition
        .where((goneCondition) => goneCondition.whereNull(id).whereNotNull('own.kind'))
        .orWhere((other) =>
          other.whereNotNull(id).where((differs) => {
            differs
              .whereNull('own.kind')
              .orWhereNull('own.sort_key')
              .orWhereRaw('lower(??) <> own.name', [name])
              .orWhereRaw("case ?? when '' then 'MASTER' else upper(??) end <> own.kind", [
                kind,
                kind,
              ])
          })
        )
    })
    .select('own.id')
  if (last !== null) {
    rows.where('own.id', '<=', last)
  }
  return ((await rows) as { id: number }[]).map((row) => row.id)
}

/** Ids of zones without a zone row. */
async function findUnlistedZones(
  { zoneIndex: { table, columns } }: DnsBackend,
  after: number,
  last: number | null
): Promise<number[]> {
  const id = `${table}.${columns.id}`
  const rows = db
    .from(table)
    .leftJoin('zw_zones', 'zw_zones.id', id)
    .where(id, '>', after)
    .whereNull('zw_zones.id')
    .select(`${id} as id`)
  if (last !== null) {
    rows.where(id, '<=', last)
  }
  return ((await rows) as { id: number }[]).map((row) => Number(row.id))
}

/** Under the locks of the zones, so that no write of Zonewright is half done. */
async function repairBatch(
  backend: DnsBackend,
  { session, trx, countChange }: ZoneWrite,
  ids: number[]
): Promise<Repairs> {
  const { table, columns } = backend.zoneIndex
  await session.lockZones(ids)
  const found: ListedZoneRow[] = await trx
    .from(table)
    .whereIn(columns.id, ids)
    .select(`${columns.id} as id`, `${columns.name} as name`, `${columns.kind} as kind`)
  const zones = new Map(found.map(zoneOfIndex).map((zone) => [zone.id, zone]))
  const rows: StoredRow[] = await trx.from('zw_zones').whereIn('id', ids).orderBy('id')
  const repairs = { adopted: 0, replaced: 0, changed: 0, gone: 0 }
  for (const row of rows) {
    const zone = zones.get(row.id)
    zones.delete(row.id)
    if (!zone) {
      repairs.gone += await removeFromList(backend, trx, row, countChange)
    } else if (zone.name !== row.name) {
      await addZoneRow(trx, zone, null, countChange)
      countChange.markChanged()
      repairs.replaced++
    } else {
      repairs.changed += await updateListedRow(trx, zone, row, countChange)
    }
  }
  await addMissingRows(trx, [...zones.values()], countChange)
  return { ...repairs, adopted: zones.size }
}

type StoredRow = ZoneRow & { sort_key: string | null }

/** Updates a row that differs from its zone. Returns the number of changed rows. */
async function updateListedRow(
  trx: ZoneWrite['trx'],
  zone: ListedZoneRow,
  row: StoredRow,
  countChange: ZoneCountChange
): Promise<number> {
  const kind = listedKind(zone.kind)
  const nameColumns = namedColumns(zone.name)
  if (row.kind === kind && row.sort_key === nameColumns.sort_key) {
    return 0
  }
  await trx
    .from('zw_zones')
    .where('id', row.id)
    .update({ ...nameColumns, kind })
  await createSortRows(trx, [row.id])
  countChange.add(row.kind === null ? 1 : 0)
  countChange.markChanged()
  return 1
}

/**
 * Removes the row of a missing zone from the list; deletes it if it has no further data. The
 * statement checks again that the zone is missing.
 */
async function removeFromList(
  { zoneIndex: { table, columns } }: DnsBackend,
  trx: ZoneWrite['trx'],
  { id }: StoredRow,
  countChange: ZoneCountChange
): Promise<number> {
  const listedRow = () =>
    trx
      .from('zw_zones')
      .where('id', id)
      .whereNotNull('kind')
      .whereNotExists((zone) => zone.from(table).where(`${table}.${columns.id}`, id))
  const rowWithoutData = listedRow().where('last_entry', 0).whereNull('description')
  for (const dependent of [
    'zw_zone_owners',
    'zw_zone_groups',
    'zw_api_key_zones',
    'zw_record_comments',
  ]) {
    rowWithoutData.whereNotExists((rows) => rows.from(dependent).where(`${dependent}.zone_id`, id))
  }
  const deleted = Number(await rowWithoutData.delete())
  const unlisted =
    deleted > 0 ? 0 : Number(await listedRow().update({ kind: null, sort_key: null }))
  if (unlisted > 0) await deleteSortRows(trx, [id])
  countChange.add(-deleted - unlisted)
  return deleted + unlisted
}

/**
 * As `ensureZoneRow`, in its own transaction, for the locked zone. A renamed zone has its row
 * already, and a deleted one gets none.
 */
export async function adoptZone(backend: DnsBackend, zone: ListedZoneRow): Promise<void> {
  const row = await findZoneRow(zone)
  if (row && row.kind !== null) {
    return
  }
  await writeZones(backend, async ({ session, trx, countChange }) => {
    const locked = await session.lockZones([zone.id])
    const current = locked.get(zone.id)
    if (current) await ensureZoneRow(trx, current, countChange)
  })
}
