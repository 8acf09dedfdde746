import type { HttpContext } from '@adonisjs/core/http'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'
import { problemIn, type FormProblem } from '#web/forms/errors'

export type { FormProblem }

/**
 * The problem of a refused form, for its page with the submitted values. It logs the refusal and
 * copies its headers. Rethrows other errors.
 *
 * @param moved message for an edit conflict
 */
export function formProblem(ctx: HttpContext, error: unknown, moved?: string): FormProblem {
  const problem = problemIn(ctx.i18n, error, moved)
  if (!problem) {
    throw error
  }
  auditRefusal(error, ctx)
  if (error instanceof Refusal) {
    Object.entries(error.headers ?? {}).forEach(([name, value]) => ctx.response.header(name, value))
  }
  return problem
}
