import type { HttpContext } from '@adonisjs/core/http'

/** Agents that fetch links automatically: previews, search engines, mail scanners. */
const SCANNERS = /bot\b|crawl|spider|preview|slurp|externalhit|scanner|whatsapp|prefetch/i

/** Headers by which browsers declare a prefetch. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/**
 * Whether a request must not change anything, with any credentials: it has no user agent, is a HEAD
 * request, or comes from an automatic fetch of links.
 */
export function isScanner({ request }: HttpContext): boolean {
  const agent = request.header('user-agent')?.trim() ?? ''
  const isAhead = AHEAD.some((name) =>
    /prefetch|preview|prerender/i.test(request.header(name) ?? '')
  )
  return agent === '' || request.method() === 'HEAD' || isAhead || SCANNERS.test(agent)
}
