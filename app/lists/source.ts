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
      /** Values are unique: fields after it do not change the order. */
      unique?: boolean
      /** Many rows share a value: rows of each value are read separately, in the order of an index. */
      grouped?: boolean
      /**
       * For each index that contains the field: the fields before it, separated by blanks; '' for none. Rows with equal
       * values are ordered by id in it. Not for nullable fields.
       */
      indexed?: readonly string[]
    }

/** How rows are looked up by a unique column of whole numbers. */
export interface IdLookup {
  column: string
  /** Creates the query in which ids are looked up: it must return at least all rows of the list. */
  lookup(): RowQuery
}

/** The ids of the rows of a list. */
export interface IdFilter extends IdLookup {
  ids: IdSet
}

/** What is known about a list without reading it. */
export interface ListState {
  /** Identifies the set of rows: differs by caller and by list. */
  scope: string
  /** Changes whenever the rows or their order may have changed. */
  version: string
  /** The number of rows before any filter; absent if it is not stored. */
  total?: number
  /**
   * Whether rows can change their order without a new version. Then the first rows are read each time, and cached
   * starts of later pages are used for a limited time.
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
  /** The number of rows, if it is stored or cheaper than a count query. May stop at `maxCount`. */
  count?(maxCount?: number): Promise<number>
  /** For long lists: enables the cache of totals and page positions. */
  readState?(): Promise<ListState>
  /**
   * Looks up `q` in an index. Returns a function that restricts a query to the rows that contain it; null if each row must be
   * compared.
   */
  search?(q: string): Promise<((rows: RowQuery) => void) | null>
  /** Restricts pages to these rows; ignored for whole lists. */
  idFilter?: IdFilter
}
