import { recordType } from '#dns/records/registry'
import { csvRows, SEPARATORS, type CsvRow, type Separator } from '#dns/paste/csv'

/** Column indexes by meaning. */
export type Columns = Partial<Record<Column, number>>

type Column = 'name' | 'ttl' | 'type' | 'content' | 'priority' | 'disabled' | 'comment'

/** Layout of a table of records. */
export interface CsvLayout {
  separator: Separator
  columns: Columns
  hasHeader: boolean
}

/** Column titles of the first row, in lower case. */
const COLUMN_TITLES: Readonly<Record<string, Column>> = {
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

/** Layouts without titles, distinguished by the column of the type. */
const UNTITLED_LAYOUTS: readonly Column[][] = [
  ['name', 'ttl', 'type', 'content', 'priority', 'disabled', 'comment'],
  ['name', 'type', 'content', 'priority', 'ttl', 'disabled', 'comment'],
]

/** Description of the layouts, for messages. */
export const LAYOUTS =
  'a first row of titles (name, ttl, type, content, priority, disabled, comment), or rows of name,ttl,type,content or name,type,content,priority,ttl'

/** Detects the layout of a text; null if it is no table of records. */
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
  const columns = cells.map((cell) => COLUMN_TITLES[cell.toLowerCase()] as Column | undefined)
  const hasAll = (['name', 'type', 'content'] as const).every((column) => columns.includes(column))
  return hasAll ? columnIndexes(columns) : null
}

function untitled({ cells }: CsvRow): Columns | null {
  if (cells.length < 3 || !/^[^;$(\s]\S*$/.test(cells[0])) {
    return null
  }
  const isType = (rowPosition: number) =>
    recordType((cells[rowPosition] ?? '').toUpperCase()) !== undefined
  const layout = UNTITLED_LAYOUTS.find((columns) => isType(columns.indexOf('type')))
  return layout ? columnIndexes(layout) : null
}

function columnIndexes(columns: readonly (Column | undefined)[]): Columns {
  const indexes: Columns = {}
  columns.forEach((column, position) => {
    if (column && indexes[column] === undefined) indexes[column] = position
  })
  return indexes
}
