import type { HttpContext } from '@adonisjs/core/http'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'
import { problemIn, type FormProblem } from '#web/forms/errors'

export type { FormProblem }

/**
 * Why a form was refused, for its page, which comes again with that status and with what was typed. The audit log is told
 * where it has to know, and headers of the refusal become those of the answer. Throws faults on.
 *
 * @param moved what the page says where somebody else changed the object meanwhile
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
