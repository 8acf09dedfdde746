import { setImmediate as turn } from 'node:timers/promises'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ListDeclaration } from '#lists/declaration'
import type { RowWithKey } from '#lists/list_result'
import { ordersOf, orderText, type ListQuery } from '#lists/query'
import { chunks } from '#database/statements/chunks'
import { numbersOf } from '#database/rows/id_columns'
import type { KeyValue, RowKey } from '#lists/row_key'
import { countRows, restrictByFilters, restrictByText } from '#lists/sql/filters'
import type { IdLookup, ListSource } from '#lists/source'
import { isGrouped, isIndexed, isUnique, SortTerm } from '#lists/sql/columns'

type RowQuery = DatabaseQueryBuilderContract
/** A row with the columns of its key. */
type KeyedRow = Record<string, unknown>

const keyAlias = (index: number) => `zw_key_${index}`
const ID_ALIAS = 'zw_id'

/**
 * Maximum number of values of a grouped field that are read one by one. Above it, the database sorts the rows. An
 * object, so that tests can lower it.
 */
export const MAX_VALUES_READ_SINGLY = { count: 50 }

/** The methods that pages need. */
export type PagedQuery<Row> = Pick<
  KeysetQuery<Row>,
  'identity' | 'filterIdentity' | 'isFiltered' | 'count' | 'after' | 'at' | 'keyAt'
>

/** Reads the rows of a list query in its order, page by page. */
export class KeysetQuery<Row> {
  #terms: SortTerm[]
  /** The same fields in the opposite order. */
  #reversedTerms: SortTerm[]
  /** Number of leading fields whose values are shared by many rows. */
  readonly #groupedFieldCount: number
  /** For each field, whether an index has it after the fields before it. */
  readonly #hasIndexByField: boolean[]
  #textRestriction: ((rows: RowQuery) => void) | null = null
  /** Set if rows are read by their ids only. */
  #idLookup: IdLookup | null = null

  /** See `open`. Does not look up a text in an index. */
  constructor(
    private readonly list: ListDeclaration,
    private readonly query: ListQuery,
    private readonly source: ListSource
  ) {
    const { client } = source.createQuery()
    const orders = ordersOf(list, query)
    const uniqueIndex = orders.findIndex(({ field }) => isUnique(source.columns[field]))
    const orderingFields = orders.slice(0, uniqueIndex === -1 ? orders.length : uniqueIndex + 1)
    const termsOf = (isReversed: boolean) =>
      orderingFields.map(
        ({ field, order, descending }) =>
          new SortTerm(client, source.columns[field], order, descending !== isReversed)
      )
    this.#terms = termsOf(false)
    this.#reversedTerms = termsOf(true)
    const firstUngrouped = orderingFields.findIndex(
      ({ field }) => !isGrouped(source.columns[field])
    )
    this.#groupedFieldCount = firstUngrouped === -1 ? orderingFields.length - 1 : firstUngrouped
    const fields = orderingFields.map(({ field }) => field)
    this.#hasIndexByField = fields.map((field, level) =>
      isIndexed(source.columns[field], fields.slice(0, level))
    )
  }

  /** The view, ready to be read. */
  static async open<Row>(
    list: ListDeclaration,
    query: ListQuery,
    source: ListSource
  ): Promise<KeysetQuery<Row>> {
    const keysetQuery = new KeysetQuery<Row>(list, query, source)
    keysetQuery.#textRestriction = (query.q !== null && (await source.search?.(query.q))) || null
    return keysetQuery
  }

  /** Identifies this query among those of the same source. */
  get identity(): string {
    return `${orderText(this.list, this.query)} ${this.filterIdentity}`
  }

  /** Identifies the filtered set of rows, in any order, among those of the same source. */
  get filterIdentity(): string {
    const { filters, q } = this.query
    return JSON.stringify([filters, q])
  }

  get isFiltered(): boolean {
    return this.query.q !== null || Object.keys(this.query.filters).length > 0
  }

  /** @param maxCount the count stops here */
  async count(maxCount?: number): Promise<number> {
    if (this.source.count && !this.isFiltered) {
      return this.source.count(maxCount)
    }
    return countRows(this.#restrictedQuery(), maxCount)
  }

  /** All rows. */
  async all(): Promise<Row[]> {
    const rows = this.source.select(this.#restrictedQuery())
    this.#terms.forEach((term) => term.orderBy(rows))
    return (await rows) as Row[]
  }

  /** Builds the query for the first rows. */
  first(limit: number): RowQuery {
    return this.#ordered(0).limit(limit)
  }

  /** The first rows, or those after a key, each with its key; at most `limit`. */
  async after(key: RowKey | null, limit: number, offset = 0): Promise<RowWithKey<Row>[]> {
    return this.#withKeys(await this.#rowsAfter(key, limit, offset))
  }

  /** The row of a key, if it is still there. */
  async at(key: RowKey): Promise<RowWithKey<Row>[]> {
    return this.#withKeys((await this.#ordered(key.length, key).limit(1)) as KeyedRow[])
  }

  /**
   * The first rows, or those after a key, at most `limit`, and the key of the last. The rows contain the columns of the
   * key: removing them would be slow for many rows.
   */
  async batch(key: RowKey | null, limit: number): Promise<{ rows: Row[]; last: RowKey | null }> {
    const found = await this.#rowsAfter(key, limit, 0)
    const last = found.at(-1)
    return { rows: found as Row[], last: last ? this.#keyOf(last) : null }
  }

  /**
   * The ids of the first rows or of those after a key, at most `limit`, and the key of the last. For long ranges, of
   * which only ids are needed.
   *
   * @param reversed whether to read in the opposite order
   */
  async ids(
    idLookup: IdLookup,
    key: RowKey | null,
    limit: number,
    reversed: boolean
  ): Promise<{ ids: number[]; last: RowKey | null }> {
    const idQuery = new KeysetQuery(this.list, this.query, this.source)
    if (reversed)
      [idQuery.#terms, idQuery.#reversedTerms] = [idQuery.#reversedTerms, idQuery.#terms]
    idQuery.#textRestriction = this.#textRestriction
    idQuery.#idLookup = idLookup
    const rows = await idQuery.#rowsAfter(key, limit, 0)
    const last = rows.at(-1)
    const ids = rows.map((row) => Number(row[idLookup.column]))
    return { ids, last: last ? idQuery.#keyOf(last) : null }
  }

  /** Rows with these ids, in this order, each with its key. Deleted rows are left out. */
  async withIds({ column, lookup }: IdLookup, ids: readonly number[]): Promise<RowWithKey<Row>[]> {
    const found = new Map<number, KeyedRow>()
    for (const part of chunks([...ids])) {
      const rows = this.source.select(lookup().whereIn(column, part))
      this.#selectKeys(rows)
      rows.select(`${column} as ${ID_ALIAS}`)
      for (const { [ID_ALIAS]: id, ...row } of (await rows) as KeyedRow[])
        found.set(Number(id), row)
    }
    return this.#withKeys(ids.map((id) => found.get(id)).filter((row) => row !== undefined))
  }

  async #rowsAfter(key: RowKey | null, limit: number, offset: number): Promise<KeyedRow[]> {
    if (key === null && this.#groupedFieldCount === 0 && !this.#isReadByValue(0)) {
      return this.#read(this.#ordered(0).offset(offset).limit(limit))
    }
    const found = await this.#rowsWithPrefix([], key, limit + offset)
    return found.slice(offset)
  }

  /** Rows that have these values in their first fields, behind a key: at most `limit`. */
  async #rowsWithPrefix(
    prefixValues: KeyValue[],
    key: RowKey | null,
    limit: number
  ): Promise<KeyedRow[]> {
    const level = prefixValues.length
    if (level >= this.#groupedFieldCount) {
      return this.#rowsAfterKey(prefixValues, key, limit)
    }
    const found = key ? await this.#rowsWithPrefix([...prefixValues, key[level]], key, limit) : []
    let value = key?.[level]
    for (let values = 0; found.length < limit; values++) {
      if (values >= MAX_VALUES_READ_SINGLY.count) {
        const last = found.at(-1)
        const lastKey = last ? this.#keyOf(last) : key
        return [
          ...found,
          ...(await this.#rowsAfterKey(prefixValues, lastKey, limit - found.length)),
        ]
      }
      value = await this.#valueAt(this.#terms, prefixValues, value)
      if (value === undefined) break
      found.push(
        ...(await this.#rowsWithPrefix([...prefixValues, value], null, limit - found.length))
      )
      await turn()
    }
    return found
  }

  async #rowsAfterKey(
    prefixValues: KeyValue[],
    key: RowKey | null,
    limit: number
  ): Promise<KeyedRow[]> {
    if (key === null) {
      return this.#readRange(prefixValues, undefined, limit)
    }
    const found: KeyedRow[] = []
    // Each step reads one range of an index: first with equal values in all fields but the last, then in all but the
    // last two, and so on.
    for (
      let level = this.#terms.length - 1;
      level >= prefixValues.length && found.length < limit;
      level--
    ) {
      const remaining = limit - found.length
      found.push(...(await this.#readRange(key.slice(0, level), key[level], remaining)))
    }
    return found
  }

  /** Rows that have these values in their first fields, and are behind a value in the next one: at most `limit`. */
  async #readRange(
    prefixValues: readonly KeyValue[],
    afterValue: KeyValue | undefined,
    limit: number
  ): Promise<KeyedRow[]> {
    const level = prefixValues.length
    const rows = this.#ordered(level, prefixValues).limit(limit)
    if (afterValue !== undefined) this.#terms[level].whereAfter(rows, afterValue)
    // All rows can share one value. Rows before the last value are few and are sorted; the rows of the last value
    // follow.
    const last = this.#isReadByValue(level)
      ? await this.#valueAt(this.#terms, prefixValues, afterValue, limit - 1)
      : undefined
    if (last !== undefined) this.#reversedTerms[level].whereAfter(rows, last)
    const found = await this.#read(rows)
    if (last === undefined || found.length === limit) return found
    found.push(...(await this.#readRange([...prefixValues, last], undefined, limit - found.length)))
    // Fewer rows than before: some were deleted in the meantime, and further rows follow.
    return found.length === limit
      ? found
      : [...found, ...(await this.#readRange(prefixValues, last, limit - found.length))]
  }

  /**
   * Whether an index has a field, but not those after it in this order: rows of equal values are ordered by id and read in one
   * direction. MariaDB would sort all rows, other databases all rows of one value.
   */
  #isReadByValue(level: number): boolean {
    const [term, next] = this.#terms.slice(level)
    const isById = level === this.#terms.length - 2 && next.descending === term.descending
    return this.#hasIndexByField[level] && next !== undefined && !isById
  }

  /** The next value of a field after a value, or the first; undefined if there is none. */
  async #valueAt(
    terms: SortTerm[],
    prefixValues: readonly KeyValue[],
    afterValue: KeyValue | undefined,
    position = 0
  ): Promise<KeyValue | undefined> {
    const term = terms[prefixValues.length]
    const rows = this.#restrictedQuery()
    prefixValues.forEach((value, index) => terms[index].whereEqual(rows, value))
    if (afterValue !== undefined) term.whereAfter(rows, afterValue)
    term.orderBy(rows)
    term.select(rows, keyAlias(0))
    if (position > 0) rows.offset(position)
    const [row] = (await rows.limit(1)) as KeyedRow[]
    return row && term.toKeyValue(row[keyAlias(0)])
  }

  /** The key of the row at a position from 0, counted from the end when reversed. Reads keys only. */
  async keyAt(position: number, reversed = false): Promise<RowKey | null> {
    const found = await this.#keyWithPrefix(
      reversed ? this.#reversedTerms : this.#terms,
      [],
      position
    )
    return typeof found === 'number' ? null : found
  }

  /** The key at a position among the rows that have these values in their first fields; or how many there are. */
  async #keyWithPrefix(
    terms: SortTerm[],
    prefixValues: KeyValue[],
    position: number
  ): Promise<RowKey | number> {
    const prefixQuery = () => {
      const found = this.#restrictedQuery()
      prefixValues.forEach((value, index) => terms[index].whereEqual(found, value))
      return found
    }
    const keyByOffset = async (): Promise<RowKey | number> => {
      const level = prefixValues.length
      if (this.#isReadByValue(level)) {
        const value = await this.#valueAt(terms, prefixValues, undefined, position)
        if (value === undefined) return countRows(prefixQuery())
        const rowsBefore = prefixQuery()
        const oppositeTerms = terms === this.#terms ? this.#reversedTerms : this.#terms
        oppositeTerms[level].whereAfter(rowsBefore, value)
        const passedCount = await countRows(rowsBefore)
        const found = await this.#keyWithPrefix(
          terms,
          [...prefixValues, value],
          Math.max(0, position - passedCount)
        )
        return typeof found === 'number' ? passedCount + found : found
      }
      const orderedRows = prefixQuery()
      terms.slice(prefixValues.length).forEach((term) => term.orderBy(orderedRows))
      this.#selectKeys(orderedRows)
      const [row] = (await orderedRows.offset(position).limit(1)) as KeyedRow[]
      return row ? this.#keyOf(row) : countRows(prefixQuery())
    }
    if (prefixValues.length >= this.#groupedFieldCount) {
      return keyByOffset()
    }
    let passedCount = 0
    let value = await this.#valueAt(terms, prefixValues, undefined)
    for (let values = 0; value !== undefined; values++) {
      if (values >= MAX_VALUES_READ_SINGLY.count) return keyByOffset()
      const found = await this.#keyWithPrefix(
        terms,
        [...prefixValues, value],
        position - passedCount
      )
      if (typeof found !== 'number') return found
      passedCount += found
      value = await this.#valueAt(terms, prefixValues, value)
      // The SQLite driver is synchronous: other requests run between the values.
      await turn()
    }
    return passedCount
  }

  /** Rows that have these values in their first fields, in the order of the fields from one on. */
  #ordered(from: number, prefixValues: readonly KeyValue[] = []): RowQuery {
    const rows = this.#restrictedQuery()
    if (this.#idLookup === null) this.#selectKeys(this.source.select(rows))
    prefixValues.forEach((value, index) => this.#terms[index].whereEqual(rows, value))
    this.#terms.slice(from).forEach((term) => term.orderBy(rows))
    return rows
  }

  /** Reads complete rows, or with `#idLookup` only their ids, and the key columns of the last row. */
  async #read(rows: RowQuery): Promise<KeyedRow[]> {
    if (this.#idLookup === null) {
      return (await rows) as KeyedRow[]
    }
    const { column, lookup } = this.#idLookup
    // If the last row was deleted in the meantime, reads again: a short result would mean the end of a range.
    for (;;) {
      const [ids] = await numbersOf(rows.clone(), [column])
      const id = ids.pop()
      if (id === undefined) return []
      const lastRowQuery = lookup().where(column, id).select(column)
      this.#selectKeys(lastRowQuery)
      const [last] = (await lastRowQuery) as KeyedRow[]
      if (last) return [...ids.map((one) => ({ [column]: one })), last]
    }
  }

  #selectKeys(rows: RowQuery): void {
    this.#terms.forEach((term, index) => term.select(rows, keyAlias(index)))
  }

  /** Separates the key columns from the rows. */
  #withKeys(rows: KeyedRow[]): RowWithKey<Row>[] {
    return rows.map((row) => {
      const key = this.#keyOf(row)
      this.#terms.forEach((_, index) => delete row[keyAlias(index)])
      return { row: row as Row, key }
    })
  }

  #keyOf(row: KeyedRow): RowKey {
    return this.#terms.map((term, index) => term.toKeyValue(row[keyAlias(index)]))
  }

  #restrictedQuery(): RowQuery {
    const rows = this.source.createQuery()
    const { q } = this.query
    restrictByFilters(rows, this.list, this.query, this.source)
    if (this.#textRestriction) {
      this.#textRestriction(rows)
    } else if (q !== null) {
      restrictByText(rows, this.list, q, this.source)
    }
    return rows
  }
}
