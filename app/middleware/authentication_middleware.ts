import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Actor, KeyOperation } from '#access/actor'
import { demand } from '#access/demand'
import { findActorOfKey } from '#accounts/authenticate'
import { signIn } from '#accounts/sign_in/sign_in'
import api from '#config/api'
import { Refusal, forbidden } from '#exceptions/refusal'
import { presentedCredentials } from '#middleware/credentials'
import { comesFromForeignPage } from '#middleware/foreign_page'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The caller. Set on every route behind the authentication middleware. */
    actor: Actor
  }
}

const OPERATIONS: Record<string, KeyOperation> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * Accepts an API key (in `X-API-Key` or as a bearer token) that allows the method, or HTTP Basic if
 * `api.basic_auth_enabled` is on. Every failure has the same answer.
 */
export default class AuthenticationMiddleware {
  /** @param needs operations that the API key must allow, if they do not follow from the method */
  async handle(ctx: HttpContext, next: NextFn, needs?: { operations: KeyOperation[] }) {
    const actor = await callerOf(ctx)
    if (!actor) {
      throw unknownCaller()
    }
    const operations = needs?.operations ?? [OPERATIONS[ctx.request.method()] ?? 'view']
    demand(actor, { action: 'key.operate', operations })
    ctx.actor = actor
    return next()
  }
}

/**
 * The caller of a request with current rights; null for invalid credentials. Throws 403 for pages
 * of other sites.
 */
export async function callerOf(ctx: HttpContext): Promise<Actor | null> {
  const address = ctx.request.ip()
  const shown = presentedCredentials(ctx, api.basic_auth_enabled)
  if (shown?.kind === 'key') {
    return findActorOfKey(shown.key, address, 'api')
  }
  if (shown === null) {
    return null
  }
  if (comesFromForeignPage(ctx)) {
    throw forbidden('Pages of other sites cannot use the API with HTTP Basic: send an API key')
  }
  const { username, password } = shown
  return signIn({ username, password, address, channel: 'api' })
}

/** 401, with a challenge if passwords are accepted (RFC 9110, 11.6.1). */
function unknownCaller(): Refusal {
  const refusal = new Refusal(401, 'Unauthorized: Invalid credentials')
  if (api.basic_auth_enabled) {
    refusal.headers = { 'WWW-Authenticate': `Basic realm="${api.basic_auth_realm}"` }
  }
  return refusal
}
