import { foldCase } from '#dns/names'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { runYielding, mapYielding } from '#database/event_loop'
import { diffSteps } from '#dns/diff'
import { sortSteps } from '#dns/steps'
import type { RRset, RRsetChange } from '#dns/types'
import type { BackendZone } from '#backends/contract/backend'
import { chunks } from '#database/statements/chunks'
import { isRecordRow, type NamedRows } from '#backends/sql/named_rows'
import { rrsetsOfRows } from '#backends/sql/rows'
import type { RecordSnapshots, SnapshotRow } from '#backends/sql/snapshots/record_snapshots'
import type { ZoneTables } from '#backends/sql/tables'
import {
  SNAPSHOT_COLUMNS,
  RECORD_SNAPSHOTS,
  differingSnapshots,
  rowsWithoutSnapshot,
} from '#backends/sql/snapshots/snapshot_queries'

/** Rows by their id. */
type SnapshotRowMap = Map<number, SnapshotRow>

/** Snapshots and current rows of some owner names. */
interface SnapshotsAndRows {
  snapshots: SnapshotRowMap
  currentRows: SnapshotRowMap
}

/**
 * Returns external changes of rows as changes of RRsets, and updates the snapshots. The lock of the zone must be held. It
 * protects the snapshots, not PowerDNS' rows, which other tools write without it: one statement therefore reads all rows of an
 * owner name, and these are returned and stored.
 */
export class ExternalChanges {
  constructor(
    private readonly trx: TransactionClientContract,
    private readonly tables: ZoneTables,
    private readonly recordSnapshots: RecordSnapshots,
    private readonly namedRows: NamedRows
  ) {}

  /** See `WriteSession.takeExternalChanges`. */
  async takeChanges(zone: BackendZone, names?: string[]): Promise<RRsetChange[]> {
    if (!(await this.recordSnapshots.hasSnapshot(zone))) {
      await this.recordSnapshots.createFromRows(zone)
      return []
    }
    const sides = await this.#readSnapshotsAndRows(
      zone,
      names ?? (await this.#findChangedNames(zone))
    )
    const { snapshots, currentRows } = sides
    const found = [...currentRows.values()]
    const isSame = await mapYielding(found, (row) => isSameRow(row, snapshots.get(Number(row.id))))
    const changed = found.filter((_, index) => !isSame[index])
    const deletedIds = [...snapshots.keys()].filter((id) => !currentRows.has(id))
    const changes = await runYielding(
      diffSteps(await rrsets(zone, snapshots), await rrsets(zone, currentRows))
    )
    const addedCount = changes.filter(({ before }) => !before).length
    await this.recordSnapshots.storeReadRows(
      zone,
      changed,
      deletedIds,
      addedCount - changes.filter(({ after }) => !after).length
    )
    if (!names) {
      await this.recordSnapshots.recount(zone)
    }
    return changes
  }

  /** Owner names of new, changed and deleted rows, and former names of changed ones. */
  async #findChangedNames(zone: BackendZone): Promise<string[]> {
    const snapshotRows = (await differingSnapshots(this.trx, this.tables, zone.id).select(
      's.name as known',
      'r.name as there'
    )) as { known: string; there: string | null }[]
    const added = (await rowsWithoutSnapshot(this.trx, this.tables, zone.id).select(
      'r.name as name'
    )) as {
      name: string
    }[]
    return [
      ...snapshotRows.flatMap(({ known, there }) => [known, there ?? known]),
      ...added.map(({ name }) => name),
    ]
  }

  /**
   * Reads snapshots and rows of these names, and of the former names of their rows: a snapshot that is updated here would hide
   * the change there.
   */
  async #readSnapshotsAndRows(zone: BackendZone, names: string[]): Promise<SnapshotsAndRows> {
    const sides: SnapshotsAndRows = { snapshots: new Map(), currentRows: new Map() }
    const namesRead = new Set<string>()
    // The stored spelling of names, and the folded one.
    let unreadNames = [...new Set(names.flatMap((name) => [name, foldCase(name)]))]
    while (unreadNames.length > 0) {
      unreadNames.forEach((name) => namesRead.add(foldCase(name)))
      for (const part of chunks(unreadNames)) {
        const [rows, snapshotRows] = await Promise.all([
          this.namedRows.readAt(zone, part),
          this.#snapshotsWhere(zone, 'name', part),
        ])
        addRows(sides.currentRows, rows.filter(isRecordRow), namesRead)
        addRows(sides.snapshots, snapshotRows, namesRead)
      }
      const idsWithoutSnapshot = [...sides.currentRows.keys()].filter(
        (id) => !sides.snapshots.has(id)
      )
      const before = new Set<string>()
      for (const part of chunks(idsWithoutSnapshot)) {
        for (const row of await this.#snapshotsWhere(zone, 'record_id', part)) {
          sides.snapshots.set(Number(row.id), row)
          before.add(row.name)
        }
      }
      unreadNames = [...before].filter((name) => !namesRead.has(foldCase(name)))
    }
    return sides
  }

  async #snapshotsWhere(
    zone: BackendZone,
    column: 'name' | 'record_id',
    values: (string | number)[]
  ): Promise<SnapshotRow[]> {
    return this.trx
      .from(RECORD_SNAPSHOTS)
      .select('record_id as id', ...SNAPSHOT_COLUMNS)
      .where('zone_id', zone.id)
      .whereIn(column, values)
  }
}

/** Adds rows of the requested names: a collation can match other names too. */
function addRows(side: SnapshotRowMap, rows: SnapshotRow[], namesRead: Set<string>): void {
  for (const row of rows.filter(({ name }) => namesRead.has(foldCase(name)))) {
    side.set(Number(row.id), row)
  }
}

function isSameRow(row: SnapshotRow, snapshot: SnapshotRow | undefined): boolean {
  return snapshot !== undefined && valuesOf(row) === valuesOf(snapshot)
}

function valuesOf({ name, type, content, ttl, prio, disabled }: SnapshotRow): string {
  // SQLite and MariaDB have numbers for booleans, and all three have NULL.
  const isDisabled = disabled === null ? null : Boolean(disabled)
  return JSON.stringify([name, type, content, ttl, prio, isDisabled])
}

/** The RRsets of rows, in canonical form. */
async function rrsets(zone: BackendZone, rows: SnapshotRowMap): Promise<RRset[]> {
  const inOrder = await runYielding(
    sortSteps([...rows.values()], (a, b) => Number(a.id) - Number(b.id))
  )
  const withoutDerivedColumns = await mapYielding(inOrder, (row) => ({
    ...row,
    ordername: null,
    auth: null,
  }))
  return mapYielding(await rrsetsOfRows(withoutDerivedColumns, zone.name), (set) => ({
    ...set,
    // Derived columns (auth) are no external change.
    records: set.records.map(({ id, content, priority, disabled }) => {
      return { id, content, priority, disabled }
    }),
  }))
}
