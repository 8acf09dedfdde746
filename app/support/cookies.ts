import env from '#support/env'

/** Whether browsers use HTTPS, according to `APP_URL`. */
export const isHttps = (env.get('APP_URL') ?? '').startsWith('https:')

/**
 * The name of a cookie. With HTTPS it has the prefix `__Host-` (RFC 6265bis): browsers then accept it from this host only, for
 * all paths, and encrypted. With HTTP they would refuse it.
 */
export function cookieName(name: string): string {
  return isHttps ? `__Host-${name}` : name
}

/**
 * Attributes of every cookie: not readable by scripts, and not sent with requests from other sites.
 */
export const COOKIE = {
  path: '/',
  httpOnly: true,
  secure: isHttps,
  sameSite: 'lax',
  // The cookie ends with the browser session unless a cookie has a maximum age.
  maxAge: undefined,
} as const
