import { setImmediate as turn } from 'node:timers/promises'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ListDeclaration } from '#lists/declaration'
import type { Keyed } from '#lists/list_result'
import { ordersOf, orderText, type ListQuery } from '#lists/query'
import { chunks } from '#database/statements/chunks'
import { numbersOf } from '#database/rows/id_columns'
import type { KeyValue, RowKey } from '#lists/row_key'
import { countRows, narrowByFilters, narrowByText } from '#lists/sql/filters'
import type { ById, ListSource } from '#lists/source'
import { isGrouped, isIndexed, isUnique, Term } from '#lists/sql/columns'

type Rows = DatabaseQueryBuilderContract
/** A row with the columns of its key. */
type KeyedRow = Record<string, unknown>

const keyName = (index: number) => `zw_key_${index}`
const ID = 'zw_id'

/**
 * So many values of a grouped field are read one by one; with more of them the database sorts the rows. An object, so
 * that tests can have many values in few rows.
 */
export const MANY_VALUES = { above: 50 }

/** The methods that pages need. */
export type PagedQuery<Row> = Pick<
  KeysetQuery<Row>,
  'identity' | 'narrowing' | 'isFiltered' | 'count' | 'after' | 'at' | 'keyAt'
>

/** The rows that a query asks for, in its order, read by windows. */
export class KeysetQuery<Row> {
  #terms: Term[]
  /** The same fields the other way round. */
  #reversed: Term[]
  /** How many of the first fields have the same for many rows. */
  readonly #grouped: number
  /** For each field, whether an index has it after the fields before it. */
  readonly #indexed: boolean[]
  #contains: ((rows: Rows) => void) | null = null
  /** Set if rows are read by their ids only. */
  #by: ById | null = null

  /** See `open`. Does not look up a text in an index. */
  constructor(
    private readonly list: ListDeclaration,
    private readonly query: ListQuery,
    private readonly source: ListSource
  ) {
    const { client } = source.matching()
    const orders = ordersOf(list, query)
    const unique = orders.findIndex(({ field }) => isUnique(source.columns[field]))
    const definite = orders.slice(0, unique === -1 ? orders.length : unique + 1)
    const termsOf = (isReversed: boolean) =>
      definite.map(
        ({ field, order, descending }) =>
          new Term(client, source.columns[field], order, descending !== isReversed)
      )
    this.#terms = termsOf(false)
    this.#reversed = termsOf(true)
    const single = definite.findIndex(({ field }) => !isGrouped(source.columns[field]))
    this.#grouped = single === -1 ? definite.length - 1 : single
    const fields = definite.map(({ field }) => field)
    this.#indexed = fields.map((field, level) =>
      isIndexed(source.columns[field], fields.slice(0, level))
    )
  }

  /** The view, ready to be read. */
  static async open<Row>(
    list: ListDeclaration,
    query: ListQuery,
    source: ListSource
  ): Promise<KeysetQuery<Row>> {
    const view = new KeysetQuery<Row>(list, query, source)
    view.#contains = (query.q !== null && (await source.search?.(query.q))) || null
    return view
  }

  /** Identifies this query among those of the same source. */
  get identity(): string {
    return `${orderText(this.list, this.query)} ${this.narrowing}`
  }

  /** Identifies its set of rows, in any order, among those of the same source. */
  get narrowing(): string {
    const { filters, q } = this.query
    return JSON.stringify([filters, q])
  }

  get isFiltered(): boolean {
    return this.query.q !== null || Object.keys(this.query.filters).length > 0
  }

  /** @param most counts no further than that */
  async count(most?: number): Promise<number> {
    if (this.source.count && !this.isFiltered) {
      return this.source.count(most)
    }
    return countRows(this.#narrowed(), most)
  }

  /** All rows. */
  async all(): Promise<Row[]> {
    const rows = this.source.select(this.#narrowed())
    this.#terms.forEach((term) => term.orderBy(rows))
    return (await rows) as Row[]
  }

  /** Builds the query for the first rows. */
  first(limit: number): Rows {
    return this.#ordered(0).limit(limit)
  }

  /** The first rows, or those after a key, each with its key; at most `limit`. */
  async after(key: RowKey | null, limit: number, offset = 0): Promise<Keyed<Row>[]> {
    return this.#keyed(await this.#rowsAfter(key, limit, offset))
  }

  /** The row of a key, if it is still there. */
  async at(key: RowKey): Promise<Keyed<Row>[]> {
    return this.#keyed((await this.#ordered(key.length, key).limit(1)) as KeyedRow[])
  }

  /**
   * The first rows, or those after a key, at most `limit`, and the key of the last. For many rows: they keep their key
   * columns.
   */
  async batch(key: RowKey | null, limit: number): Promise<{ rows: Row[]; last: RowKey | null }> {
    const found = await this.#rowsAfter(key, limit, 0)
    const last = found.at(-1)
    return { rows: found as Row[], last: last ? this.#keyOf(last) : null }
  }

  /**
   * The ids of the first rows or of those after a key, at most `limit`, and the key of the last. For more rows than would be
   * read whole.
   *
   * @param reversed whether to read in the opposite order
   */
  async ids(
    by: ById,
    key: RowKey | null,
    limit: number,
    reversed: boolean
  ): Promise<{ ids: number[]; last: RowKey | null }> {
    const view = new KeysetQuery(this.list, this.query, this.source)
    if (reversed) [view.#terms, view.#reversed] = [view.#reversed, view.#terms]
    view.#contains = this.#contains
    view.#by = by
    const rows = await view.#rowsAfter(key, limit, 0)
    const last = rows.at(-1)
    const ids = rows.map((row) => Number(row[by.column]))
    return { ids, last: last ? view.#keyOf(last) : null }
  }

  /** Rows by their ids, in this order, each with its key; without deleted rows. */
  async withIds({ column, lookup }: ById, ids: readonly number[]): Promise<Keyed<Row>[]> {
    const found = new Map<number, KeyedRow>()
    for (const part of chunks([...ids])) {
      const rows = this.source.select(lookup().whereIn(column, part))
      this.#selectKeys(rows)
      rows.select(`${column} as ${ID}`)
      for (const { [ID]: id, ...row } of (await rows) as KeyedRow[]) found.set(Number(id), row)
    }
    return this.#keyed(ids.map((id) => found.get(id)).filter((row) => row !== undefined))
  }

  async #rowsAfter(key: RowKey | null, limit: number, offset: number): Promise<KeyedRow[]> {
    if (key === null && this.#grouped === 0 && !this.#isStepped(0)) {
      return this.#read(this.#ordered(0).offset(offset).limit(limit))
    }
    const found = await this.#rowsOf([], key, limit + offset)
    return found.slice(offset)
  }

  /** Rows that have these values in their first fields, behind a key: at most `limit`. */
  async #rowsOf(same: KeyValue[], key: RowKey | null, limit: number): Promise<KeyedRow[]> {
    const level = same.length
    if (level >= this.#grouped) {
      return this.#rowsBehind(same, key, limit)
    }
    const found = key ? await this.#rowsOf([...same, key[level]], key, limit) : []
    let value = key?.[level]
    for (let values = 0; found.length < limit; values++) {
      if (values >= MANY_VALUES.above) {
        const last = found.at(-1)
        const behind = last ? this.#keyOf(last) : key
        return [...found, ...(await this.#rowsBehind(same, behind, limit - found.length))]
      }
      value = await this.#valueAt(this.#terms, same, value)
      if (value === undefined) break
      found.push(...(await this.#rowsOf([...same, value], null, limit - found.length)))
      await turn()
    }
    return found
  }

  async #rowsBehind(same: KeyValue[], key: RowKey | null, limit: number): Promise<KeyedRow[]> {
    if (key === null) {
      return this.#range(same, undefined, limit)
    }
    const found: KeyedRow[] = []
    // Each step is a range of an index: the same in all fields but the last, then in all but the last two.
    for (
      let level = this.#terms.length - 1;
      level >= same.length && found.length < limit;
      level--
    ) {
      const rest = limit - found.length
      found.push(...(await this.#range(key.slice(0, level), key[level], rest)))
    }
    return found
  }

  /** Rows that have these values in their first fields, and are behind a value in the next one: at most `limit`. */
  async #range(
    same: readonly KeyValue[],
    behind: KeyValue | undefined,
    limit: number
  ): Promise<KeyedRow[]> {
    const level = same.length
    const rows = this.#ordered(level, same).limit(limit)
    if (behind !== undefined) this.#terms[level].beyond(rows, behind)
    // Rows of one value can be all rows. Those before the last value are few and are sorted; then its rows follow.
    const last = this.#isStepped(level)
      ? await this.#valueAt(this.#terms, same, behind, limit - 1)
      : undefined
    if (last !== undefined) this.#reversed[level].beyond(rows, last)
    const found = await this.#read(rows)
    if (last === undefined || found.length === limit) return found
    found.push(...(await this.#range([...same, last], undefined, limit - found.length)))
    // Fewer than there were: some went in between, and others lie behind.
    return found.length === limit
      ? found
      : [...found, ...(await this.#range(same, last, limit - found.length))]
  }

  /**
   * Whether an index has a field, but not those after it in this order: rows of equal values are ordered by id and read in one
   * direction. MariaDB would sort all rows, other databases all rows of one value.
   */
  #isStepped(level: number): boolean {
    const [term, next] = this.#terms.slice(level)
    const isById = level === this.#terms.length - 2 && next.descending === term.descending
    return this.#indexed[level] && next !== undefined && !isById
  }

  /** The next value of a field after a value, or the first; undefined if there is none. */
  async #valueAt(
    terms: Term[],
    same: readonly KeyValue[],
    behind: KeyValue | undefined,
    position = 0
  ): Promise<KeyValue | undefined> {
    const term = terms[same.length]
    const rows = this.#narrowed()
    same.forEach((value, index) => terms[index].equal(rows, value))
    if (behind !== undefined) term.beyond(rows, behind)
    term.orderBy(rows)
    term.select(rows, keyName(0))
    if (position > 0) rows.offset(position)
    const [row] = (await rows.limit(1)) as KeyedRow[]
    return row && term.valueOf(row[keyName(0)])
  }

  /** The key of the row at a position from 0, counted from the end when reversed. Reads keys only. */
  async keyAt(position: number, reversed = false): Promise<RowKey | null> {
    const found = await this.#keyIn(reversed ? this.#reversed : this.#terms, [], position)
    return typeof found === 'number' ? null : found
  }

  /** The key at a position among the rows that have these values in their first fields; or how many there are. */
  async #keyIn(terms: Term[], same: KeyValue[], position: number): Promise<RowKey | number> {
    const rows = () => {
      const found = this.#narrowed()
      same.forEach((value, index) => terms[index].equal(found, value))
      return found
    }
    const skipping = async (): Promise<RowKey | number> => {
      const level = same.length
      if (this.#isStepped(level)) {
        const value = await this.#valueAt(terms, same, undefined, position)
        if (value === undefined) return countRows(rows())
        const before = rows()
        const opposite = terms === this.#terms ? this.#reversed : this.#terms
        opposite[level].beyond(before, value)
        const passed = await countRows(before)
        const found = await this.#keyIn(terms, [...same, value], Math.max(0, position - passed))
        return typeof found === 'number' ? passed + found : found
      }
      const ordered = rows()
      terms.slice(same.length).forEach((term) => term.orderBy(ordered))
      this.#selectKeys(ordered)
      const [row] = (await ordered.offset(position).limit(1)) as KeyedRow[]
      return row ? this.#keyOf(row) : countRows(rows())
    }
    if (same.length >= this.#grouped) {
      return skipping()
    }
    let before = 0
    let value = await this.#valueAt(terms, same, undefined)
    for (let values = 0; value !== undefined; values++) {
      if (values >= MANY_VALUES.above) return skipping()
      const found = await this.#keyIn(terms, [...same, value], position - before)
      if (typeof found !== 'number') return found
      before += found
      value = await this.#valueAt(terms, same, value)
      // SQLite's driver is synchronous: others get their turn between the values.
      await turn()
    }
    return before
  }

  /** Rows that have these values in their first fields, in the order of the fields from one on. */
  #ordered(from: number, same: readonly KeyValue[] = []): Rows {
    const rows = this.#narrowed()
    if (this.#by === null) this.#selectKeys(this.source.select(rows))
    same.forEach((value, index) => this.#terms[index].equal(rows, value))
    this.#terms.slice(from).forEach((term) => term.orderBy(rows))
    return rows
  }

  /** Reads rows whole, or only their ids and the key of the last. */
  async #read(rows: Rows): Promise<KeyedRow[]> {
    if (this.#by === null) {
      return (await rows) as KeyedRow[]
    }
    const { column, lookup } = this.#by
    // If the last row was deleted meanwhile, reads again: fewer rows than requested would mean the end of a range.
    for (;;) {
      const [ids] = await numbersOf(rows.clone(), [column])
      const id = ids.pop()
      if (id === undefined) return []
      const lasts = lookup().where(column, id).select(column)
      this.#selectKeys(lasts)
      const [last] = (await lasts) as KeyedRow[]
      if (last) return [...ids.map((one) => ({ [column]: one })), last]
    }
  }

  #selectKeys(rows: Rows): void {
    this.#terms.forEach((term, index) => term.select(rows, keyName(index)))
  }

  /** Rows with their keys, without the columns of these. */
  #keyed(rows: KeyedRow[]): Keyed<Row>[] {
    return rows.map((row) => {
      const key = this.#keyOf(row)
      this.#terms.forEach((_, index) => delete row[keyName(index)])
      return { row: row as Row, key }
    })
  }

  #keyOf(row: KeyedRow): RowKey {
    return this.#terms.map((term, index) => term.valueOf(row[keyName(index)]))
  }

  #narrowed(): Rows {
    const rows = this.source.matching()
    const { q } = this.query
    narrowByFilters(rows, this.list, this.query, this.source)
    if (this.#contains) {
      this.#contains(rows)
    } else if (q !== null) {
      narrowByText(rows, this.list, q, this.source)
    }
    return rows
  }
}
