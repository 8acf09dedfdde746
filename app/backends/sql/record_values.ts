import type { BackendZone } from '#backends/contract/backend'
import { foldCase, reversedLabels } from '#dns/names'
import { recordFromRow, storedForm, type RecordRow } from '#backends/sql/rows'

/** The columns of a record that this product decides; PowerDNS' bookkeeping is the authority keeper's. */
export interface RecordValues {
  name: string
  type: string
  content: string
  ttl: number
  priority: number
  disabled: boolean
}

/** The columns of a record as PowerDNS wants them. */
export function columnsOf({ content, priority, ...values }: RecordValues) {
  return { ...values, ...storedForm(values.type, content, priority) }
}

/**
 * The row that a new record becomes. It comes with the order name that most zones want; the authority
 * keeper, which puts others right, would need a statement for each name.
 */
export function insertOf(zone: BackendZone, values: RecordValues) {
  const ordername = values.disabled ? null : reversedLabels(values.name, zone.name)
  return { domain_id: zone.id, ...columnsOf(values), ordername }
}

/** A row to be inserted. */
export type Insert = ReturnType<typeof insertOf>

/**
 * Ids of the rows that inserts have become: of those that were not there before, the ones with their
 * values, one row after the other. A row beside them is another tool's, written in the same moment.
 */
export function* rowsOfInserts(
  inserts: Insert[],
  stored: RecordRow[],
  before: Set<number>
): Generator<undefined, number[]> {
  const keyOfValues = ({ name, type, content, ttl, prio, disabled }: Insert | RecordRow) =>
    JSON.stringify([name, type, content, ttl, prio, Boolean(disabled)])
  const left = new Map<string, number>()
  for (const insert of inserts) {
    yield
    const key = keyOfValues(insert)
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  const ids: number[] = []
  for (const row of stored) {
    yield
    const key = keyOfValues(row)
    const count = left.get(key) ?? 0
    if (count > 0 && !before.has(Number(row.id))) {
      left.set(key, count - 1)
      ids.push(Number(row.id))
    }
  }
  return ids
}

/** Names the RRset of a row, whatever its spelling. */
export function keyOf(row: RecordRow): string {
  return `${foldCase(row.name)} ${(row.type ?? '').toUpperCase()}`
}

/** Rows of RRsets that change, until a record is found to stand for them. */
export class FreeRows {
  readonly #rows: Map<number, RecordRow>
  readonly #byContent: Map<string, RecordRow[]>

  constructor(
    rows: RecordRow[],
    private readonly apex: string
  ) {
    this.#rows = new Map(rows.map((row) => [Number(row.id), row]))
    this.#byContent = Map.groupBy(rows, (row) => this.#keyOf(row))
  }

  /** Takes the row that a record stands for: the one it names, else one with the same content. */
  take({ name, type, content, priority }: RecordValues, id?: number | string): RecordRow | null {
    const named = id === undefined ? undefined : this.#rows.get(Number(id))
    const row = named ?? this.#next(`${name} ${type} ${priority} ${content}`)
    if (row) {
      this.#rows.delete(Number(row.id))
    }
    return row ?? null
  }

  /** Ids of the rows that nobody took. */
  ids(): number[] {
    return [...this.#rows.keys()]
  }

  /** The first row under the key that was not taken by its id. */
  #next(key: string): RecordRow | undefined {
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
 * What of a row has to be written so that it holds these values: nothing, its TTL alone, or the row. Other
 * spellings of the same content do not count.
 */
export function differenceOf(
  row: RecordRow,
  values: RecordValues,
  apex: string
): 'none' | 'ttl' | 'row' {
  const stored = recordFromRow(row, apex)
  const isOther =
    row.name !== values.name ||
    row.type !== values.type ||
    stored.content !== values.content ||
    (stored.priority ?? 0) !== values.priority ||
    stored.disabled !== values.disabled
  return isOther ? 'row' : stored.ttl !== values.ttl ? 'ttl' : 'none'
}
