import type { RowKey } from '#lists/row_key'

/** Rows of a page at most. */
export const MAX_PER_PAGE = 10_000
/** Above the length of every list, and small enough for an exact offset in a number. */
const MAX_PAGE_NUMBER = 100_000_000_000
/** Default number of rows of a page by cursor. */
export const CURSOR_PAGE_SIZE = 1_000

/** The page that `page` and `per_page` select, or a page by cursor. */
export interface Page {
  number: number
  size: number
  offset: number
  /** The page starts after this key; null for the first page. Absent in pages by number. */
  after?: RowKey | null
  /** The count stops here, but not before the end of the page. Absent: counts all rows. */
  maxCount?: number
}

/** Reads `page` and `per_page`. Ignores values that are no positive numbers. Returns null for the whole list. */
export function parsePage(parameters: Record<string, unknown>): Page | null {
  const size = Math.min(parsePositive(parameters.per_page), MAX_PER_PAGE)
  if (size === 0) {
    return null
  }
  const number = Math.max(1, parsePositive(parameters.page))
  return { number, size, offset: (number - 1) * size }
}

/** Parses a page by cursor: the rows after that key, `per_page` of them or 1000. */
export function parseCursorPage(parameters: Record<string, unknown>, after: RowKey | null): Page {
  const size = parsePage(parameters)?.size ?? CURSOR_PAGE_SIZE
  return { number: 1, size, offset: 0, after }
}

/** The member `pagination` of a list that is requested by page. */
export function paginationOf(page: Page, total: number) {
  return {
    current_page: page.number,
    per_page: page.size,
    total,
    last_page: Math.max(1, Math.ceil(total / page.size)),
  }
}

function parsePositive(value: unknown): number {
  const isNumber = typeof value === 'string' && /^\d+$/.test(value)
  return isNumber ? Math.min(Number(value), MAX_PAGE_NUMBER) : 0
}
