import { recordType } from '#dns/records/registry'
import { csvRows, SEPARATORS, type CsvRow, type Separator } from '#dns/paste/csv'

/** What the cells of a row mean, by their places. */
export type Columns = Partial<Record<Column, number>>

type Column = 'name' | 'ttl' | 'type' | 'content' | 'priority' | 'disabled' | 'comment'

/** A table of records. */
export interface CsvLayout {
  separator: Separator
  columns: Columns
  hasHeader: boolean
}

/** What the first row may call its columns, in lower case. */
const TITLES: Readonly<Record<string, Column>> = {
  'name': 'name',
  'host': 'name',
  'hostname': 'name',
  'owner': 'name',
  'record': 'name',
  'record name': 'name',
  'ttl': 'ttl',
  'type': 'type',
  'record type': 'type',
  'content': 'content',
  'value': 'content',
  'data': 'content',
  'rdata': 'content',
  'target': 'content',
  'priority': 'priority',
  'prio': 'priority',
  'pref': 'priority',
  'preference': 'priority',
  'disabled': 'disabled',
  'comment': 'comment',
  'note': 'comment',
}

/** What rows without titles may be: told apart by where the type stands. */
const UNTITLED: readonly Column[][] = [
  ['name', 'ttl', 'type', 'content', 'priority', 'disabled', 'comment'],
  ['name', 'type', 'content', 'priority', 'ttl', 'disabled', 'comment'],
]

/** How people are told what a table may be. */
export const LAYOUTS =
  'a first row of titles (name, ttl, type, content, priority, disabled, comment), or rows of name,ttl,type,content or name,type,content,priority,ttl'

/** How a text is a table of records; null where it is none. */
export function csvLayout(text: string): CsvLayout | null {
  for (const separator of SEPARATORS) {
    const row = firstRow(text, separator)
    const columns = row && (titled(row) ?? untitled(row))
    if (columns) {
      return { separator, columns, hasHeader: titled(row) !== null }
    }
  }
  return null
}

function firstRow(text: string, separator: Separator): CsvRow | null {
  try {
    const [row] = csvRows(text.slice(0, 100_000), separator).take(1)
    return row ?? null
  } catch {
    return null
  }
}

function titled({ cells }: CsvRow): Columns | null {
  const found = cells.map((cell) => TITLES[cell.toLowerCase()] as Column | undefined)
  const hasAll = (['name', 'type', 'content'] as const).every((column) => found.includes(column))
  return hasAll ? placesOf(found) : null
}

function untitled({ cells }: CsvRow): Columns | null {
  if (cells.length < 3 || !/^[^;$(\s]\S*$/.test(cells[0])) {
    return null
  }
  const isType = (at: number) => recordType((cells[at] ?? '').toUpperCase()) !== undefined
  const order = UNTITLED.find((columns) => isType(columns.indexOf('type')))
  return order ? placesOf(order) : null
}

function placesOf(columns: readonly (Column | undefined)[]): Columns {
  const places: Columns = {}
  columns.forEach((column, at) => {
    if (column && places[column] === undefined) places[column] = at
  })
  return places
}
