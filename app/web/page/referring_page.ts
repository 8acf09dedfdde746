import type { HttpContext } from '@adonisjs/core/http'
import router from '@adonisjs/core/services/router'
import env from '#support/env'

/**
 * The path of the page of a submitted form: the referrer, or else the page above the address of the form. For a page that
 * answers a form itself, the nearest page above.
 */
export function pageBehind({ request }: HttpContext): string {
  const named = URL.parse(request.header('referer') ?? '')
  const ownHosts = [request.header('host'), URL.parse(env.get('APP_URL') ?? '')?.host]
  const isOwn = named !== null && ownHosts.includes(named.host)
  const path = isOwn ? named.pathname : request.url()
  if (isOwn && isPage(path, request.hostname())) {
    return `${path}${named.search}`
  }
  return nearest(path, request.hostname())
}

/** The page that the address of this request lies below. */
export function pageAbove({ request }: HttpContext): string {
  return nearest(request.url().replace(/\/[^/]*$/, ''), request.hostname())
}

function nearest(path: string, host: string | null): string {
  const parts = path.split('/')
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
  return above.find((one) => one !== '' && isPage(one, host)) ?? '/'
}

function isPage(path: string, host: string | null): boolean {
  return router.match(path, 'GET', false, host) !== null
}
