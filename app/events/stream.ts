import type { Actor } from '#access/actor'
import { readEventsAfter, readLogExtent, waitForEvents } from '#events/feed'
import { isOfTypes } from '#events/event'
import { pageEventOf, type EventVisibility, type VisibleEvent } from '#events/visibility'

/** Parameters of a stream. */
export interface StreamOptions {
  /** The last event that the caller has; null to begin with new events. */
  after: number | null
  /** Whether the stream continues with new events. */
  follows: boolean
  /** First words of the requested types; null for all. */
  types: readonly string[] | null
  zoneId: number | null
  /** Maximum number of earlier entries. Older ones become a gap. Absent for all. */
  maxPastEntries?: number
  /** Whether events come without their object and detail. */
  isOutline?: boolean
  heartbeatMs: number
  signal: AbortSignal
  /** The caller with current rights; null if the access was revoked. */
  caller: () => Promise<Actor | null>
}

/** Time after which a client reconnects. */
const RETRY_MS = 3_000

/**
 * The text of a stream of events (HTML, "Server-sent events"). Events and heartbeats have ids, so that a client with
 * `Last-Event-ID` gets each event once. Checks the rights with every heartbeat and every batch of events.
 */
export async function* eventStream(
  visibility: EventVisibility,
  options: StreamOptions
): AsyncGenerator<string> {
  const { signal, follows, heartbeatMs, maxPastEntries = Infinity, isOutline = false } = options
  const extent = await readLogExtent()
  const before = Math.max(extent.before, extent.last - maxPastEntries)
  let last = options.after ?? extent.last
  yield `retry: ${RETRY_MS}\n\n`
  if (last < before || last > extent.last) {
    const at = last < before ? before : extent.last
    yield formatMessage('gap', at, { id: at, type: 'gap', after: last })
    last = at
  }
  while (!signal.aborted) {
    const actor = await options.caller()
    if (!actor) {
      return
    }
    const end = await readLogExtent()
    if (end.last > last) {
      const { events, until } = await readEventsAfter(last, end.last)
      const matchingEvents = events.filter((event) => matchesOptions(event, options))
      for (const event of await visibility.visibleEvents(actor, matchingEvents)) {
        yield formatMessage(event.type, event.id, isOutline ? pageEventOf(event) : event)
      }
      last = until
      continue
    }
    // The position, so that the client does not request hidden events again.
    yield `id: ${last}\n\n`
    if (!follows) {
      return
    }
    await waitForEvents(last, heartbeatMs, signal)
  }
}

function matchesOptions(
  event: Pick<VisibleEvent, 'type' | 'zone_id'>,
  { types, zoneId }: StreamOptions
) {
  return isOfTypes(event.type, types) && (zoneId === null || event.zone_id === zoneId)
}

function formatMessage(type: string, id: number, data: object): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
