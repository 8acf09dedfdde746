import type { HttpContext } from '@adonisjs/core/http'

const MAX_PER_PAGE = 10_000
/** Beyond every list, and small enough that an offset of so many pages is still a whole number. */
const LARGEST = 100_000_000_000

/** The window that `page` and `per_page` ask for; null is the whole list. */
export interface Page {
  number: number
  size: number
  offset: number
}

/** Reads `page` and `per_page`: what is no positive number is as good as absent. */
export function pageOf({ request }: HttpContext): Page | null {
  const size = Math.min(positive(request.qs().per_page), MAX_PER_PAGE)
  if (size === 0) {
    return null
  }
  const number = Math.max(1, positive(request.qs().page))
  return { number, size, offset: (number - 1) * size }
}

/** The `pagination` member of a list that was asked for by page. */
export function paginationOf(page: Page, total: number) {
  return {
    current_page: page.number,
    per_page: page.size,
    total,
    last_page: Math.max(1, Math.ceil(total / page.size)),
  }
}

function positive(value: unknown): number {
  const isNumber = typeof value === 'string' && /^\d+$/.test(value)
  return isNumber ? Math.min(Number(value), LARGEST) : 0
}
