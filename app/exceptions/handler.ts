import { ExceptionHandler, type HttpContext } from '@adonisjs/core/http'
import router from '@adonisjs/core/services/router'
import { BackendMissing, BackendUnavailable } from '#backends/errors'
import { InvalidDns } from '#dns/errors'
import { Refusal } from '#exceptions/refusal'
import { isDatabaseDown, isMissingRow, withoutValues } from '#exceptions/database_errors'
import { failure } from '#transformers/envelope'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const MISSING = 'The requested resource was not found'

/** What an error comes to on the wire. */
interface Answer {
  status: number
  message: string
  data?: Record<string, unknown> | null
  extras?: Record<string, unknown>
  headers?: Record<string, string>
}

/**
 * Turns every error into the answer of its door. Errors that are not the caller's say nothing of their
 * cause: that is in the process log.
 */
export default class HttpExceptionHandler extends ExceptionHandler {
  protected debug = false

  async handle(error: unknown, ctx: HttpContext) {
    const { status, message, data, extras, headers } = answerOf(error, ctx)
    for (const [name, value] of Object.entries(headers ?? {})) {
      ctx.response.header(name, value)
    }
    ctx.response
      .status(status)
      .send(bodyOf(ctx.request.url(), status, failure(message, data ?? null, extras)))
  }

  async report(error: unknown, ctx: HttpContext) {
    if (answerOf(error, ctx).status >= 500) {
      ctx.logger.error({ err: withoutValues(error) }, 'Request failed')
    }
  }
}

function answerOf(error: unknown, ctx: HttpContext): Answer {
  if (error instanceof Refusal) {
    return error
  }
  if (error instanceof InvalidDns) {
    return { status: 400, message: error.message }
  }
  if (codeOf(error) === 'E_ROUTE_NOT_FOUND') {
    return missingRoute(ctx)
  }
  if (error instanceof BackendMissing) {
    return { status: 501, message: error.message }
  }
  if (error instanceof BackendUnavailable) {
    return { status: 502, message: 'The DNS server cannot be reached' }
  }
  if (isMissingRow(error)) {
    return { status: 409, message: 'Something that the request names was deleted in the meantime' }
  }
  if (isDatabaseDown(error)) {
    return { status: 503, message: 'The database cannot be reached' }
  }
  return { status: 500, message: 'Internal server error' }
}

/** 405 where the path exists for other methods, else 404. */
function missingRoute({ request }: HttpContext): Answer {
  const path = request.url()
  const isDoor = path.startsWith('/api/') || path === '/ping'
  const allowed = METHODS.filter((method) => router.match(path, method, true, request.hostname()))
  if (!isDoor || allowed.length === 0) {
    return { status: 404, message: MISSING }
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
