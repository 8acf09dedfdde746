import type { Actor } from '#access/actor'
import { eventsAfter, extentOfEvents, untilMore } from '#events/feed'
import { isOfTypes } from '#events/event'
import { pageEventOf, type EventVisibility, type ShownEvent } from '#events/visibility'

/** What a stream is asked for. */
export interface StreamTerms {
  /** The last event that the caller has; null to begin with what happens from now on. */
  after: number | null
  /** Whether it goes on with what is yet to happen. */
  follows: boolean
  /** Beginnings of the types that are wanted; null wants all. */
  types: readonly string[] | null
  zoneId: number | null
  /** How many entries of the log it goes back at most; what lies before is a gap. Absent for all. */
  reach?: number
  /** Whether events come without their object and detail. */
  isOutline?: boolean
  heartbeatMs: number
  signal: AbortSignal
  /** The caller with the rights of this moment; null when they are let in no more. */
  caller: () => Promise<Actor | null>
}

/** How long a client waits before it comes again. */
const RETRY_MS = 3_000

/**
 * The text of a stream of events (HTML, "Server-sent events"). Each has its id, and so has each sign of life, so that a
 * client that comes back with `Last-Event-ID` misses none and sees none twice. Rights are asked for anew with
 * every heartbeat, and whenever there is something to show.
 */
export async function* eventStream(
  sight: EventVisibility,
  terms: StreamTerms
): AsyncGenerator<string> {
  const { signal, follows, heartbeatMs, reach = Infinity, isOutline = false } = terms
  const extent = await extentOfEvents()
  const before = Math.max(extent.before, extent.last - reach)
  let last = terms.after ?? extent.last
  yield `retry: ${RETRY_MS}\n\n`
  if (last < before || last > extent.last) {
    const at = last < before ? before : extent.last
    yield message('gap', at, { id: at, type: 'gap', after: last })
    last = at
  }
  while (!signal.aborted) {
    const actor = await terms.caller()
    if (!actor) {
      return
    }
    const end = await extentOfEvents()
    if (end.last > last) {
      const { events, until } = await eventsAfter(last, end.last)
      const wanted = events.filter((event) => isWanted(event, terms))
      for (const event of await sight.shown(actor, wanted)) {
        yield message(event.type, event.id, isOutline ? pageEventOf(event) : event)
      }
      last = until
      continue
    }
    // Also how far it is: what was not shown need not be looked at again.
    yield `id: ${last}\n\n`
    if (!follows) {
      return
    }
    await untilMore(last, heartbeatMs, signal)
  }
}

function isWanted(event: Pick<ShownEvent, 'type' | 'zone_id'>, { types, zoneId }: StreamTerms) {
  return isOfTypes(event.type, types) && (zoneId === null || event.zone_id === zoneId)
}

function message(type: string, id: number, data: object): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
