/** An item that waits for its result. */
interface QueuedItem<Item, Answer> {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Maximum time, in ms, that an item waits for a running query. */
const MAX_WAIT_MS = 20

/**
 * Combines concurrent lookups into one query: items that arrive while a query runs wait for the next one, at most
 * `MAX_WAIT_MS`. Caches nothing: each answer is from a query that began after the item arrived. An error of a query rejects
 * all of its items.
 */
export class Batcher<Item, Answer> {
  #queue: QueuedItem<Item, Answer>[] = []
  #runningCount = 0
  #timer: NodeJS.Timeout | undefined

  /**
   * @param ask  returns the answers in the order of the items; items may be equal
   * @param maxConcurrent maximum number of items per query, from 1
   */
  constructor(
    private readonly ask: (items: Item[]) => Promise<Answer[]>,
    private readonly maxConcurrent: number
  ) {}

  /** The answer to one item. Throws the error of the query. */
  load(item: Item): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#queue.push({ item, resolve, reject })
    if (this.#runningCount === 0) {
      void this.#next()
    } else {
      this.#setTimer()
    }
    return promise
  }

  #setTimer(): void {
    this.#timer ??= setTimeout(() => void this.#next(), MAX_WAIT_MS)
  }

  async #next(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batch = this.#queue.splice(0, this.maxConcurrent)
    if (this.#queue.length > 0) {
      this.#setTimer()
    }
    this.#runningCount++
    try {
      const answers = await this.ask(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(answers[index]))
    } catch (error) {
      batch.forEach(({ reject }) => reject(error))
    }
    this.#runningCount--
    if (this.#queue.length > 0) {
      void this.#next()
    }
  }
}
