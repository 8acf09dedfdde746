import { Readable } from 'node:stream'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { BackendManager } from '#backends/manager'
import events from '#config/events'
import { rowIdFilter } from '#controllers/api/row_id_filter'
import { EventSight } from '#events/sight'
import { eventStream } from '#events/stream'
import { countStream } from '#events/streams'
import { invalid } from '#exceptions/refusal'
import { callerOf } from '#middleware/authentication_middleware'
import { stopping } from '#start/stopping'

/** /api/v2/events */
@inject()
export default class EventsController {
  readonly #sight: EventSight

  constructor(manager: BackendManager) {
    this.#sight = new EventSight(manager.use())
  }

  /** What happens, as it happens: server-sent events, as far as the caller may know of them. */
  async stream(ctx: HttpContext) {
    const { request, response, logger } = ctx
    const wanted = termsOf(ctx)
    const release = countStream(ctx.actor.userId)
    const gone = new AbortController()
    const terms = {
      ...wanted,
      heartbeatMs: events.heartbeat_seconds * 1_000,
      signal: AbortSignal.any([gone.signal, stopping]),
      caller: () => readerOf(ctx),
    }
    response.header('Content-Type', 'text/event-stream; charset=utf-8')
    response.header('Cache-Control', 'no-store')
    // Proxies (nginx) would gather it otherwise.
    response.header('X-Accel-Buffering', 'no')
    const text = request.method() === 'HEAD' ? [] : eventStream(this.#sight, terms)
    const stream = Readable.from(text, { objectMode: false })
    stream.once('error', (error) => logger.warn({ err: error }, 'A stream of events was cut off'))
    stream.once('close', () => {
      gone.abort()
      release()
    })
    response.response.once('close', () => {
      // First: what waits for the next event would keep the place until the next sign of life.
      gone.abort()
      stream.destroy()
    })
    response.stream(stream)
  }
}

/** The caller as they may be now; null when they are let in no more. */
async function readerOf(ctx: HttpContext) {
  const actor = await callerOf(ctx)
  const view = { action: 'key.operate' as const, operations: ['view' as const] }
  return actor && authorize(actor, view).allowed ? actor : null
}

function termsOf(ctx: HttpContext) {
  const { request } = ctx
  const { follow = 'true', types, last_event_id: asked } = request.qs() as Record<string, string>
  if (follow !== 'true' && follow !== 'false') {
    throw invalid(`'follow' must be true or false; found ${JSON.stringify(follow.slice(0, 100))}`)
  }
  return {
    after: lastOf(request.header('Last-Event-ID') ?? asked),
    follows: follow === 'true',
    types: types ? typesOf(types) : null,
    zoneId: rowIdFilter(ctx, 'zone_id'),
  }
}

/** The last event that the caller has. Throws a 400 for what no id is. */
function lastOf(text: string | undefined): number | null {
  if (text === undefined || text === '') {
    return null
  }
  if (!/^\d{1,15}$/.test(text)) {
    const found = JSON.stringify(text.slice(0, 100))
    throw invalid(`'Last-Event-ID' must be the id of an event; found ${found}`)
  }
  return Number(text)
}

/** Types, or their first words, separated by commas. Throws a 400 for what cannot be one. */
function typesOf(text: string): string[] {
  const types = text.split(',').map((type) => type.trim())
  const wrong = types.find((type) => !/^[a-z_]+(\.[a-z_]+)?$/.test(type))
  if (wrong !== undefined) {
    const found = JSON.stringify(wrong.slice(0, 100))
    throw invalid(`'types' must be types of events such as zone.changed or zone; found ${found}`)
  }
  return types
}
