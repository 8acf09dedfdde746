import type { HttpContext } from '@adonisjs/core/http'
import type { AccessRequest } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import { anonymousActor, type AuditObject } from '#audit/event'
import { recordInBackground } from '#audit/refused_calls'
import { ActionRefused } from '#changes/model/action_error'
import { Refusal } from '#exceptions/refusal'

/**
 * Logs a request that was refused because of its caller: a denial of `demand`, including hidden
 * objects, any other 403 of a known caller, and invalid credentials. A call of `authorize` alone is
 * not logged.
 */
export function auditRefusal(error: unknown, ctx: HttpContext): void {
  const denial = denialIn(error)
  if (denial) {
    const { actor, request, decision } = denial
    recordInBackground(actor, {
      action: 'access.denied',
      object: objectOf(request),
      outcome: 'denied',
      detail: {
        asked: request.action,
        rule: decision.reasons[0]?.rule,
        hidden: decision.hidden,
        call: callOf(ctx),
      },
    })
  } else if (error instanceof Refusal && error.status === 403 && ctx.actor) {
    recordInBackground(ctx.actor, {
      action: 'access.denied',
      outcome: 'denied',
      detail: { reason: error.message, call: callOf(ctx) },
    })
  } else if (error instanceof Refusal && error.status === 401) {
    auditFailedLogin(ctx)
  }
}

/** The denial that an error is or has as its cause; of many refused actions, the first denial. */
function denialIn(error: unknown): AccessDenied | null {
  if (error instanceof AccessDenied) return error
  if (!(error instanceof Refusal)) return null
  const denial = denialIn(error.cause)
  if (denial || !(error instanceof ActionRefused)) return denial
  return error.otherActions.map(denialIn).find((other) => other !== null) ?? null
}

/** Only with credentials: requests without any are frequent. */
function auditFailedLogin(ctx: HttpContext): void {
  const key = ctx.request.header('x-api-key')
  const header = ctx.request.header('authorization')
  const loginName = key || header
  if (!loginName) {
    return
  }
  recordInBackground(anonymousActor(ctx.request.ip(), 'api'), {
    action: 'login.failed',
    outcome: 'failed',
    detail: {
      method: key ? 'api-key' : methodOf(header ?? ''),
      // Other input may be a password, and is not stored.
      key_prefix: /\b(pwa_[0-9a-f]{8})[0-9a-f]{56}$/.exec(loginName)?.[1],
      call: callOf(ctx),
    },
  })
}

function methodOf(header: string): string {
  const scheme = header.split(' ', 1)[0].toLowerCase()
  return ['basic', 'bearer'].includes(scheme) ? scheme : 'other'
}

/** The route, not the path, for few distinct values. */
function callOf({ request, route }: HttpContext): string {
  return `${request.method()} ${route?.pattern ?? ''}`.trim()
}

function objectOf(request: AccessRequest): AuditObject | null {
  if ('zone' in request) {
    return { kind: 'zone', id: request.zone.id, name: request.zone.name }
  }
  if (request.action === 'key.reach') {
    return { kind: 'zone', id: request.zoneId, name: request.zoneName ?? null }
  }
  return null
}
