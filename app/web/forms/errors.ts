import type { I18n } from '@adonisjs/i18n'
import {
  BackendUnavailable,
  CapabilityMissing,
  refusalAnswer,
  UNCONFIRMED,
  WriteRefused,
  WriteUnconfirmed,
} from '#backends/contract/errors'
import { RRsetActionRefused } from '#changes/model/action_error'
import { PreconditionFailed } from '#changes/planning/preconditions'
import { InvalidDns } from '#dns/errors'
import { Refusal } from '#exceptions/refusal'
import { languageOf, LocalizedError } from '#web/forms/localized_error'

/** Why a form was not carried out, for the page that comes again. */
export interface FormProblem {
  /** 4xx. */
  status: number
  message: string
  /** Of the message, where it is not in that of the page. */
  lang?: 'en'
  /** Name of the field that is wrong, for pages that tell it there, too. */
  field?: string
}

/**
 * Why a form was refused, with the status that its page answers; null for what is no refusal, but a fault. A member that
 * is wrong is a 422 of the form; what the name server cannot do or does not answer is a 409. What is missing or hidden is
 * a problem of the form: what its address names is looked up before.
 *
 * @param moved what the page says where somebody else changed the object meanwhile
 */
export function problemIn(i18n: I18n, error: unknown, moved?: string): FormProblem | null {
  const unasked = unaskedReason({ i18n }, error)
  if (unasked) {
    return { status: 409, ...unasked }
  }
  if (error instanceof PreconditionFailed) {
    return { status: 412, message: moved ?? i18n.t('error.moved') }
  }
  if (error instanceof InvalidDns) {
    return { status: 422, message: error.message, lang: 'en' }
  }
  if (error instanceof WriteRefused) {
    const { status, message } = refusalAnswer(error)
    return { status: status === 400 ? 422 : status, message, lang: 'en' }
  }
  if (!(error instanceof Refusal)) {
    return null
  }
  const { status } = error
  const message = error instanceof RRsetActionRefused ? rrsetErrorText(error) : error.message
  if (status === 412 && moved !== undefined) {
    return { status, message: moved }
  }
  const told = status === 400 ? 422 : status >= 500 ? 409 : status
  const field = error instanceof LocalizedError ? error.field : undefined
  return { status: told, message, ...languageOf(error), ...(field === undefined ? {} : { field }) }
}

function rrsetErrorText({ place: { name, type }, why }: RRsetActionRefused): string {
  return `${name} ${type}: ${why}`
}

/** Why the name server could not be asked, and with `silence` what follows; null where that is not what went wrong. */
export function unaskedReason(
  { i18n }: { i18n: I18n },
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
