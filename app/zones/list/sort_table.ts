import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { createSortRows, enqueueSortRows, takeQueuedSortRows } from '#changes/zone_index/sort_rows'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'
import { naturalSortKey } from '#dns/names/sort_key'
import { incrementZoneOrdersVersion } from '#lists/sql/zone_count'
import { JournalCursor, ENTRY_BATCH_SIZE } from '#zones/list/journal_cursor'
import { sortable } from '#zones/list/computed_fields'
import type { ListedZone } from '#zones/list/full_list'
import { ZoneSummaries, type ZoneSummary } from '#zones/list/summaries'
import { dialectOf } from '#database/dialects/dialect_of'

export const ZONE_ORDERS = 'zw_zone_sort_keys'

/** Zones per step of the sweep. */
const SWEEP_BATCH_SIZE = 500
/** Zones with new journal entries that are updated at once, also before a sorted page. */
const BATCH_SIZE = 300
/** Values of a sort row, without zone and name tree. Unknown values are lowest, as null is. */
interface SortRow {
  /** Number of the journal entry that the other values include at least. */
  entry: number
  records: number
  serial: number
  changed: string
  owners: string
  dnssec: string
}

const SORT_FIELDS = ['entry', 'records', 'serial', 'changed', 'owners', 'dnssec'] as const
const NUMBER_FIELDS: readonly string[] = ['entry', 'records', 'serial']

type StoredSortRow = Record<keyof SortRow, number | string | null>

type SortRowOfZone = StoredSortRow & { zone_id: number; tree: string }

/** A row without values. */
const EMPTY_SORT_ROW: SortRow = {
  entry: -1,
  records: -1,
  serial: -1,
  changed: '',
  owners: '',
  dnssec: '',
}

/** A wrong row: the stored values, and the correct values. */
interface WrongSortRow {
  storedRow: StoredSortRow
  sortRow: SortRow
}

/** A zone and its stored sort row; all fields are null without a row. */
type ZoneWithSortRow = ListedZone &
  StoredSortRow & { tree: string; storedTree: string | null; last_entry: number }

/** Result of a step: the id of the next step, null at the end, and the number of wrong rows. */
export interface SortTableStep {
  next: number | null
  repaired: number
}

/**
 * Shared by all background tasks and pages of this process. The sweep finds the entries that it
 * misses.
 */
const journalCursor = new JournalCursor()

/**
 * Updates the table for sort orders that have no index on zone rows. Writes of zones do not update
 * it: values are computed later and stored if they differ. Concurrent updates are safe.
 */
@inject()
export class ZoneOrders {
  constructor(private readonly summaries: ZoneSummaries) {}

  /**
   * Updates zones with new journal entries and zones with stale rows, a few hundred per call.
   *
   * @param isPatient whether to wait for row locks; otherwise throws the error of the driver
   * (`isHeldElsewhere`)
   * @returns whether more zones may need an update
   */
  async updateStale(isPatient = true): Promise<boolean> {
    const client = db.connection()
    const staleZones = takeQueuedSortRows(BATCH_SIZE)
    const [{ last }] = (await client.from('zw_journal').max('id as last')) as {
      last: number | string | null
    }[]
    const end = Number(last ?? 0)
    const from = journalCursor.from(end)
    const to = Math.min(end, from + ENTRY_BATCH_SIZE)
    const staleEntries = to > from ? await findStaleEntries(client, from, to) : []
    const ids = [...new Set(staleEntries.map(({ zone }) => zone))]
    const batchIds = ids.slice(0, BATCH_SIZE)
    const all = [...new Set([...batchIds, ...staleZones])]
    try {
      await this.updateRows(all, isPatient)
    } catch (error) {
      enqueueSortRows(all)
      throw error
    }
    const firstSkipped = staleEntries.find(({ zone }) => zone === ids[BATCH_SIZE])
    journalCursor.advance(firstSkipped ? firstSkipped.id - 1 : to)
    return firstSkipped !== undefined || to < end || staleZones.length === BATCH_SIZE
  }

  /**
   * Compares some hundred sort rows with the current values, by zone id, and corrects them. Writes
   * nothing if all are correct.
   *
   * @param after id after which the step starts; 0 for the first step
   */
  async updateNext(after: number): Promise<SortTableStep> {
    const client = db.connection()
    const rows: { id: number }[] = await client
      .from('zw_zones')
      .where('id', '>', after)
      .orderBy('id')
      .limit(SWEEP_BATCH_SIZE)
      .select('id')
    const ids = rows.map(({ id }) => id)
    const next = ids.length < SWEEP_BATCH_SIZE ? null : ids[ids.length - 1]
    return { next, repaired: await this.updateRows(ids) }
  }

  /** Sweeps all zones at once, for commands. */
  async updateAll(): Promise<void> {
    for (let after: number | null = 0; after !== null;) {
      const step: SortTableStep = await this.updateNext(after)
      after = step.next
    }
    await refreshStatistics(db.connection(), [ZONE_ORDERS])
  }

  /** Corrects the sort rows of these zones. Returns the number of wrong rows. */
  async updateRows(zoneIds: readonly number[], isPatient = true): Promise<number> {
    if (zoneIds.length === 0) {
      return 0
    }
    const client = db.connection()
    // Read first: later values may be newer than the number of the last entry, never older.
    const zones = await readZonesWithSortRows(client, zoneIds)
    const summaries = await this.summaries.readFull(zones)
    const misplaced = zones
      .filter(({ tree, storedTree }) => storedTree !== tree)
      .map(({ id }) => id)
    const wrongRows = new Map<number, WrongSortRow>()
    zones.forEach((zone, index) => {
      const sortRow = sortRowOf(summaries[index], zone.last_entry)
      const storedRow = zone.storedTree === null ? EMPTY_SORT_ROW : zone
      if (differs(storedRow, sortRow)) wrongRows.set(zone.id, { storedRow, sortRow })
    })
    if (misplaced.length === 0 && wrongRows.size === 0) {
      return 0
    }
    const { written, overwrittenIds } = await inTransaction(client, async (trx) => {
      await createSortRows(trx, misplaced)
      const result = await writeWrongRows(trx, wrongRows, isPatient)
      if (misplaced.length + result.written > 0) await incrementZoneOrdersVersion(trx)
      return result
    })
    // Another process wrote these rows; which values are newer is unknown.
    enqueueSortRows(overwrittenIds)
    return misplaced.length + written
  }
}

/** Journal entries whose zones have an older sort row. */
async function findStaleEntries(
  client: QueryClientContract,
  from: number,
  to: number
): Promise<{ id: number; zone: number }[]> {
  const rows = (await client
    .from('zw_journal as j')
    .join('zw_zones as z', 'z.uid', 'j.zone_uid')
    .leftJoin(`${ZONE_ORDERS} as o`, 'o.zone_id', 'z.id')
    .whereBetween('j.id', [from + 1, to])
    .whereNotNull('z.kind')
    .where((condition) =>
      condition.whereNull('o.entry').orWhereColumn('o.entry', '<>', 'z.last_entry')
    )
    .orderBy('j.id')
    .select('j.id', 'z.id as zone')) as { id: number | string; zone: number | string }[]
  return rows.map(({ id, zone }) => ({ id: Number(id), zone: Number(zone) }))
}

function readZonesWithSortRows(
  client: QueryClientContract,
  zoneIds: readonly number[]
): Promise<ZoneWithSortRow[]> {
  return client
    .from('zw_zones as z')
    .leftJoin(`${ZONE_ORDERS} as o`, 'o.zone_id', 'z.id')
    .whereIn('z.id', [...zoneIds])
    .whereNotNull('z.kind')
    .select('z.id', 'z.name', 'z.kind as type', 'z.tree', 'z.last_entry', 'o.tree as storedTree')
    .select(SORT_FIELDS.map((field) => `o.${field}`)) as unknown as Promise<ZoneWithSortRow[]>
}

function sortRowOf(summary: ZoneSummary, entry: number): SortRow {
  const { records, serial, changed, owners, dnssec } = sortable(summary)
  return {
    entry,
    records: records ?? -1,
    serial: serial ?? -1,
    changed: changed ?? '',
    owners: owners === null ? '' : naturalSortKey(owners),
    dnssec: dnssec ?? '',
  }
}

function differs(row: StoredSortRow, other: StoredSortRow): boolean {
  return SORT_FIELDS.some((field) => {
    const [one, two] = [row[field], other[field]]
    return NUMBER_FIELDS.includes(field) ? Number(one) !== Number(two) : one !== two
  })
}

/**
 * Writes wrong rows, except those that another process wrote since the read. Returns the number of
 * written rows, and the zones of the others.
 */
async function writeWrongRows(
  trx: QueryClientContract,
  wrongRows: Map<number, WrongSortRow>,
  isPatient: boolean
): Promise<{ written: number; overwrittenIds: number[] }> {
  const lockedRows = trx
    .from(ZONE_ORDERS)
    .whereIn('zone_id', [...wrongRows.keys()])
    .orderBy('zone_id')
    .forUpdate()
    .select('zone_id', 'tree', ...SORT_FIELDS)
  const isWaited = isPatient || dialectOf(trx).locksDatabase
  const rows = (await (isWaited ? lockedRows : lockedRows.noWait())) as SortRowOfZone[]
  const corrected: (SortRow & Omit<SortRowOfZone, keyof SortRow>)[] = []
  const overwrittenIds: number[] = []
  for (const row of rows) {
    const { storedRow, sortRow } = wrongRows.get(row.zone_id)!
    if (differs(storedRow, row)) overwrittenIds.push(row.zone_id)
    else corrected.push({ zone_id: row.zone_id, tree: row.tree, ...sortRow })
  }
  if (corrected.length > 0) await updateStoredRows(trx, corrected)
  return { written: corrected.length, overwrittenIds }
}

/** Writes existing rows that this transaction has locked. */
async function updateStoredRows(
  trx: QueryClientContract,
  rows: (SortRow & Omit<SortRowOfZone, keyof SortRow>)[]
): Promise<void> {
  if (!dialectOf(trx).upsertLocksReferences) {
    await trx
      .table(ZONE_ORDERS)
      .knexQuery.insert(rows)
      .onConflict('zone_id')
      .merge([...SORT_FIELDS])
    return
  }
  // An insert would also lock the zone rows by the foreign key, and wait for writers of zones.
  const columns = ['zone_id', ...SORT_FIELDS] as const
  const first = columns.map((column) => `? as ${column}`).join(', ')
  const next = columns.map(() => '?').join(', ')
  const values = rows.map((_, index) => `select ${index === 0 ? first : next}`).join(' union all ')
  const assignments = SORT_FIELDS.map((field) => `o.${field} = v.${field}`).join(', ')
  await trx.rawQuery(
    `update (${values}) v straight_join ${ZONE_ORDERS} o on o.zone_id = v.zone_id set ${assignments}`,
    rows.flatMap((row) => columns.map((column) => row[column]))
  )
}
