import type { HttpContext } from '@adonisjs/core/http'

/** Credentials of a request. */
export type Credentials =
  { kind: 'key'; key: string } | { kind: 'password'; username: string; password: string }

/**
 * The first credentials of the request: a key in `X-API-Key`, a bearer token, or HTTP Basic; null
 * without any, and for invalid syntax. A password is ignored if there is a key, valid or not.
 *
 * @param takesPasswords whether HTTP Basic is enabled
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

/**
 * User name and password (RFC 7617): base64 of UTF-8; the password is all after the first colon.
 */
function basicCredentials(encoded: string): Credentials | null {
  const text = decoded(encoded)
  const colon = text?.indexOf(':') ?? -1
  // Neither of them has control characters.
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
