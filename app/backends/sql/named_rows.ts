import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { foldCase } from '#dns/names'
import { atNames } from '#backends/sql/row_lookup'
import { RECORD_COLUMNS, type RecordRow } from '#backends/sql/rows'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'

/** More names are not cached: the rows would be used once. */
const MAX_CACHED_NAMES = 100

interface NameRead {
  zoneId: number
  names: Set<string>
  rows: RecordRow[]
}

/** Rows of owner names in a write session: the plan and the write use one read. Call `forget` after each write of rows. */
export class NamedRows {
  #cachedReads: NameRead[] = []

  /** @param isCaching whether all writers of rows in the transaction call `forget` */
  constructor(
    private readonly client: QueryClientContract,
    private readonly tables: ZoneTables,
    private readonly isCaching: boolean
  ) {}

  /** All rows of the zone at these names, empty non-terminals too; those of one name by their ids. */
  async readAt({ id: zoneId }: { id: number }, names: readonly string[]): Promise<RecordRow[]> {
    const wanted = [...new Set(names)]
    const cachedRead = this.#cachedReads.find(
      (one) => one.zoneId === zoneId && wanted.every((name) => one.names.has(name))
    )
    if (cachedRead) {
      return cachedRead.rows.filter(hasNameAmong(wanted))
    }
    const rows: RecordRow[] = []
    for (const part of chunks(wanted)) {
      const all = this.client.from(this.tables.records).select(RECORD_COLUMNS)
      const found = (await atNames(all, zoneId, part).orderBy('id')) as RecordRow[]
      for (const row of found) rows.push(row)
    }
    if (this.isCaching && wanted.length <= MAX_CACHED_NAMES) {
      this.#cachedReads.push({ zoneId, names: new Set(wanted), rows })
    }
    return rows
  }

  /** Rows were written: the next read queries the table. */
  forget(): void {
    this.#cachedReads = []
  }
}

/** Returns a predicate: whether a row has one of these names, in any case, as `isNamed` finds it. */
function hasNameAmong(names: string[]): (row: RecordRow) => boolean {
  const wanted = new Set(names.map(foldCase))
  return ({ name }) => wanted.has(foldCase(name))
}

/** Whether a row is a record: empty non-terminals have no type. */
export function isRecordRow({ type }: RecordRow): boolean {
  return type !== null
}
