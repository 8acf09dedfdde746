import type { RowKey } from '#lists/row_key'

/** What a list answers. */
export interface Listed<Row> {
  /** The rows of the page, or of the whole list. */
  rows: Row[]
  /** How many there are on all pages. null in a walk, which does not count. */
  total: number | null
  /** Whether there are more than `total`: they were counted no further (`Page.countTo`). */
  isMore?: boolean
  /** Where the next page begins; null behind the last row, and of a whole list. */
  next: RowKey | null
}

/** A row and where it lies. */
export interface Keyed<Row> {
  row: Row
  key: RowKey
}

/**
 * The page that the first of some rows make.
 *
 * @param size   its rows at most
 * @param isLast whether no row follows those of the page
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
