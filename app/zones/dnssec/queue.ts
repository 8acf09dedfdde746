import { Refusal } from '#exceptions/refusal'
import { KeyedQueue, type QueueTerms } from '#support/keyed_queue'

export const SIGNING_QUEUE_TERMS: QueueTerms = {
  waitMs: 60_000,
  maxLength: 20,
  busy: () =>
    new Refusal(
      503,
      'Other changes of the signing of this zone are still under way: try again later'
    ),
}

/**
 * Changes of the signing of a zone, by the id of the zone. Each change reads the keys first, and the name server would carry out
 * two changes that read the same keys. Other processes are not waited for.
 */
export const signingQueue = new KeyedQueue<number>(SIGNING_QUEUE_TERMS)
