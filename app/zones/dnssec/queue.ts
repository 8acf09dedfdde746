import { Refusal } from '#exceptions/refusal'
import { KeyedQueue, type QueueTerms } from '#support/keyed_queue'

export const SIGNING_QUEUE_TERMS: QueueTerms = {
  waitMs: 60_000,
  maxLength: 20,
  busy: () =>
    new Refusal(503, 'Another DNSSEC change of this zone is still running: try again later'),
}

/**
 * Queues changes of DNSSEC keys by zone id: two changes that read the same keys would both be
 * executed. The queue does not cover other processes.
 */
export const signingQueue = new KeyedQueue<number>(SIGNING_QUEUE_TERMS)
