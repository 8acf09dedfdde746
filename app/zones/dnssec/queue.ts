import { Refusal } from '#exceptions/refusal'

/** Work of one zone, each after the one before. */
interface Queue {
  last: Promise<unknown>
  /** Under way and waiting. */
  length: number
}

/** How long work waits for its turn, and how much of it. */
export interface TurnLimits {
  waitMs: number
  /** Under way and waiting, of one zone. */
  most: number
}

const LIMITS: TurnLimits = { waitMs: 60_000, most: 20 }

const queues = new Map<number, Queue>()

/**
 * Lets changes of one zone's signing in this process follow each other: each looks at the keys first, and the name
 * server would carry out two that looked at the same time. Other processes are not waited for. Throws a 503 `Refusal`
 * where too many wait, or this one did for too long; the work is then never begun.
 */
export async function inTurn<T>(
  zoneId: number,
  work: () => Promise<T>,
  { waitMs, most }: TurnLimits = LIMITS
): Promise<T> {
  const queue = queues.get(zoneId) ?? { last: Promise.resolve(), length: 0 }
  if (queue.length >= most) {
    throw busy()
  }
  queues.set(zoneId, queue)
  queue.length += 1
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(busy()), waitMs)
  let isGivenUp = false
  promise.catch(() => (isGivenUp = true))
  queue.last = queue.last.then(async () => {
    clearTimeout(timer)
    try {
      if (!isGivenUp) {
        resolve(await work())
      }
    } catch (error) {
      reject(error as Error)
    } finally {
      queue.length -= 1
      if (queue.length === 0) {
        queues.delete(zoneId)
      }
    }
  })
  return promise
}

function busy(): Refusal {
  return new Refusal(
    503,
    'Other changes of the signing of this zone are still under way: try again later'
  )
}
