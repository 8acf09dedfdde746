import type { Actor } from '#access/actor'
import events from '#config/events'
import { Refusal } from '#exceptions/refusal'

/** Streams of users in this process. */
type Counted = Map<number | null, number>

/** Streams of pages and of the API are counted separately: pages do not use up the limit of the API. */
const open: Record<'pages' | 'api', Counted> = { pages: new Map(), api: new Map() }

/**
 * Counts a stream of a user until the returned function is called. Throws a 429 `Refusal` if the user, or this process, has
 * the maximum number of streams of the channel.
 */
export function countStream({ userId, channel }: Pick<Actor, 'userId' | 'channel'>): () => void {
  const streams = open[channel === 'web' ? 'pages' : 'api']
  const own = streams.get(userId) ?? 0
  const all = [...streams.values()].reduce((sum, count) => sum + count, 0)
  if (own >= events.max_streams_per_user) {
    throw tooMany(
      `You have ${own} open event streams, the maximum for one user (events.max_streams_per_user)`
    )
  }
  if (all >= events.max_streams) {
    throw tooMany('The server has the maximum number of open event streams (events.max_streams)')
  }
  streams.set(userId, own + 1)
  let isCounted = true
  return () => {
    if (isCounted) {
      isCounted = false
      const left = (streams.get(userId) ?? 1) - 1
      if (left > 0) streams.set(userId, left)
      else streams.delete(userId)
    }
  }
}

function tooMany(message: string): Refusal {
  const refusal = new Refusal(429, message)
  refusal.headers = { 'Retry-After': '30' }
  return refusal
}
