import type { IncomingMessage } from 'node:http'
import { ExceptionHandler, type HttpContext } from '@adonisjs/core/http'
import router from '@adonisjs/core/services/router'
import {
  BackendMissing,
  BackendUnavailable,
  CapabilityMissing,
  refusalAnswer,
  UNCONFIRMED_MESSAGE,
  WriteRefused,
  WriteUnconfirmed,
  ZoneGone,
} from '#backends/contract/errors'
import { StateChanged } from '#changes/model/action_error'
import { PreconditionFailed } from '#changes/planning/preconditions'
import { StalePlan } from '#changes/planning/plan_store'
import { InvalidDns } from '#dns/errors'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'
import {
  databaseFailure,
  FAILURES,
  isMissingRow,
  isOutcomeUnknown,
  isTooLong,
  OUTCOME_UNKNOWN,
  TOO_LONG,
  withoutValues,
} from '#exceptions/database_errors'
import { failure } from '#transformers/envelope'
import { currentState } from '#transformers/current'
import { planDetailYielding } from '#transformers/plan'
import { errorPage, wantsErrorPage } from '#web/page/error_page'
import { PageAfterEnd } from '#web/page/list_page'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const UNKNOWN_OUTCOME_ADVICE =
  'Check the changed object before you try again (records: the history of the zone, /api/v2/zones/{id}/history); with an Idempotency-Key, the same request again is safe'
const NOT_FOUND_MESSAGE = 'The requested resource was not found'

/** Errors of the framework about forms. */
const PAGE_ERRORS: Readonly<Record<string, ErrorAnswer>> = {
  E_BAD_CSRF_TOKEN: {
    status: 403,
    message: 'This form is no longer valid. Go back, reload the page, and send it again',
  },
  E_REQUEST_ENTITY_TOO_LARGE: { status: 413, message: 'The form is too large' },
  E_ENCODING_UNSUPPORTED: { status: 415, message: 'The form has an unknown encoding' },
  E_VALIDATION_ERROR: {
    status: 400,
    message: 'The form does not match this page: reload it, and send the form again',
  },
}

/** The HTTP answer of an error. */
interface ErrorAnswer {
  status: number
  message: string
  data?: Record<string, unknown> | null
  extras?: Record<string, unknown>
  headers?: Record<string, string>
}

/**
 * Maps every error to the answer of its channel. Internal errors do not reveal their cause, which
 * is in the process log.
 */
export default class HttpExceptionHandler extends ExceptionHandler {
  protected debug = false

  async handle(error: unknown, ctx: HttpContext) {
    if (error instanceof PageAfterEnd) {
      ctx.response.redirect().toPath(error.address)
      return
    }
    const answer = await detailedAnswer(error, ctx)
    const { status, message, data, extras, headers } = answer
    for (const [name, value] of Object.entries(headers ?? {})) {
      ctx.response.header(name, value)
    }
    ctx.response.status(status)
    if (wantsErrorPage(ctx, codeOf(error) === 'E_ROUTE_NOT_FOUND')) {
      const isExpired = codeOf(error) === 'E_BAD_CSRF_TOKEN'
      const page = await errorPage(ctx, answer, isExpired).catch((fault: unknown) => {
        // The error page fails itself: the answer is plain text.
        ctx.logger.error({ err: fault }, 'Rendering of an error page failed')
        return null
      })
      if (page !== null) {
        ctx.response.send(page)
        return
      }
    }
    ctx.response.send(
      bodyOf(ctx.request.url(), status, failure(message.toWellFormed(), data ?? null, extras))
    )
  }

  async report(error: unknown, ctx: HttpContext) {
    if (error instanceof PageAfterEnd) {
      return
    }
    auditRefusal(error, ctx)
    // A missing capability is a matter of configuration, not an error to log.
    if (answerOf(error, ctx).status >= 500 && !(error instanceof CapabilityMissing)) {
      ctx.logger.error({ err: withoutValues(error) }, 'Request failed')
    }
  }
}

/** Adds the current plan to the answer, if the error has one. */
async function detailedAnswer(error: unknown, ctx: HttpContext): Promise<ErrorAnswer> {
  const answer = answerOf(error, ctx)
  if (error instanceof StalePlan) {
    const plan = error.plan && (await planDetailYielding(error.plan))
    return { ...answer, data: { plan, moved: error.changedRRsets } }
  }
  return answer
}

function answerOf(error: unknown, ctx: HttpContext): ErrorAnswer {
  if (error instanceof Refusal) {
    return error
  }
  if (error instanceof InvalidDns) {
    return { status: 400, message: error.message }
  }
  if (error instanceof StalePlan) {
    return { status: 409, message: error.message }
  }
  if (error instanceof PreconditionFailed) {
    const { current, tag } = error.isShown ? currentState(error.current) : { current: null }
    const headers: Record<string, string> = tag === undefined ? {} : { ETag: tag }
    return { status: 412, message: error.message, data: { current }, headers }
  }
  if (error instanceof StateChanged) {
    return { status: 409, message: error.message }
  }
  if (codeOf(error) === 'E_ROUTE_NOT_FOUND') {
    return missingRoute(ctx)
  }
  if (error instanceof BackendMissing || error instanceof CapabilityMissing) {
    return { status: 501, message: error.message }
  }
  if (error instanceof ZoneGone) {
    return { status: 404, message: 'Zone not found' }
  }
  if (error instanceof WriteRefused) {
    return refusalAnswer(error)
  }
  if (error instanceof WriteUnconfirmed) {
    const zones = error.zones.map(({ zoneName, state }) => ({ name: zoneName, state }))
    return {
      status: 502,
      message: UNCONFIRMED_MESSAGE,
      ...(zones.length > 0 ? { data: { zones } } : {}),
    }
  }
  if (error instanceof BackendUnavailable) {
    return { status: 502, message: 'The DNS server cannot be reached' }
  }
  if (ctx.isPage && Object.hasOwn(PAGE_ERRORS, String(codeOf(error)))) {
    return PAGE_ERRORS[String(codeOf(error))]
  }
  if (isBrokenOff(error, ctx.request.request)) {
    return { status: 400, message: 'The request was interrupted before it was complete' }
  }
  if (ctx.isPage && isParserError(error)) {
    return { status: error.status, message: 'The form cannot be read' }
  }
  if (isMissingRow(error)) {
    return { status: 409, message: 'An object in the request was deleted in the meantime' }
  }
  if (isTooLong(error)) {
    return { status: 413, message: TOO_LONG }
  }
  const outage = databaseFailure(error)
  if (outage !== null) {
    const { message: reason, retryAfter } = FAILURES[outage]
    const isRead = ['GET', 'HEAD'].includes(ctx.request.method())
    const message =
      isOutcomeUnknown(error) && !isRead ? `${OUTCOME_UNKNOWN}. ${UNKNOWN_OUTCOME_ADVICE}` : reason
    return { status: 503, message, headers: { 'Retry-After': String(retryAfter) } }
  }
  return { status: 500, message: 'Internal server error' }
}

/**
 * Whether a body parser rejected a body: its errors have a 4xx status and a type, such as
 * `entity.parse.failed`.
 */
function isParserError(error: unknown): error is Error & { status: number } {
  if (!(error instanceof Error) || !('status' in error) || !('type' in error)) return false
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500
}

/**
 * Whether the client closed the connection before the end of the body. Node also reports `aborted`
 * for a complete body that was not read before.
 */
export function isBrokenOff(
  error: unknown,
  { complete, destroyed }: Pick<IncomingMessage, 'complete' | 'destroyed'>
): boolean {
  const isAborted = error instanceof Error && error.message === 'aborted'
  if (isAborted && codeOf(error) === 'ECONNRESET') return true
  if (error instanceof Error && 'type' in error && error.type === 'request.aborted') return true
  const isOfStream =
    ['ECONNRESET', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(codeOf(error))) ||
    (error instanceof Error && 'type' in error && error.type === 'stream.not.readable')
  return isOfStream && destroyed && !complete
}

/** 405 if the path exists for other methods, else 404. */
function missingRoute({ request }: HttpContext): ErrorAnswer {
  const path = request.url()
  const isChannel = path.startsWith('/api/') || path === '/ping'
  const allowed = METHODS.filter((method) => router.match(path, method, true, request.hostname()))
  if (!isChannel || allowed.length === 0) {
    return { status: 404, message: NOT_FOUND_MESSAGE }
  }
  return { status: 405, message: 'Method not allowed', headers: { Allow: allowed.join(', ') } }
}

function bodyOf(
  path: string,
  status: number,
  envelope: ReturnType<typeof failure>
): object | string {
  const { message } = envelope
  if (path === '/api/v2' || path.startsWith('/api/v2/')) {
    return envelope
  }
  if (path === '/api/health') {
    return { error: true, message }
  }
  if (path === '/api' || path.startsWith('/api/')) {
    return { error: status === 404 ? 'Not Found' : message, message, status }
  }
  return status === 404 ? 'Not Found' : message
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
