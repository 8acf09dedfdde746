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
type Rows = Map<number, SnapshotRow>

/** Snapshots and current rows of some owner names. */
interface BothSides {
  known: Rows
  there: Rows
}

/**
 * Returns external changes of rows as changes of RRsets, and updates the snapshots. The lock of the zone must be held. It
 * protects the snapshots, not PowerDNS' rows, which other tools write without it: one statement therefore reads all rows of an
 * owner name, and these are returned and stored.
 */
export class OutsideChanges {
  constructor(
    private readonly trx: TransactionClientContract,
    private readonly tables: ZoneTables,
    private readonly seen: RecordSnapshots,
    private readonly named: NamedRows
  ) {}

  /** See `WriteSession.takeExternalChanges`. */
  async take(zone: BackendZone, names?: string[]): Promise<RRsetChange[]> {
    if (!(await this.seen.isKnown(zone))) {
      await this.seen.adopt(zone)
      return []
    }
    const sides = await this.#bothSides(zone, names ?? (await this.#namesThatDiffer(zone)))
    const { known, there } = sides
    const found = [...there.values()]
    const isSame = await mapYielding(found, (row) => sameRow(row, known.get(Number(row.id))))
    const changed = found.filter((_, index) => !isSame[index])
    const gone = [...known.keys()].filter((id) => !there.has(id))
    const changes = await runYielding(
      diffSteps(await rrsets(zone, known), await rrsets(zone, there))
    )
    const came = changes.filter(({ before }) => !before).length
    await this.seen.snapshotRead(
      zone,
      changed,
      gone,
      came - changes.filter(({ after }) => !after).length
    )
    if (!names) {
      await this.seen.recount(zone)
    }
    return changes
  }

  /** Owner names of new, changed and deleted rows, and former names of changed ones. */
  async #namesThatDiffer(zone: BackendZone): Promise<string[]> {
    const notes = (await differingSnapshots(this.trx, this.tables, zone.id).select(
      's.name as known',
      'r.name as there'
    )) as { known: string; there: string | null }[]
    const added = (await rowsWithoutSnapshot(this.trx, this.tables, zone.id).select(
      'r.name as name'
    )) as {
      name: string
    }[]
    return [
      ...notes.flatMap(({ known, there }) => [known, there ?? known]),
      ...added.map(({ name }) => name),
    ]
  }

  /**
   * Reads snapshots and rows of these names, and of the former names of their rows: a snapshot that is updated here would hide
   * the change there.
   */
  async #bothSides(zone: BackendZone, names: string[]): Promise<BothSides> {
    const sides: BothSides = { known: new Map(), there: new Map() }
    const looked = new Set<string>()
    // Names as they are spelled, and as they are called.
    let open = [...new Set(names.flatMap((name) => [name, foldCase(name)]))]
    while (open.length > 0) {
      open.forEach((name) => looked.add(foldCase(name)))
      for (const part of chunks(open)) {
        const [rows, notes] = await Promise.all([
          this.named.at(zone, part),
          this.#snapshotsWhere(zone, 'name', part),
        ])
        add(sides.there, rows.filter(isRecordRow), looked)
        add(sides.known, notes, looked)
      }
      const strangers = [...sides.there.keys()].filter((id) => !sides.known.has(id))
      const before = new Set<string>()
      for (const part of chunks(strangers)) {
        for (const row of await this.#snapshotsWhere(zone, 'record_id', part)) {
          sides.known.set(Number(row.id), row)
          before.add(row.name)
        }
      }
      open = [...before].filter((name) => !looked.has(foldCase(name)))
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
function add(side: Rows, rows: SnapshotRow[], looked: Set<string>): void {
  for (const row of rows.filter(({ name }) => looked.has(foldCase(name)))) {
    side.set(Number(row.id), row)
  }
}

function sameRow(row: SnapshotRow, note: SnapshotRow | undefined): boolean {
  return note !== undefined && valuesOf(row) === valuesOf(note)
}

function valuesOf({ name, type, content, ttl, prio, disabled }: SnapshotRow): string {
  // SQLite and MariaDB have numbers for booleans, and all three have NULL.
  const isDisabled = disabled === null ? null : Boolean(disabled)
  return JSON.stringify([name, type, content, ttl, prio, isDisabled])
}

/** The RRsets of rows, in canonical form. */
async function rrsets(zone: BackendZone, rows: Rows): Promise<RRset[]> {
  const inOrder = await runYielding(
    sortSteps([...rows.values()], (a, b) => Number(a.id) - Number(b.id))
  )
  const bare = await mapYielding(inOrder, (row) => ({ ...row, ordername: null, auth: null }))
  return mapYielding(await rrsetsOfRows(bare, zone.name), (set) => ({
    ...set,
    // Derived columns (auth) are no external change.
    records: set.records.map(({ id, content, priority, disabled }) => {
      return { id, content, priority, disabled }
    }),
  }))
}
