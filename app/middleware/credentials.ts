import type { HttpContext } from '@adonisjs/core/http'

/** How a request says who calls. */
export type Credentials =
  { kind: 'key'; key: string } | { kind: 'password'; username: string; password: string }

/**
 * What the request shows: a key in `X-API-Key`, a key as a bearer token, or user name and password by HTTP
 * Basic, whichever comes first; null for none and for what cannot be read. Where a key is shown, right or
 * wrong, a password beside it does not count.
 *
 * @param takesPasswords whether HTTP Basic is on
 */
export function presentedCredentials(
  { request }: HttpContext,
  takesPasswords: boolean
): Credentials | null {
  const header = request.header('x-api-key')
  if (header) {
    return { kind: 'key', key: header }
  }
  const authorization = request.header('authorization') ?? ''
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (token !== undefined) {
    return { kind: 'key', key: token }
  }
  const [, encoded] = /^Basic +(\S+)$/i.exec(authorization) ?? []
  return takesPasswords && encoded !== undefined ? basicCredentials(encoded) : null
}

/** User name and password (RFC 7617): base64 of UTF-8; the password is all that follows the first colon. */
function basicCredentials(encoded: string): Credentials | null {
  const text = decoded(encoded)
  const colon = text?.indexOf(':') ?? -1
  // Control characters are in neither of the two.
  if (text === null || colon === -1 || /\p{Cc}/u.test(text)) {
    return null
  }
  return { kind: 'password', username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decoded(encoded: string): string | null {
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    return null
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(encoded, 'base64')
    )
  } catch {
    return null
  }
}
