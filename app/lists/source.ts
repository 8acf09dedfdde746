import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { IdFilter } from '#lists/sql/id_filter'
import type { ListColumn } from '#lists/sql/columns'

type Rows = DatabaseQueryBuilderContract

/** What is known of a list without reading it. */
export interface ListMarks {
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
  marks?(): Promise<ListMarks>
  /**
   * Where an index finds `q`: looks it up, and gives what narrows a query to the rows that contain it; null where each row
   * is to be looked at.
   */
  search?(q: string): Promise<((rows: Rows) => void) | null>
  /** Only these of the rows are in the list. For pages; a whole list does not ask. */
  sieve?: IdFilter
}
