import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { stringifyYielding } from '#database/event_loop'
import { withoutValues } from '#exceptions/database_errors'
import { invalid } from '#exceptions/refusal'
import { bodyText } from '#middleware/body/body_reader'
import {
  claimIdempotencyKey,
  isWithinQuota,
  purgeRepeats,
  releaseRepeat,
  settleWhenAvailable,
  storeAnswer,
  type StoredAnswer,
} from '#changes/idempotency/requests'
import { stopRenewal } from '#changes/idempotency/leases'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The registered request, for `recordApplied` inside its transaction; absent without a key. */
    repeatId?: number
    /**
     * Set to false if the answer must not be stored, because it contains a secret or nothing was
     * changed: the key is free again.
     */
    repeatable?: boolean
  }
}

const HEADER = 'Idempotency-Key'
const WRITE_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Headers of a message or a connection, not of the answer. */
const SKIPPED_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
  'x-request-id',
])

/** Minimal time between two purges of this process. */
const PURGE_INTERVAL_MS = 60_000
let purgedAt = 0

/** Temporary failures: a repeat may have another result. */
function isTemporary(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

/**
 * Answers a repeated write with its first answer, for 24 hours, if it has the header
 * `Idempotency-Key`. Runs after the authentication: keys are separate per caller. The framework
 * renders errors before `next` resolves, so that the response is final then.
 */
export default class IdempotencyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const key = WRITE_METHODS.has(ctx.request.method()) ? keyOf(ctx) : null
    if (key === null) {
      return next()
    }
    const caller = `${ctx.actor.userId}:${ctx.actor.key?.id ?? ''}`
    const claim = await claimIdempotencyKey({
      caller,
      key,
      method: ctx.request.method(),
      path: ctx.request.request.url ?? '',
      body: await bodyText(ctx),
    })
    if ('answer' in claim) {
      return replay(ctx, claim.answer)
    }
    ctx.repeatId = claim.repeatId
    await next()
    await storeForRepeats(ctx, caller, claim.repeatId)
    purgeInBackground(ctx)
  }
}

/** A storage error must not fail the request: the change is applied, and its client waits. */
async function storeForRepeats(ctx: HttpContext, caller: string, repeatId: number): Promise<void> {
  let answer: StoredAnswer | null = null
  try {
    answer = ctx.repeatable === false ? null : await settledAnswer(ctx)
    const isStorable = answer && (await isWithinQuota(caller, answer))
    await (answer && isStorable ? storeAnswer(repeatId, answer) : releaseRepeat(repeatId))
  } catch (error) {
    ctx.logger.error({ err: withoutValues(error) }, 'Response for repeated requests not stored yet')
    settleWhenAvailable(repeatId, answer)
  } finally {
    stopRenewal(repeatId)
  }
}

/** In the background. */
function purgeInBackground({ logger }: HttpContext): void {
  if (Date.now() - purgedAt < PURGE_INTERVAL_MS) {
    return
  }
  purgedAt = Date.now()
  purgeRepeats().catch((error: unknown) => {
    logger.warn(
      { err: withoutValues(error) },
      'Deletion of expired responses for repeated requests failed'
    )
  })
}

/** The key of the request; null without one. Throws 400 for an invalid key. */
function keyOf({ request }: HttpContext): string | null {
  const values = request.request.headersDistinct[HEADER.toLowerCase()]
  if (!values) {
    return null
  }
  const allowed = 'allowed: one value of 1 to 255 printable ASCII characters'
  if (values.length > 1) {
    throw invalid(`Header '${HEADER}': found ${values.length} values, ${allowed}`)
  }
  const [key] = values
  if (key.length > 255) {
    throw invalid(`Header '${HEADER}': found ${key.length} characters, ${allowed}`)
  }
  if (!/^[\x20-\x7e]+$/.test(key)) {
    throw invalid(`Header '${HEADER}': found ${JSON.stringify(key)}, ${allowed}`)
  }
  return key
}

/** The answer for repeats; null if it must not be stored. */
async function settledAnswer({ response }: HttpContext): Promise<StoredAnswer | null> {
  const content: unknown = response.content?.[0]
  const isText = typeof content === 'string'
  const isJson = typeof content === 'object' && content !== null && !ArrayBuffer.isView(content)
  const isOther = response.hasStream || response.hasFileToStream || (content && !isText && !isJson)
  if (isOther || isTemporary(response.getStatus())) {
    return null
  }
  if (isJson) {
    // Serialised here, so that the first answer and its repeats have the same bytes.
    response.header('Content-Type', 'application/json; charset=utf-8')
    response.send(await stringifyYielding(content))
  }
  return {
    status: response.getStatus(),
    headers: storedHeaders(response),
    body: response.content?.[0] ?? null,
  }
}

function storedHeaders(response: HttpContext['response']): StoredAnswer['headers'] {
  const headers: StoredAnswer['headers'] = {}
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined && !SKIPPED_HEADERS.has(name.toLowerCase())) {
      headers[name.toLowerCase()] = Array.isArray(value) ? value : String(value)
    }
  }
  return headers
}

function replay({ response }: HttpContext, answer: StoredAnswer): void {
  for (const [name, value] of Object.entries(answer.headers)) {
    response.header(name, value)
  }
  response.header('Idempotent-Replay', 'true')
  response.status(answer.status)
  if (answer.body !== null) {
    response.send(answer.body)
  }
}
