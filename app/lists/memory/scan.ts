import type { ListDeclaration } from '#lists/declaration'
import { matcherOf, orderingOf, type Ordering } from '#lists/memory/sort_in_memory'
import { buildPage, type RowWithKey, type ListResult } from '#lists/list_result'
import type { Page } from '#lists/page'
import type { ListQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'

/** Maximum number of rows in memory. More than the largest page. */
const MAX_ROWS_IN_MEMORY = 12_000
/** Keys from which a scan estimates the key of a position far down. */
const SAMPLE_SIZE = 8_000

/** Starts to read all rows of a list, in any order. */
export type ReadRows<Row> = () => AsyncGenerator<Row[], void>

/**
 * A page of a list in its default order. Reads the rows in that order, filters them, and stores those of the page only.
 *
 * @param rows all rows, or those after `page.after`
 */
export async function scanInOrder<Row>(
  page: Page,
  matches: (row: Row) => boolean,
  rows: AsyncIterable<RowWithKey<Row>[]>
): Promise<ListResult<Row>> {
  const { offset, size } = page
  const isCursorPage = page.after !== undefined
  const found: RowWithKey<Row>[] = []
  let total = 0
  for await (const batch of rows) {
    for (const keyed of batch) {
      if (!matches(keyed.row)) continue
      if (total >= offset && found.length <= size) found.push(keyed)
      total++
    }
    // Only pages by number are counted.
    if (isCursorPage && found.length > size) break
  }
  return { ...buildPage(found, size, found.length <= size), total: isCursorPage ? null : total }
}

/**
 * A page of a list in an order without an index. Reads all rows, and stores only rows that the page may contain. Costs
 * one scan, or two to three for a page far down a long list.
 */
export async function scanSorted<
  Row extends object,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  read: ReadRows<Row>,
  maxRows: number = MAX_ROWS_IN_MEMORY
): Promise<ListResult<Row>> {
  const scanner = new Scanner(list, query, read)
  const { page } = query
  if (!page) {
    throw new Error('A scan returns pages only')
  }
  const { offset, size } = page
  if (page.after !== undefined) {
    const { rows } = await scanner.readLowest(page.after, size + 1)
    return { ...buildPage(rows, size, rows.length <= size), total: null }
  }
  if (offset + size <= maxRows) {
    const { rows, total } = await scanner.readLowest(null, offset + size)
    return { ...buildPage(rows.slice(offset), size, offset + size >= total), total }
  }
  const { keys, total } = await scanner.sample()
  const found = await rowsFrom(scanner, keys, { offset, total, size, maxRows })
  return { ...buildPage(found, size, offset + size >= total), total }
}

interface ScanWindow {
  offset: number
  size: number
  total: number
  maxRows: number
}

/** The rows from a position far down; reads from the end if fewer rows follow the position than fit into memory. */
async function rowsFrom<Row>(
  scanner: Scanner<Row>,
  sampledKeys: RowKey[],
  { offset, size, total, maxRows }: ScanWindow
): Promise<RowWithKey<Row>[]> {
  if (offset >= total) {
    return []
  }
  if (total - offset <= maxRows) {
    const { rows } = await scanner.readLowest(null, total - offset, true)
    return rows.reverse().slice(0, size)
  }
  // Four standard deviations before the estimate, so that the start is nearly always before the position.
  const margin = Math.ceil(2 * Math.sqrt(sampledKeys.length))
  const estimate = Math.floor((offset / total) * sampledKeys.length) - margin
  let after: RowKey | null = sampledKeys[estimate] ?? null
  for (;;) {
    const { rows, before } = await scanner.readLowest(after, maxRows + size)
    if (before > offset) {
      // Wrong estimate, or rows were deleted.
      after = null
    } else if (offset - before < maxRows || rows.length < maxRows + size) {
      return rows.slice(offset - before, offset - before + size)
    } else {
      // This key is not after the position.
      after = rows[maxRows - 1].key
    }
  }
}

class Scanner<Row> {
  readonly #ordering: Ordering<Row>
  readonly #matches: (row: Row) => boolean

  constructor(
    list: ListDeclaration,
    query: ListQuery,
    private readonly read: ReadRows<Row>
  ) {
    this.#ordering = orderingOf<Row & object, string, string, string>(list, query)
    this.#matches = matcherOf<Row & object>(list, query) as (row: Row) => boolean
  }

  /** The first `limit` rows after a key, or the last ones in descending order; the number of rows up to the key, and of all. */
  async readLowest(after: RowKey | null, limit: number, isFromEnd = false) {
    const { compare } = this.#ordering
    const readLowest = new LowestRows<Row>(limit, isFromEnd ? (a, b) => compare(b, a) : compare)
    let [before, total] = [0, 0]
    await this.#forEachMatch((row, key) => {
      total++
      if (after !== null && compare(key, after) <= 0) before++
      else readLowest.add({ row, key })
    })
    return { rows: readLowest.rows(), before, total }
  }

  /** A random sample of the keys in order (reservoir sampling), and the number of rows. */
  async sample(): Promise<{ keys: RowKey[]; total: number }> {
    const keys: RowKey[] = []
    let total = 0
    await this.#forEachMatch((_row, key) => {
      const index = total < SAMPLE_SIZE ? total : Math.floor(Math.random() * (total + 1))
      if (index < SAMPLE_SIZE) keys[index] = key
      total++
    })
    return { keys: keys.sort(this.#ordering.compare), total }
  }

  async #forEachMatch(visit: (row: Row, key: RowKey) => void): Promise<void> {
    for await (const batch of this.read()) {
      for (const row of batch) {
        if (this.#matches(row)) visit(row, this.#ordering.keyOf(row))
      }
    }
  }
}

/** The lowest `limit` of many rows. Stores at most twice as many. */
class LowestRows<Row> {
  #rows: RowWithKey<Row>[] = []
  #highest: RowKey | null = null

  constructor(
    private readonly limit: number,
    private readonly compare: (one: RowKey, other: RowKey) => number
  ) {}

  add(keyed: RowWithKey<Row>): void {
    if (this.#highest !== null && this.compare(keyed.key, this.#highest) >= 0) {
      return
    }
    this.#rows.push(keyed)
    if (this.#rows.length >= 2 * this.limit) {
      this.#truncate()
      this.#highest = this.#rows[this.#rows.length - 1].key
    }
  }

  rows(): RowWithKey<Row>[] {
    this.#truncate()
    return this.#rows
  }

  #truncate(): void {
    this.#rows.sort((one, other) => this.compare(one.key, other.key))
    this.#rows.length = Math.min(this.#rows.length, this.limit)
  }
}
