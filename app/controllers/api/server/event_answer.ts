import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import events from '#config/events'
import type { EventVisibility } from '#events/visibility'
import { eventStream, type StreamOptions } from '#events/stream'
import { countStream } from '#events/streams'
import { invalid } from '#exceptions/refusal'
import { stopping } from '#support/stopping'

/**
 * Answers with a stream of events. It ends with the connection, the server, or the access of its
 * caller. Throws a 429 `Refusal` if the user or the process has the maximum of streams.
 */
export function answerEvents(
  { request, response, logger, actor }: HttpContext,
  visibility: EventVisibility,
  streamTerms: Omit<StreamOptions, 'heartbeatMs' | 'signal'>
): void {
  const release = countStream(actor)
  const disconnect = new AbortController()
  const terms = {
    ...streamTerms,
    heartbeatMs: events.heartbeat_seconds * 1_000,
    signal: AbortSignal.any([disconnect.signal, stopping]),
  }
  response.header('Content-Type', 'text/event-stream; charset=utf-8')
  response.header('Cache-Control', 'no-store')
  // Otherwise proxies (nginx) buffer it.
  response.header('X-Accel-Buffering', 'no')
  const text = request.method() === 'HEAD' ? [] : eventStream(visibility, terms)
  const stream = Readable.from(text, { objectMode: false })
  stream.once('error', (error) => logger.warn({ err: error }, 'Event stream interrupted'))
  stream.once('close', () => {
    disconnect.abort()
    release()
  })
  response.response.once('close', () => {
    // Before the stream is destroyed: the wait for the next event would occupy the slot until the
    // next heartbeat.
    disconnect.abort()
    stream.destroy()
  })
  response.stream(stream)
}

/** The last event that the caller received. Throws 400 for an invalid id. */
export function lastEventIn({ request }: HttpContext): number | null {
  const { last_event_id: asked } = request.qs() as { last_event_id?: string }
  const text = request.header('Last-Event-ID') ?? asked
  if (text === undefined || text === '') {
    return null
  }
  if (!/^\d{1,15}$/.test(text)) {
    const quoted = JSON.stringify(text.slice(0, 100))
    throw invalid(`'Last-Event-ID' must be the id of an event; found ${quoted}`)
  }
  return Number(text)
}

/**
 * Event types or their prefixes, separated by commas; null for all. Throws 400 for an invalid type.
 */
export function eventTypesIn({ request }: HttpContext): string[] | null {
  const { types: text } = request.qs() as { types?: string }
  if (!text) {
    return null
  }
  const types = text.split(',').map((type) => type.trim())
  const invalidType = types.find((type) => !/^[a-z_]+(\.[a-z_]+)?$/.test(type))
  if (invalidType !== undefined) {
    const quoted = JSON.stringify(invalidType.slice(0, 100))
    throw invalid(`'types' must be event types such as zone.changed or zone; found ${quoted}`)
  }
  return types
}
