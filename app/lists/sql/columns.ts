import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { isPrintableAscii } from '#dns/names/labels'
import type { Order } from '#lists/declaration'
import type { KeyValue } from '#lists/row_key'
import type { ListColumn } from '#lists/source'
import { dialectOf } from '#database/dialects/dialect_of'

/** The name of a column of a list. */
export function columnOf(column: ListColumn): string {
  return typeof column === 'string' ? column : column.column
}

/** Whether rows are read by the values of a column, one value after the other. */
export function isGrouped(column: ListColumn): boolean {
  return typeof column !== 'string' && column.grouped === true
}

/** Whether an index contains the column after these fields, with rows of equal values ordered by id. */
export function isIndexed(column: ListColumn, before: readonly string[]): boolean {
  return typeof column !== 'string' && column.indexed?.includes(before.join(' ')) === true
}

/** Whether the values of a column of a list are unique. */
export function isUnique(column: ListColumn): boolean {
  return typeof column !== 'string' && column.unique === true
}

type RowQuery = DatabaseQueryBuilderContract

/** SQL of one field of an order, for the dialect of the database. Null comes first, or last in descending order. */
export class SortTerm {
  readonly #sql: string
  readonly #column: string
  readonly #isNullable: boolean
  readonly #nulls: string

  /** Throws an `Error` for a field in natural order without stored keys: a fault of the code. */
  constructor(
    client: QueryClientContract,
    column: ListColumn,
    private readonly order: Order,
    readonly descending: boolean
  ) {
    const { sortKey, nullable } = typeof column === 'string' ? {} : column
    if (order === 'natural' && sortKey === undefined) {
      throw new Error(`Column ${columnOf(column)} has no key for natural order`)
    }
    const key = order === 'natural' || order === 'caseless' ? sortKey : undefined
    this.#column = key ?? columnOf(column)
    const { foldedOrder, nullsSmallest } = dialectOf(client)
    const isFolded = order === 'caseless' && key === undefined
    this.#sql = isFolded ? foldedOrder : '??'
    this.#isNullable = nullable === true
    this.#nulls = this.#isNullable ? nullsSmallest(descending) : ''
  }

  /** Orders rows by this field. */
  orderBy(rows: RowQuery): void {
    const direction = this.descending ? 'desc' : 'asc'
    rows.orderByRaw(`${this.#sql} ${direction}${this.#nulls}`, [this.#column])
  }

  /** Reads the key of each row as `alias`. */
  select(rows: RowQuery, alias: string): void {
    rows.select(rows.client.raw(`${this.#sql} as ??`, [this.#column, alias]))
  }

  /** Restricts the query to rows with this key. */
  whereEqual(rows: RowQuery, value: KeyValue): void {
    if (value === null) rows.whereNull(this.#column)
    else rows.whereRaw(`${this.#sql} = ?`, [this.#column, value])
  }

  /** Restricts the query to rows after this key. */
  whereAfter(rows: RowQuery, value: KeyValue): void {
    if (value === null) {
      rows.whereRaw(this.descending ? '1 = 0' : `${this.#sql} is not null`, [
        ...(this.descending ? [] : [this.#column]),
      ])
      return
    }
    const comparison = `${this.#sql} ${this.descending ? '<' : '>'} ?`
    if (this.descending && this.#isNullable) {
      rows.whereRaw(`(${comparison} or ?? is null)`, [this.#column, value, this.#column])
    } else {
      rows.whereRaw(comparison, [this.#column, value])
    }
  }

  /** Converts a key from a driver into its comparable form. */
  toKeyValue(driverValue: unknown): KeyValue {
    if (driverValue === null || driverValue === undefined) return null
    // Counts and large ids are text on PostgreSQL.
    return this.order === 'number'
      ? Number(driverValue)
      : typeof driverValue === 'number'
        ? driverValue
        : String(driverValue)
  }
}

/** Condition that the column contains the text, without case. `%` and `_` are plain characters. */
export function containsCondition(
  client: QueryClientContract,
  column: string,
  value: string
): [sql: string, bindings: string[]] {
  const pattern = `%${value.replace(/[!%_]/g, '!$&')}%`
  const { folded, foldedValue } = dialectOf(client)
  return [`${folded} like ${foldedValue} escape '!'`, [column, pattern]]
}

/** Condition that the column equals the text, without case. */
export function equalsCaselessCondition(
  client: QueryClientContract,
  column: string,
  value: string
): [sql: string, bindings: string[]] {
  const { folded, foldedValue } = dialectOf(client)
  return [`${folded} = ${foldedValue}`, [column, value]]
}

/** Condition that the column equals the text exactly. */
export function equalsCondition(
  client: QueryClientContract,
  column: string,
  value: string
): [sql: string, bindings: string[]] {
  const text = isPrintableAscii(value) ? '??' : dialectOf(client).utf8
  return [`${text} = ?`, [column, value]]
}
