import type { BackendZone } from '#backends/contract/backend'
import { foldCase, reversedLabels } from '#dns/names'
import { recordFromRow, storedForm, type RecordRow } from '#backends/sql/rows'

/** Values of a record that Zonewright writes; the rectifier sets the others. */
export interface RecordValues {
  name: string
  type: string
  content: string
  ttl: number
  priority: number
  disabled: boolean
}

/** The columns of a record in PowerDNS' table. */
export function columnsOf({ content, priority, ...values }: RecordValues) {
  return { ...values, ...storedForm(values.type, content, priority) }
}

/**
 * The row of a new record, with the `ordername` of most zones: the rectifier would need a statement per name to correct
 * others.
 */
export function rowToInsert(zone: BackendZone, values: RecordValues) {
  const ordername = values.disabled ? null : reversedLabels(values.name, zone.name)
  return { domain_id: zone.id, ...columnsOf(values), ordername }
}

/** A row to be inserted. */
export type RowInsert = ReturnType<typeof rowToInsert>

/**
 * Ids of inserted rows: of new rows, those with the inserted values, one after the other. Another new row is one that another
 * tool inserted at the same time.
 */
export function* idsOfInserts(
  inserts: RowInsert[],
  stored: RecordRow[],
  before: Set<number>
): Generator<undefined, number[]> {
  const keyOfValues = ({ name, type, content, ttl, prio, disabled }: RowInsert | RecordRow) =>
    JSON.stringify([name, type, content, ttl, prio, Boolean(disabled)])
  const remainingInserts = new Map<string, number>()
  for (const insert of inserts) {
    yield
    const key = keyOfValues(insert)
    remainingInserts.set(key, (remainingInserts.get(key) ?? 0) + 1)
  }
  const ids: number[] = []
  for (const row of stored) {
    yield
    const key = keyOfValues(row)
    const count = remainingInserts.get(key) ?? 0
    if (count > 0 && !before.has(Number(row.id))) {
      remainingInserts.set(key, count - 1)
      ids.push(Number(row.id))
    }
  }
  return ids
}

/** Key of the RRset of a row, in any spelling. */
export function keyOf(row: RecordRow): string {
  return `${foldCase(row.name)} ${(row.type ?? '').toUpperCase()}`
}

/** Stored rows of changed RRsets that no record was matched with yet. */
export class UnclaimedRows {
  readonly #rows: Map<number, RecordRow>
  readonly #byContent: Map<string, RecordRow[]>

  constructor(
    rows: RecordRow[],
    private readonly apex: string
  ) {
    this.#rows = new Map(rows.map((row) => [Number(row.id), row]))
    this.#byContent = Map.groupBy(rows, (row) => this.#keyOf(row))
  }

  /** Claims the row of a record: the row with its id, else one with an equal content. */
  claim({ name, type, content, priority }: RecordValues, id?: number | string): RecordRow | null {
    const rowWithId = id === undefined ? undefined : this.#rows.get(Number(id))
    const row = rowWithId ?? this.#nextRow(`${name} ${type} ${priority} ${content}`)
    if (row) {
      this.#rows.delete(Number(row.id))
    }
    return row ?? null
  }

  /** Ids of the remaining rows. */
  ids(): number[] {
    return [...this.#rows.keys()]
  }

  /** The first row under the key that was not taken by its id. */
  #nextRow(key: string): RecordRow | undefined {
    const rows = this.#byContent.get(key)
    let row = rows?.shift()
    while (row && !this.#rows.has(Number(row.id))) {
      row = rows?.shift()
    }
    return row
  }

  #keyOf(row: RecordRow): string {
    const { content, priority } = recordFromRow(row, this.apex)
    return `${keyOf(row)} ${priority ?? 0} ${content}`
  }
}

/**
 * The columns to write so that a row has these values: none, its TTL, or all. Other spellings of an equal content do not
 * count.
 */
export function columnsToUpdate(
  row: RecordRow,
  values: RecordValues,
  apex: string
): 'none' | 'ttl' | 'row' {
  const stored = recordFromRow(row, apex)
  const isDifferent =
    row.name !== values.name ||
    row.type !== values.type ||
    stored.content !== values.content ||
    (stored.priority ?? 0) !== values.priority ||
    stored.disabled !== values.disabled
  return isDifferent ? 'row' : stored.ttl !== values.ttl ? 'ttl' : 'none'
}
