import type { HttpContext } from '@adonisjs/core/http'
import {
  BackendUnavailable,
  CapabilityMissing,
  UNCONFIRMED,
  WriteRefused,
  WriteUnconfirmed,
} from '#backends/errors'
import { ConditionFailed } from '#changes/conditions'
import { InvalidDns } from '#dns/errors'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'
import { languageOf } from '#web/said'

/** Why a form was not carried out, for the page that comes again. */
export interface FormProblem {
  status: number
  message: string
  /** Of the message, where it is not in that of the page. */
  lang?: 'en'
}

/**
 * What became of a form that was refused, and tells the audit log where it has to know. What has a page of its own (what
 * is missing, or whom the caller may not see) and faults are thrown on.
 */
export function formProblem(ctx: HttpContext, error: unknown): FormProblem {
  const unasked = unaskedReason(ctx, error)
  if (unasked) {
    return { status: 409, ...unasked }
  }
  if (error instanceof ConditionFailed) {
    return { status: 412, message: ctx.i18n.t('dnssec.moved') }
  }
  if (error instanceof InvalidDns) {
    return { status: 422, message: error.message, lang: 'en' }
  }
  if (error instanceof WriteRefused) {
    const message = `The name server does not accept this: ${error.message}`
    return { status: 422, message, lang: 'en' }
  }
  if (!(error instanceof Refusal) || error.status === 404) throw error
  auditRefusal(error, ctx)
  const { status, message } = error
  const told = status === 400 ? 422 : status >= 500 ? 409 : status
  return { status: told, message, ...languageOf(error) }
}

/** Why the name server could not be asked, and with `silence` what follows; null where that is not what went wrong. */
export function unaskedReason(
  { i18n }: HttpContext,
  error: unknown,
  silence = 'server.unreachable'
): { message: string; lang?: 'en' } | null {
  if (error instanceof CapabilityMissing) {
    return { message: error.message, lang: 'en' }
  }
  if (error instanceof WriteUnconfirmed) {
    return { message: UNCONFIRMED, lang: 'en' }
  }
  return error instanceof BackendUnavailable ? { message: i18n.t(silence) } : null
}
