import type { Actor } from '#access/actor'
import events from '#config/events'
import { Refusal } from '#exceptions/refusal'

/** Streams of users in this process. */
type StreamCounts = Map<number | null, number>

/** Streams of pages and of the API are counted separately: pages do not use up the limit of the API. */
const openStreams: Record<'pages' | 'api', StreamCounts> = { pages: new Map(), api: new Map() }

/**
 * Counts a stream of a user until the returned function is called. Throws a 429 `Refusal` if the user, or this process, has
 * the maximum number of streams of the channel.
 */
export function countStream({ userId, channel }: Pick<Actor, 'userId' | 'channel'>): () => void {
  const streams = openStreams[channel === 'web' ? 'pages' : 'api']
  const userCount = streams.get(userId) ?? 0
  const totalCount = [...streams.values()].reduce((sum, count) => sum + count, 0)
  if (userCount >= events.max_streams_per_user) {
    throw tooManyStreams(
      `You have ${userCount} open event streams, the maximum for one user (events.max_streams_per_user)`
    )
  }
  if (totalCount >= events.max_streams) {
    throw tooManyStreams(
      'The server has the maximum number of open event streams (events.max_streams)'
    )
  }
  streams.set(userId, userCount + 1)
  let isCounted = true
  return () => {
    if (isCounted) {
      isCounted = false
      const remaining = (streams.get(userId) ?? 1) - 1
      if (remaining > 0) streams.set(userId, remaining)
      else streams.delete(userId)
    }
  }
}

function tooManyStreams(message: string): Refusal {
  const refusal = new Refusal(429, message)
  refusal.headers = { 'Retry-After': '30' }
  return refusal
}
