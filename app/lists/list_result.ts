import type { RowKey } from '#lists/row_key'

/** The result of a list query. */
export interface ListResult<Row> {
  /** The rows of the page, or of the whole list. */
  rows: Row[]
  /** Total number of rows; null in a list that is requested by cursor, which is not counted. */
  total: number | null
  /** Whether the list has more rows than `total`: the count stopped there (`Page.maxCount`). */
  isMore?: boolean
  /** Key after which the next page begins; null after the last row and for a whole list. */
  next: RowKey | null
}

/** A row and its key in the order. */
export interface RowWithKey<Row> {
  row: Row
  key: RowKey
}

/**
 * Builds a page from the first rows.
 *
 * @param size   maximum number of rows
 * @param isLast whether no row follows the page
 */
export function buildPage<Row>(
  found: readonly RowWithKey<Row>[],
  size: number,
  isLast: boolean
): Pick<ListResult<Row>, 'rows' | 'next'> {
  const pageRows = found.slice(0, size)
  return {
    rows: pageRows.map(({ row }) => row),
    next: isLast ? null : (pageRows.at(-1)?.key ?? null),
  }
}
