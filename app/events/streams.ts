import events from '#config/events'
import { Refusal } from '#exceptions/refusal'

/** Streams of this process, by users. */
const open = new Map<number | null, number>()

/**
 * Counts a stream of a user, until what it returns is called. Throws a 429 `Refusal` where the user, or this process, has
 * as many as the settings allow.
 */
export function countStream(userId: number | null): () => void {
  const own = open.get(userId) ?? 0
  const all = [...open.values()].reduce((sum, count) => sum + count, 0)
  if (own >= events.max_streams_per_user) {
    throw tooMany(`You have ${own} streams of events open, which is the most for one user`)
  }
  if (all >= events.max_streams) {
    throw tooMany('There are as many streams of events as this server takes')
  }
  open.set(userId, own + 1)
  let isCounted = true
  return () => {
    if (isCounted) {
      isCounted = false
      const left = (open.get(userId) ?? 1) - 1
      if (left > 0) open.set(userId, left)
      else open.delete(userId)
    }
  }
}

function tooMany(message: string): Refusal {
  const refusal = new Refusal(429, message)
  refusal.headers = { 'Retry-After': '30' }
  return refusal
}
