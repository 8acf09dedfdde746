import type { HttpContext } from '@adonisjs/core/http'

/** What looks at links before people do: previews, search engines, checkers of mail. */
const SCANNERS = /bot\b|crawl|spider|preview|slurp|externalhit|scanner|whatsapp|prefetch/i

/** How browsers say that nobody asked yet. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/**
 * Whether a request must not change anything, whatever it shows: it does not say what it is, asks for headers alone,
 * or comes from something that fetches addresses because it saw them.
 */
export function isScanner({ request }: HttpContext): boolean {
  const agent = request.header('user-agent')?.trim() ?? ''
  const isAhead = AHEAD.some((name) =>
    /prefetch|preview|prerender/i.test(request.header(name) ?? '')
  )
  return agent === '' || request.method() === 'HEAD' || isAhead || SCANNERS.test(agent)
}
