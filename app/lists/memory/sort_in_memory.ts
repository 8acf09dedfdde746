import { naturalSortKey } from '#dns/names/sort_key'
import type { ListDeclaration, Match, Order } from '#lists/declaration'
import { buildPage, type RowWithKey, type ListResult } from '#lists/list_result'
import { ordersOf, type ListQuery } from '#lists/query'
import type { KeyValue, RowKey } from '#lists/row_key'
import { spellingsIn } from '#lists/name_spellings'

type FieldValue = string | number | boolean | null | undefined

/** Answers a list query from rows in memory: filter, sort, page. For lists that are short in every installation. */
export function listInMemory<
  Row extends object,
  Field extends string & keyof Row,
  Column extends string & keyof Row,
  Filter extends string & keyof Row,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  rows: readonly Row[]
): ListResult<Row> {
  const found = rows.filter(matcherOf<Row, Filter>(list, query))
  const sorted = sortRows(list, query, found)
  const { page } = query
  if (!page) {
    return { rows: sorted.map(({ row }) => row), total: sorted.length, next: null }
  }
  const isCursorPage = page.after !== undefined
  const start = isCursorPage
    ? firstIndexAfter(list, query, sorted, page.after ?? null)
    : page.offset
  const isLast = start + page.size >= sorted.length
  return {
    ...buildPage(sorted.slice(start), page.size, isLast),
    total: isCursorPage ? null : sorted.length,
  }
}

/** Adds the stored name to each row, for the order of a database column, which compares code units. */
export function withStoredNames<Row extends { name: string }>(
  rows: readonly Row[]
): (Row & { stored_name: string })[] {
  return rows.map((row) => ({ ...row, stored_name: row.name }))
}

/** A test for the rows that match the filters and the text of a query. */
export function matcherOf<Row extends object, Filter extends string = string>(
  list: Pick<ListDeclaration<string, string, Filter>, 'filters' | 'search' | 'names'>,
  query: Pick<ListQuery<string, Filter>, 'filters' | 'q'>
): (row: Row) => boolean {
  const valueOf = (row: Row, field: string) => (row as Record<string, FieldValue>)[field]
  const filterConditions = (Object.entries(query.filters) as [Filter, string][]).map(
    ([field, value]) =>
      [field, spellingsIn(list, field, value).map(toLowerCase), list.filters[field], value] as const
  )
  const { q } = query
  const searchedFields =
    q === null
      ? null
      : list.search.map((field) => [field, spellingsIn(list, field, q).map(toLowerCase)] as const)
  return (row) =>
    filterConditions.every(([field, ...one]) => matches(valueOf(row, field), ...one)) &&
    (searchedFields === null ||
      searchedFields.some(([field, texts]) => matches(valueOf(row, field), texts, 'contains', q)))
}

/** Keys and comparison of rows in the order of a query. */
export interface Ordering<Row> {
  keyOf(row: Row): RowKey
  /** Negative if the first key comes before the second. */
  compare(one: RowKey, other: RowKey): number
}

/** The order of a query, for rows in memory. */
export function orderingOf<
  Row extends object,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: Pick<ListQuery<Field, Filter>, 'sort'>
): Ordering<Row> {
  const orders = ordersOf(list, query)
  return {
    keyOf: (row) =>
      orders.map(({ field, order }) =>
        sortKeyOf((row as Record<string, FieldValue>)[field], order)
      ),
    compare: (one, other) => compareKeys(orders, one, other),
  }
}

function sortRows<
  Row extends object,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  rows: Row[]
): RowWithKey<Row>[] {
  const { keyOf: keyOfRow, compare: compareRows } = orderingOf<Row, Field, Column, Filter>(
    list,
    query
  )
  const keyed = rows.map((row) => ({ row, key: keyOfRow(row) }))
  return keyed.sort((one, other) => compareRows(one.key, other.key))
}

function firstIndexAfter<Row, Field extends string, Column extends string, Filter extends string>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  sorted: RowWithKey<Row>[],
  after: RowKey | null
): number {
  if (after === null) {
    return 0
  }
  const orders = ordersOf(list, query)
  const index = sorted.findIndex(({ key }) => compareKeys(orders, key, after) > 0)
  return index === -1 ? sorted.length : index
}

function compareKeys(orders: { descending: boolean }[], one: RowKey, other: RowKey): number {
  for (const [index, { descending }] of orders.entries()) {
    const difference = compareValues(one[index], other[index])
    if (difference !== 0) {
      return descending ? -difference : difference
    }
  }
  return 0
}

/** @param texts the folded spellings of the searched text */
function matches(
  value: FieldValue,
  texts: readonly string[],
  match: Match,
  exactText: string | null
): boolean {
  const text = String(value ?? '')
  switch (match) {
    case 'contains': {
      const loweredText = toLowerCase(text)
      return texts.some((one) => loweredText.includes(one))
    }
    case 'caseless':
      return texts.includes(toLowerCase(text))
    default:
      return text === exactText
  }
}

function toLowerCase(text: string): string {
  return text.toLowerCase()
}

function sortKeyOf(value: FieldValue, order: Order): KeyValue {
  if (value === null || value === undefined) {
    return null
  }
  switch (order) {
    case 'number':
      return Number(value)
    case 'natural':
      return naturalSortKey(String(value))
    case 'caseless':
      return String(value).toLowerCase()
    default:
      return typeof value === 'number' ? value : String(value)
  }
}

function compareValues(one: KeyValue, other: KeyValue): number {
  if (one === other) return 0
  if (one === null) return -1
  if (other === null) return 1
  return one < other ? -1 : 1
}
