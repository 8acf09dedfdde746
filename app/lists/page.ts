import type { RowKey } from '#lists/row_key'

/** Rows of a page at most. */
export const MAX_PER_PAGE = 10_000
/** Beyond every list, and small enough that an offset of so many pages is still a whole number. */
const MAX_PAGE_NUMBER = 100_000_000_000
/** Rows of a page by key without `per_page`. */
export const CURSOR_PAGE_SIZE = 1_000

/** The window that `page` and `per_page` ask for, or a step of a walk by `cursor`. */
export interface Page {
  number: number
  size: number
  offset: number
  /** The page begins after this key; null is the start. Absent in pages by number. */
  after?: RowKey | null
  /** Rows are counted no further than that, at least to the end of the page; absent, all are. */
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

/** The next step of a walk: the rows behind that key, `per_page` of them or 1000. */
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
