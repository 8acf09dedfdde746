import type { ServerResponse } from 'node:http'
import { Refusal } from '#exceptions/refusal'

const RETRY_AFTER_SECONDS = 5

/** The limit, the longest wait in milliseconds, and the message of the refusal. */
export interface SlotTerms {
  maxSlots(): number
  waitMs(): number
  tooMany(): string
}

/** Running and waiting requests of one caller. */
interface SlotQueue {
  takenSlots: number
  /** Callbacks of waiting requests, in order of arrival. */
  waiting: Set<() => void>
}

/** Limits how many requests of one caller run at once in this process. More wait in a queue. */
export class RequestSlots {
  readonly #queues = new Map<string, SlotQueue>()

  constructor(private readonly terms: SlotTerms) {}

  /**
   * Waits for a free slot. The slot is released by the returned function, or when the response is
   * closed.
   *
   * @param caller key of the queue
   * @throws Refusal with status 429 after `waitMs`
   */
  async take(response: ServerResponse, caller = ''): Promise<() => void> {
    const queue = this.#queues.get(caller) ?? { takenSlots: 0, waiting: new Set() }
    this.#queues.set(caller, queue)
    if (queue.takenSlots < this.terms.maxSlots()) {
      queue.takenSlots++
    } else {
      await this.#wait(response, queue)
    }
    let isTaken = true
    const end = () => {
      if (!isTaken) return
      isTaken = false
      const [next] = queue.waiting
      if (next) {
        // The next in the queue takes this slot, so a new request cannot overtake it.
        next()
        return
      }
      queue.takenSlots--
      if (queue.takenSlots === 0) this.#queues.delete(caller)
    }
    response.once('close', end)
    if (response.closed) end()
    return end
  }

  /** Resolves when a slot is free. Rejects after the timeout, and when the client has gone. */
  #wait(response: ServerResponse, { waiting }: SlotQueue): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancelWait = () => {
        clearTimeout(timer)
        waiting.delete(takeSlot)
        response.off('close', refuse)
      }
      const takeSlot = () => {
        cancelWait()
        resolve()
      }
      const refuse = () => {
        cancelWait()
        const refusal = new Refusal(429, this.terms.tooMany())
        refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
        reject(refusal)
      }
      const timer = setTimeout(refuse, this.terms.waitMs())
      response.once('close', refuse)
      waiting.add(takeSlot)
    })
  }
}
