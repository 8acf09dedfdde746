import type { HttpContext } from '@adonisjs/core/http'
import env from '#support/env'

/**
 * Whether a browser sends the request for a page of another site. Browsers remember HTTP Basic credentials and
 * send them along then, whatever the page is after; they say where it came from (Fetch Metadata, RFC 6454), and
 * other clients say nothing.
 */
export function comesFromForeignPage({ request }: HttpContext): boolean {
  const site = request.header('sec-fetch-site')
  if (site !== undefined) {
    return site !== 'same-origin' && site !== 'none'
  }
  const origin = request.header('origin')
  if (origin === undefined) {
    return false
  }
  const host = URL.parse(origin)?.host
  const own = [request.header('host'), URL.parse(env.get('APP_URL') ?? '')?.host]
  return host === undefined || !own.includes(host)
}
