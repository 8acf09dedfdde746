import env from '#support/env'

/** Whether browsers reach the product by HTTPS, as `APP_URL` says. */
export const isHttps = (env.get('APP_URL') ?? '').startsWith('https:')

/**
 * A cookie's name. By HTTPS it has the prefix that makes browsers take it from this host alone, for all paths, and
 * encrypted (`__Host-`, RFC 6265bis); by HTTP they would not take it at all then.
 */
export function cookieName(name: string): string {
  return isHttps ? `__Host-${name}` : name
}

/** Attributes of every cookie: out of reach of scripts, and not sent with what other sites post. */
export const COOKIE = {
  path: '/',
  httpOnly: true,
  secure: isHttps,
  sameSite: 'lax',
  // Gone with the browser, unless a cookie says otherwise.
  maxAge: undefined,
} as const
