import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { stringifyYielding } from '#database/event_loop'
import { withoutValues } from '#exceptions/database_errors'
import { invalid } from '#exceptions/refusal'
import { bodyText } from '#middleware/body/body_reader'
import {
  claimIdempotencyKey,
  hasRoomFor,
  purgeRepeats,
  releaseRepeat,
  settleLater,
  storeAnswer,
  type StoredAnswer,
} from '#changes/idempotency/requests'
import { letGo } from '#changes/idempotency/leases'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The registered request, for `markApplied` inside the transaction of its change; absent without a key. */
    repeatId?: number
    /** Set to false where the answer must not be stored, because it holds a secret or nothing was to be changed: the key is free again. */
    repeatable?: boolean
  }
}

const HEADER = 'Idempotency-Key'
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Headers that belong to one message or one connection, not to the answer. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
  'x-request-id',
])

/** Expired rows are removed at most this often by each process. */
const PURGE_INTERVAL_MS = 60_000
let purgedAt = 0

/** Statuses that say "not now": the same request may come to something else later. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

/**
 * Answers a repeated write with its first answer, for 24 hours, when the client names it with the header
 * `Idempotency-Key`. Stands behind authentication: the same key of another caller is another key.
 *
 * Errors thrown behind this middleware are rendered by the time `next` resolves: the framework catches them
 * at each step. So what the response holds then is what the client gets.
 */
export default class IdempotencyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const key = WRITES.has(ctx.request.method()) ? keyOf(ctx) : null
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
    await keepAnswer(ctx, caller, claim.repeatId)
    purgeNowAndThen(ctx)
  }
}

/** Failing to store is no reason to fail: the change is made, and its client waits. */
async function keepAnswer(ctx: HttpContext, caller: string, repeatId: number): Promise<void> {
  let answer: StoredAnswer | null = null
  try {
    answer = ctx.repeatable === false ? null : await settledAnswer(ctx)
    const isKept = answer && (await hasRoomFor(caller, answer))
    await (answer && isKept ? storeAnswer(repeatId, answer) : releaseRepeat(repeatId))
  } catch (error) {
    ctx.logger.error({ err: withoutValues(error) }, 'The answer for repeats is not stored yet')
    settleLater(repeatId, answer)
  } finally {
    letGo(repeatId)
  }
}

/** Nobody waits for it. */
function purgeNowAndThen({ logger }: HttpContext): void {
  if (Date.now() - purgedAt < PURGE_INTERVAL_MS) {
    return
  }
  purgedAt = Date.now()
  purgeRepeats().catch((error: unknown) => {
    logger.warn({ err: withoutValues(error) }, 'Expired answers for repeats were not removed')
  })
}

/** The key of the request; null without one. Throws a 400 for what is no key. */
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

/** The answer as repeats shall get it; null for one that is not to be kept. */
async function settledAnswer({ response }: HttpContext): Promise<StoredAnswer | null> {
  const content: unknown = response.content?.[0]
  const isText = typeof content === 'string'
  const isJson = typeof content === 'object' && content !== null && !ArrayBuffer.isView(content)
  const isOther = response.hasStream || response.hasFileToStream || (content && !isText && !isJson)
  if (isOther || isPassing(response.getStatus())) {
    return null
  }
  if (isJson) {
    // Serialised here, so that the first answer and its repeats are the same bytes.
    response.header('Content-Type', 'application/json; charset=utf-8')
    response.send(await stringifyYielding(content))
  }
  return {
    status: response.getStatus(),
    headers: keptHeaders(response),
    body: response.content?.[0] ?? null,
  }
}

function keptHeaders(response: HttpContext['response']): StoredAnswer['headers'] {
  const kept: StoredAnswer['headers'] = {}
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined && !OWN_HEADERS.has(name.toLowerCase())) {
      kept[name.toLowerCase()] = Array.isArray(value) ? value : String(value)
    }
  }
  return kept
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
