import type { RowKey } from '#lists/row_key'

/** The result of a list query. */
export interface Listed<Row> {
  /** The rows of the page, or of the whole list. */
  rows: Row[]
  /** How many there are on all pages. null in a walk, which does not count. */
  total: number | null
  /** Whether there are more than `total`: they were counted no further (`Page.countTo`). */
  isMore?: boolean
  /** Key after which the next page begins; null after the last row and for a whole list. */
  next: RowKey | null
}

/** A row and its key in the order. */
export interface Keyed<Row> {
  row: Row
  key: RowKey
}

/**
 * Builds a page from the first rows.
 *
 * @param size   maximum number of rows
 * @param isLast whether no row follows the page
 */
export function pageOf<Row>(
  found: readonly Keyed<Row>[],
  size: number,
  isLast: boolean
): Pick<Listed<Row>, 'rows' | 'next'> {
  const shown = found.slice(0, size)
  return {
    rows: shown.map(({ row }) => row),
    next: isLast ? null : (shown.at(-1)?.key ?? null),
  }
}
