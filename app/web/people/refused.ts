import type { HttpContext } from '@adonisjs/core/http'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'

/** Why a form was refused. */
export interface Refused {
  status: number
  /** In English, as use cases say it. */
  text: string
}

/**
 * What a use case refused, for the page of the form, with the status that it answers; a member that is wrong is a 422
 * there. The audit log is told of it. Throws anything else again.
 */
export function refusedForm(ctx: HttpContext, error: unknown): Refused {
  if (!(error instanceof Refusal)) {
    throw error
  }
  auditRefusal(error, ctx)
  const status = error.status === 400 ? 422 : error.status
  ctx.response.status(status)
  return { status, text: error.message }
}
