import type { HttpContext } from '@adonisjs/core/http'
import type { AccessRequest } from '#access/authorize'
import { AccessDenied } from '#access/demand'
import { stranger, type AuditObject } from '#audit/event'
import { recordAside } from '#audit/refused_calls'
import { ActionRefused } from '#changes/model/action_error'
import { Refusal } from '#exceptions/refusal'

/**
 * Tells the audit log of a request that ended because of who its caller is: what `demand` did not allow,
 * hidden objects too, any other 403 of a known caller, and credentials that were not accepted. Asking
 * `authorize` alone denies nobody anything; what ends a request comes here, whatever threw it.
 */
export function auditRefusal(error: unknown, ctx: HttpContext): void {
  const denial = denialIn(error)
  if (denial) {
    const { actor, request, decision } = denial
    recordAside(actor, {
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
    recordAside(ctx.actor, {
      action: 'access.denied',
      outcome: 'denied',
      detail: { reason: error.message, call: callOf(ctx) },
    })
  } else if (error instanceof Refusal && error.status === 401) {
    auditFailedLogin(ctx)
  }
}

/** The denial that an error is, or comes from; of many refused actions, the first that was denied. */
function denialIn(error: unknown): AccessDenied | null {
  if (error instanceof AccessDenied) return error
  if (!(error instanceof Refusal)) return null
  const denial = denialIn(error.cause)
  if (denial || !(error instanceof ActionRefused)) return denial
  return error.others.map(denialIn).find((other) => other !== null) ?? null
}

/** Only where something was shown: everybody may ask without credentials, and does. */
function auditFailedLogin(ctx: HttpContext): void {
  const key = ctx.request.header('x-api-key')
  const header = ctx.request.header('authorization')
  const shown = key || header
  if (!shown) {
    return
  }
  recordAside(stranger(ctx.request.ip(), 'api'), {
    action: 'login.failed',
    outcome: 'failed',
    detail: {
      method: key ? 'api-key' : methodOf(header ?? ''),
      // Of anything else that somebody sent, a password perhaps, nothing is kept.
      key_prefix: /\b(pwa_[0-9a-f]{8})[0-9a-f]{56}$/.exec(shown)?.[1],
      call: callOf(ctx),
    },
  })
}

function methodOf(header: string): string {
  const scheme = header.split(' ', 1)[0].toLowerCase()
  return ['basic', 'bearer'].includes(scheme) ? scheme : 'other'
}

/** The route, and not the address: it is one of few. */
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
