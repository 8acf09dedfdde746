import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { IdSet } from '#database/rows/id_set'

type RowQuery = DatabaseQueryBuilderContract

/** Where a field of a list is stored: its column with the table, such as `zw_users.id`, and its properties in the database. */
export type ListColumn =
  | string
  | {
      column: string
      /** Column of stored keys whose byte order is the natural order of the field, or the caseless one. */
      sortKey?: string
      nullable?: boolean
      /** Each row has another value: fields after it do not change the order. */
      unique?: boolean
      /** Many rows have the same: rows of each value are read by themselves, in an order that an index has. */
      grouped?: boolean
      /**
       * The fields before it in the indexes that have it, whose rows of equal values are ordered by id. Names separated by
       * blanks; '' for none. Not for nullable fields.
       */
      indexed?: readonly string[]
    }

/** How rows are looked up by a unique column of whole numbers. */
export interface IdLookup {
  column: string
  /** Creates the query for the rows, of which some are then selected by the column: at least all rows of the list. */
  lookup(): RowQuery
}

/** The ids of the rows that are in a list. */
export interface IdFilter extends IdLookup {
  ids: IdSet
}

/** What is known about a list without reading it. */
export interface ListState {
  /** Distinguishes these rows from those of other callers and other lists. */
  scope: string
  /** Changes whenever the rows or their order may have changed. */
  version: string
  /** The number of rows before any filter; absent if it is not stored. */
  total?: number
  /**
   * Whether rows can change their order without a new version: the first rows are read each time. Cached starts of pages far
   * down are used for a limited time.
   */
  canReorder?: boolean
}

/** The database source of the rows of a list. */
export interface ListSource<Name extends string = string> {
  /** The column of each field. */
  columns: Readonly<Record<Name, ListColumn>>
  /** Builds a new query for the rows, without order and window. */
  createQuery(): RowQuery
  /** Adds the columns to read. */
  select(rows: RowQuery): RowQuery
  /** Counts the rows if that is known or cheaper than a count query. May stop at `maxCount`. */
  count?(maxCount?: number): Promise<number>
  /** For lists that can be long: lets totals and positions of pages be remembered. */
  readState?(): Promise<ListState>
  /**
   * Looks up `q` in an index. Returns a function that restricts a query to the rows that contain it; null if each row must be
   * compared.
   */
  search?(q: string): Promise<((rows: RowQuery) => void) | null>
  /** Only these rows are in the list. For pages; whole lists ignore it. */
  idFilter?: IdFilter
}
