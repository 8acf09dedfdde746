import { inPunycode } from '#tests/support/lists/texts'

/** A value of a field of a row. */
export type Cell = string | number | null

/** A row of a list: what tells it from the others, and its fields. */
export interface ReferenceRow {
  id: Cell
  cells: Record<string, Cell>
}

type Comparison = 'number' | 'plain' | 'caseless' | 'natural'

/** What the specification says about one list. */
export interface ReferenceList {
  /** Fields of `sort`, in the order in which refusals name them. */
  sort: Record<string, Comparison>
  /** Filters: words that are allowed, the whole value, the whole value whatever its case, or a part of it. */
  filters?: Record<string, readonly string[] | 'exact' | 'caseless' | 'contains'>
  /** What counts where a filter is not given. */
  absent?: Record<string, string>
  /** The word by which a filter narrows nothing. */
  everything?: Record<string, string>
  /** Fields that `q` looks in; a list without any ignores it. */
  q: string[]
  /** Fields that hold names: international ones are found by their letters, label by label. */
  names?: string[]
  /** Order without `sort`. */
  order: [field: string, direction?: 'desc'][]
  /** What ends every other order; null where that is not laid down. */
  tie: [field: string, direction?: 'desc'] | null
  /** Filters that look up one row: page and `q` do not count then. */
  lookup?: string[]
}

/** Parameters of a request. */
export type Parameters = Record<string, string>

/** How texts are made equal whatever their case: databases do not agree on U+0130. */
export type Fold = (text: string) => string

/** What the specification wants answered. */
export type Expected =
  { status: 400 } | { status: 200; rows: ReferenceRow[]; from: number; size: number | null }

/**
 * The rules of lists the naive way, from the specification: all rows are filtered, then sorted, then cut.
 * Nothing of the application is used.
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

/** The filter by which a request looks up one row, where it does. */
export function lookupOf(list: ReferenceList, given: Parameters): string | undefined {
  return list.lookup?.find((name) => given[name] !== undefined && given[name] !== '')
}

/** The order of a request; null for one that is to be refused. */
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

/** Below, above or at 0: how two rows compare in that order. */
export function compareRows(
  list: ReferenceList,
  order: ReferenceList['order'],
  one: ReferenceRow,
  other: ReferenceRow,
  fold: Fold
): number {
  for (const [field, direction] of order) {
    // As the column has it, whatever `sort` does with that field.
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
 * Digits by the number that they are, all else by character, whatever the case. Characters that ASCII has between
 * digits and letters count as `!`: a list of names does not tell them apart.
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
  // A row of many records has one of them in each line.
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

/** A parameter of blanks is none. */
function hasValue(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}

function wholeNumber(value: string | undefined): number {
  return value !== undefined && /^[0-9]+$/.test(value) ? Number(value) : 0
}
