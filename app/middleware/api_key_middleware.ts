import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Actor, KeyOperation } from '#access/actor'
import { demand } from '#access/demand'
import { actorOfKey } from '#accounts/authenticate'
import { Refusal } from '#exceptions/refusal'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Who acts. Set on every route behind the API key middleware. */
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
 * Lets in who shows an API key, in `X-API-Key` or as a bearer token, and whose key allows the method.
 * One answer for every reason not to know the caller.
 */
export default class ApiKeyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const key = presentedKey(ctx)
    const actor = key === null ? null : await actorOfKey(key, ctx.request.ip(), 'api')
    if (!actor) {
      throw new Refusal(401, 'Unauthorized: Invalid credentials')
    }
    const operation = OPERATIONS[ctx.request.method()] ?? 'view'
    demand(actor, { action: 'key.operate', operations: [operation] })
    ctx.actor = actor
    return next()
  }
}

function presentedKey({ request }: HttpContext): string | null {
  const header = request.header('x-api-key')
  if (header) {
    return header
  }
  return /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? null
}
