import type { I18n } from '@adonisjs/i18n'
import {
  BackendUnavailable,
  CapabilityMissing,
  refusalAnswer,
  UNCONFIRMED_MESSAGE,
  WriteRefused,
  WriteUnconfirmed,
} from '#backends/contract/errors'
import { RRsetActionRefused } from '#changes/model/action_error'
import { PreconditionFailed } from '#changes/planning/preconditions'
import { InvalidDns } from '#dns/errors'
import { Refusal } from '#exceptions/refusal'
import { languageOf, LocalizedError } from '#web/forms/localized_error'

/** The reason why a form was refused, for its redisplay. */
export interface FormProblem {
  /** 4xx. */
  status: number
  message: string
  /** Language of the message, if it differs from that of the page. */
  lang?: 'en'
  /** Name of the invalid field, for pages that show the problem there too. */
  field?: string
}

/**
 * The problem and status of a refused form; null for errors that are no refusal. An invalid member is a 422. An operation that
 * the name server refuses, or does not answer, is a 409. A missing object is a problem of the form: the object of the address
 * was found before.
 *
 * @param changedMessage text for a change by another user meanwhile
 */
export function problemIn(i18n: I18n, error: unknown, changedMessage?: string): FormProblem | null {
  const unasked = unaskedReason({ i18n }, error)
  if (unasked) {
    return { status: 409, ...unasked }
  }
  if (error instanceof PreconditionFailed) {
    return { status: 412, message: changedMessage ?? i18n.t('layout.error_moved') }
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
  if (status === 412 && changedMessage !== undefined) {
    return { status, message: changedMessage }
  }
  const displayedStatus = status === 400 ? 422 : status >= 500 ? 409 : status
  const field = error instanceof LocalizedError ? error.field : undefined
  return {
    status: displayedStatus,
    message,
    ...languageOf(error),
    ...(field === undefined ? {} : { field }),
  }
}

function rrsetErrorText({ place: { name, type }, why }: RRsetActionRefused): string {
  return `${name} ${type}: ${why}`
}

/**
 * Returns why the name server did not answer, and with `silence` the consequence; null for other
 * errors.
 */
export function unaskedReason(
  { i18n }: { i18n: I18n },
  error: unknown,
  silence = 'server.unreachable'
): { message: string; lang?: 'en' } | null {
  if (error instanceof CapabilityMissing) {
    return { message: error.message, lang: 'en' }
  }
  if (error instanceof WriteUnconfirmed) {
    return { message: UNCONFIRMED_MESSAGE, lang: 'en' }
  }
  return error instanceof BackendUnavailable ? { message: i18n.t(silence) } : null
}
