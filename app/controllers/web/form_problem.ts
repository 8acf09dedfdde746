import type { HttpContext } from '@adonisjs/core/http'
import { problemOf, type Problem } from '#controllers/web/reviewed_page'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'

/**
 * As `problemOf`, for forms that name other things: one of these that is missing or hidden is a problem of the form, and
 * no missing page. What a 412 means, `moved` says.
 */
export function formProblem(ctx: HttpContext, error: unknown, moved?: string): Problem {
  if (error instanceof Refusal && error.status === 412 && moved !== undefined) {
    return { status: 412, message: moved }
  }
  if (error instanceof Refusal && error.status === 404) {
    auditRefusal(error, ctx)
    return { status: 404, message: error.message, lang: 'en' }
  }
  return problemOf(ctx, error)
}
