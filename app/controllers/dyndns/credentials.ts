import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import { findActorOfKey } from '#accounts/authenticate'
import { isHostToken, hasKeyForm } from '#accounts/keys/secret'
import { signIn } from '#accounts/sign_in/sign_in'
import { anonymousActor } from '#audit/event'
import { recordInBackground } from '#audit/refused_calls'
import dyndns from '#config/dyndns'
import { valueOf, type DyndnsQuery } from '#controllers/dyndns/query'
import { comesFromForeignPage } from '#middleware/foreign_page'

/** Credentials of an update. */
export interface ShownCredentials {
  method: 'basic' | 'bearer' | 'api-key' | 'query' | 'path'
  username: string
  /** A password, a token or a key. */
  secret: string
}

/**
 * The first credentials of the request: a token in the path, a key in `X-API-Key` or as a bearer
 * token, HTTP Basic, or the parameters `username` and `password`. null without any. Those in the
 * URL need `dyndns.query_credentials`.
 */
export function shownCredentials(
  { request, params }: HttpContext,
  query: DyndnsQuery
): ShownCredentials | null {
  const key = request.header('x-api-key')
  if (key) {
    return { method: 'api-key', username: '', secret: key }
  }
  const [, scheme = '', text = ''] =
    /^(Bearer|Basic) +(\S+)\s*$/i.exec(request.header('authorization') ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') {
    return { method: 'bearer', username: '', secret: text }
  }
  if (scheme !== '') {
    return basicCredentials(text)
  }
  return dyndns.query_credentials ? addressCredentials(params, query) : null
}

function addressCredentials(
  params: Record<string, unknown>,
  query: DyndnsQuery
): ShownCredentials | null {
  const parts = [params['*']].flat().map(String)
  const token = parts.find(isHostToken)
  if (token !== undefined) {
    return { method: 'path', username: '', secret: token }
  }
  const username = valueOf(query, 'username')
  const secret = query.get('password')?.at(-1) ?? ''
  return username === undefined ? null : { method: 'query', username, secret }
}

/**
 * User name and password (RFC 7617): the password is all after the first colon. Devices omit the
 * padding, and send Latin-1 instead of UTF-8.
 */
function basicCredentials(encoded: string): ShownCredentials | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    return null
  }
  const bytes = Buffer.from(encoded, 'base64')
  const utf8 = bytes.toString('utf8')
  const text = utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8
  const colon = text.indexOf(':')
  return colon === -1 || /\p{Cc}/u.test(text)
    ? null
    : { method: 'basic', username: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/**
 * The actor of the credentials; null if they are invalid. A secret with the form of a key or token
 * is looked up as one, with any user name: devices require a user name. Throws 429 as `signIn`
 * does.
 */
export async function callerOf(ctx: HttpContext, shown: ShownCredentials): Promise<Actor | null> {
  const address = ctx.request.ip()
  const { method, username, secret } = shown
  const actor =
    (hasKeyForm(secret) || method === 'bearer' || method === 'api-key'
      ? await findActorOfKey(secret, address, 'dyndns')
      : null) ?? (username === '' ? null : await byPassword(ctx, shown, address))
  if (!actor) {
    recordInBackground(anonymousActor(address, 'dyndns'), {
      action: 'login.failed',
      outcome: 'failed',
      detail: { method, call: `${ctx.request.method()} ${ctx.route?.pattern ?? ''}` },
    })
  }
  return actor
}

/** Refuses foreign pages: browsers send stored passwords for them. */
async function byPassword(
  ctx: HttpContext,
  { method, username, secret: password }: ShownCredentials,
  address: string
): Promise<Actor | null> {
  if (method === 'basic' && comesFromForeignPage(ctx)) {
    return null
  }
  // A form encodes a blank as "+"; a device without escaping sends "+" literally.
  const isBlanked = method === 'query' && password.includes('+')
  const alternative = isBlanked ? { alternative: password.replaceAll('+', ' ') } : {}
  // Devices cannot send a second factor: users with one need tokens for them.
  return signIn({ username, password, ...alternative, address, channel: 'dyndns' })
}
