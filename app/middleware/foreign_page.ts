import type { HttpContext } from '@adonisjs/core/http'
import env from '#support/env'

/**
 * Whether a browser sends the request for a page of another site. Browsers add stored HTTP Basic
 * credentials to such requests, and name the origin (Fetch Metadata, RFC 6454); other clients do
 * not.
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
  const hosts = [request.header('host'), URL.parse(env.get('APP_URL') ?? '')?.host]
  return host === undefined || !hosts.includes(host)
}
