import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { IdSet } from '#database/rows/id_set'

type Rows = DatabaseQueryBuilderContract

/**
 * Where a field of a list is stored: its column with the table, such as `zw_users.id`, and what else the
 * database has to know of it.
 */
export type ListColumn =
  | string
  | {
      column: string
      /** Column of stored keys whose byte order is the natural order of the field, or the caseless one. */
      sortKey?: string
      nullable?: boolean
      /** No two rows have the same: what comes behind it in an order changes nothing. */
      unique?: boolean
      /** Many rows have the same: rows of each value are read by themselves, in an order that an index has. */
      grouped?: boolean
      /**
       * Behind which other fields an index has it, rows of equal values by their ids: names with blanks between them, ''
       * for none. Not for what can be absent.
       */
      indexed?: readonly string[]
    }

/** How rows are looked up by a unique column of whole numbers. */
export interface ById {
  column: string
  /** Creates the query for the rows, of which some are then selected by the column: at least all rows of the list. */
  lookup(): Rows
}

/** The ids of the rows that are in a list. */
export interface IdFilter extends ById {
  ids: IdSet
}

/** What is known of a list without reading it. */
export interface ListState {
  /** What tells these rows from those of other callers and other lists. */
  scope: string
  /** Changes whenever the rows or their order may have changed. */
  version: string
  /** How many rows there are, before any filter; absent where that is not kept. */
  total?: number
  /**
   * Whether rows move in the order while the version stays: the first ones are looked for each time. Where pages far down begin
   * is believed for a while all the same.
   */
  isMoving?: boolean
}

/** Where the rows of a list come from. */
export interface ListSource<Name extends string = string> {
  /** The column of each field. */
  columns: Readonly<Record<Name, ListColumn>>
  /** Makes the query for the rows without order and window, anew at each call. */
  matching(): Rows
  /** What to read of the rows. */
  select(rows: Rows): Rows
  /** Counts the rows where that is known, or cheaper, otherwise than one by one; no further than `most`, if it likes. */
  count?(most?: number): Promise<number>
  /** For lists that can be long: lets totals and positions of pages be remembered. */
  marks?(): Promise<ListState>
  /**
   * Where an index finds `q`: looks it up, and gives what narrows a query to the rows that contain it; null where each row
   * is to be looked at.
   */
  search?(q: string): Promise<((rows: Rows) => void) | null>
  /** Only these rows are in the list. For pages; whole lists ignore it. */
  idFilter?: IdFilter
}
