import { inPunycode } from '#tests/support/lists/texts'

/** A value of a field of a row. */
export type Cell = string | number | null

/** A row of a list: its identity and its fields. */
export interface ReferenceRow {
  id: Cell
  cells: Record<string, Cell>
}

type Comparison = 'number' | 'plain' | 'caseless' | 'natural'

/** Specification of one list. */
export interface ReferenceList {
  /** Fields of `sort`, in the order in which error messages list them. */
  sort: Record<string, Comparison>
  /** Filters: allowed words, the exact value, the value regardless of case, or a part of the value. */
  filters?: Record<string, readonly string[] | 'exact' | 'caseless' | 'contains'>
  /** Default values of filters. */
  absent?: Record<string, string>
  /** The value by which a filter matches every row. */
  everything?: Record<string, string>
  /** Fields that `q` searches. A list without any ignores `q`. */
  q: string[]
  /** Fields that contain domain names. An IDN matches by its Unicode form, label by label. */
  names?: string[]
  /** Order without `sort`. */
  order: [field: string, direction?: 'desc'][]
  /** Last sort field of every order; null if the specification does not order ties. */
  tie: [field: string, direction?: 'desc'] | null
  /** Filters that look up one row. The request then ignores page and `q`. */
  lookup?: string[]
}

/** Parameters of a request. */
export type Parameters = Record<string, string>

/** Case folding of a text. Databases do not agree on U+0130. */
export type Fold = (text: string) => string

/** The response that the specification requires. */
export type Expected =
  { status: 400 } | { status: 200; rows: ReferenceRow[]; from: number; size: number | null }

/**
 * A naive implementation of the list rules from the specification: filter all rows, then sort, then cut. It uses no code of
 * the application.
 */
export function expected(
  list: ReferenceList,
  rows: ReferenceRow[],
  given: Parameters,
  fold: Fold
): Expected {
  const order = orderFrom(list, given.sort)
  if (order === null || !wordsAreKnown(list, given)) {
    return { status: 400 }
  }
  const lookup = lookupOf(list, given)
  if (lookup) {
    const found = rows.filter(({ cells }) => cells[lookup] === given[lookup])
    return { status: 200, rows: found, from: 0, size: null }
  }
  const sorted = rows
    .filter((row) => isWanted(list, row, given, fold))
    .toSorted((one, other) => compareRows(list, order, one, other, fold))
  const size = Math.min(10_000, wholeNumber(given.per_page))
  if (size === 0) {
    return { status: 200, rows: sorted, from: 0, size: null }
  }
  const page = Math.max(1, wholeNumber(given.page))
  return { status: 200, rows: sorted, from: (page - 1) * size, size }
}

/** Returns the filter by which a request looks up one row, if any. */
export function lookupOf(list: ReferenceList, given: Parameters): string | undefined {
  return list.lookup?.find((name) => given[name] !== undefined && given[name] !== '')
}

/** Returns the order of a request; null for an invalid order. */
export function orderFrom(
  list: ReferenceList,
  sort: string | undefined
): ReferenceList['order'] | null {
  if (!hasValue(sort) || Object.keys(list.sort).length === 0) return list.order
  const parts = sort
    .split(',')
    .map((part) => part.split(':').map((word) => word.trim().toLowerCase()))
  const names = parts.map(([name]) => name)
  const isRight =
    parts.length <= 5 &&
    new Set(names).size === names.length &&
    names.every((name) => Object.keys(list.sort).includes(name)) &&
    parts.every(([, direction, more]) => {
      return more === undefined && ['asc', 'desc', undefined].includes(direction)
    })
  if (!isRight) return null
  const order = parts.map(([name, direction]): ReferenceList['order'][number] =>
    direction === 'desc' ? [name, 'desc'] : [name]
  )
  return list.tie ? [...order, list.tie] : order
}

/** Compares two rows in this order: below, above or at 0. */
export function compareRows(
  list: ReferenceList,
  order: ReferenceList['order'],
  one: ReferenceRow,
  other: ReferenceRow,
  fold: Fold
): number {
  for (const [field, direction] of order) {
    // Uses the stored column, even if `sort` compares the field in another way.
    const column = field.replace(/^stored_/, '')
    const by = column === field ? (list.sort[field] ?? 'number') : 'plain'
    const difference = compareCells(by, one.cells[column], other.cells[column], fold)
    if (difference !== 0) return direction === 'desc' ? -difference : difference
  }
  return 0
}

function compareCells(by: Comparison, one: Cell, other: Cell, fold: Fold): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  switch (by) {
    case 'number':
      return Number(one) - Number(other)
    case 'natural':
      return compareNaturally(String(one), String(other))
    case 'caseless':
      return compareTexts(fold(String(one)), fold(String(other)))
    default:
      return compareTexts(String(one), String(other))
  }
}

function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

/**
 * Compares digits by their number and all other characters regardless of case. Characters between digits and letters in
 * ASCII count as `!`, because a list of names treats them as equal.
 */
function compareNaturally(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => {
    const plain = text.toLowerCase().replace(/[:;<=>?@[\\\]^]/g, '!')
    return plain.match(/[0-9]+|[^0-9]/g) ?? []
  })
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const areNumbers = [left[at], right[at]].every((part) => /^[0-9]/.test(part))
    const difference = areNumbers
      ? Number(BigInt(left[at]) - BigInt(right[at]))
      : left[at].charCodeAt(0) - right[at].charCodeAt(0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function isWanted(list: ReferenceList, row: ReferenceRow, given: Parameters, fold: Fold): boolean {
  const text = (field: string) => String(row.cells[field] ?? '')
  // A row with several records has one record in each line.
  const has = (field: string, part: string) =>
    text(field)
      .split('\n')
      .some((line) => spelled(field, part).some((one) => fold(line).includes(fold(one))))
  const spelled = (field: string, part: string) =>
    list.names?.includes(field) ? [part, inPunycode(part)] : [part]
  const fits = Object.entries(list.filters ?? {}).every(([field, match]) => {
    const value = hasValue(given[field]) ? given[field] : list.absent?.[field]
    if (value === undefined || value === list.everything?.[field]) return true
    if (match === 'contains') return has(field, value)
    if (match === 'caseless') {
      return spelled(field, value).some((one) => fold(text(field)) === fold(one))
    }
    return text(field) === value
  })
  const { q } = given
  return fits && (!hasValue(q) || list.q.length === 0 || list.q.some((field) => has(field, q)))
}

function wordsAreKnown(list: ReferenceList, given: Parameters): boolean {
  return Object.entries(list.filters ?? {}).every(([name, match]) => {
    return typeof match === 'string' || !hasValue(given[name]) || match.includes(given[name])
  })
}

/** A parameter of blanks counts as absent. */
function hasValue(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}

function wholeNumber(value: string | undefined): number {
  return value !== undefined && /^[0-9]+$/.test(value) ? Number(value) : 0
}
