import { Refusal } from '#exceptions/refusal'

/**
 * Hashes computed at once by this process: each takes megabytes and a thread of the pool of four, which
 * others need too.
 */
const SLOTS = 2

/** So many may wait for a slot; at some fiftieths of a second each, the last one waits seconds. */
const MOST_WAITING = 200
const RETRY_AFTER_SECONDS = 5

/** Lets a bounded number of works run at once, and a bounded number wait, in the order they came. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(
    slots: number,
    private readonly mostWaiting: number
  ) {
    this.#free = slots
  }

  /** Runs `work` when a slot is free. Throws a 429 when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free--
    } else if (this.#waiting.length < this.mostWaiting) {
      // The slot is handed over, so that nobody who comes in between gets ahead.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      throw tooMany()
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) {
        next()
      } else {
        this.#free++
      }
    }
  }
}

function tooMany(): Refusal {
  const refusal = new Refusal(429, 'Too many passwords are being checked: try again in a moment')
  refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
  return refusal
}

const slots = new Slots(SLOTS, MOST_WAITING)

/**
 * Runs work that computes a password hash, when it is its turn. Not to be called from inside such work, nor inside
 * a transaction: works that wait for the database would wait for it, and it for them.
 * Throws a 429 when too many wait.
 */
export function inSlot<T>(work: () => Promise<T>): Promise<T> {
  return slots.run(work)
}
