import type { ServerResponse } from 'node:http'
import { Refusal } from '#exceptions/refusal'

const RETRY_AFTER_SECONDS = 5

/** How many turns there are, how long one waits for its own, and why it is refused then. */
export interface TurnTerms {
  most(): number
  waitMs(): number
  tooMany(): string
}

/** The turns of one caller. */
interface Queue {
  taken: number
  /** Who waits, in the order they came: each is told that its turn has come. */
  waiting: Set<() => void>
}

/** Lets a bounded number of requests of each caller run at once in this process; others of the caller wait. */
export class Turns {
  readonly #queues = new Map<string, Queue>()

  constructor(private readonly terms: TurnTerms) {}

  /**
   * Waits for a turn. Throws a 429 `Refusal` where the wait is too long. The turn ends with the function that comes back,
   * once, or when the answer has been sent or its client is gone.
   *
   * @param caller who takes it; others do not wait for them
   */
  async take(response: ServerResponse, caller = ''): Promise<() => void> {
    const queue = this.#queues.get(caller) ?? { taken: 0, waiting: new Set() }
    this.#queues.set(caller, queue)
    if (queue.taken < this.terms.most()) {
      queue.taken++
    } else {
      await this.#wait(response, queue)
    }
    let isTaken = true
    const end = () => {
      if (!isTaken) return
      isTaken = false
      const [next] = queue.waiting
      if (next) {
        // The turn is handed over, so that nobody who comes in between gets ahead.
        next()
        return
      }
      queue.taken--
      if (queue.taken === 0) this.#queues.delete(caller)
    }
    response.once('close', end)
    if (response.closed) end()
    return end
  }

  /** Resolves when a turn was handed over. Of a client that is gone nothing is known any more. */
  #wait(response: ServerResponse, { waiting }: Queue): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        waiting.delete(come)
        response.off('close', refuse)
      }
      const come = () => {
        leave()
        resolve()
      }
      const refuse = () => {
        leave()
        const refusal = new Refusal(429, this.terms.tooMany())
        refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
        reject(refusal)
      }
      const timer = setTimeout(refuse, this.terms.waitMs())
      response.once('close', refuse)
      waiting.add(come)
    })
  }
}
