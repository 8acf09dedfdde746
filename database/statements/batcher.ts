/** What waits for its answer. */
interface Waiting<Item, Answer> {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Milliseconds after which nobody waits any longer for a question that is on its way. */
const PATIENCE_MS = 20

/**
 * Asks for what is wanted at once in one round trip: while a question is on its way, what comes up waits for the next
 * one, which asks for all of it. Who comes when nothing is on its way waits for nobody, and a question that is not
 * answered soon keeps nobody long. Nothing is kept: each answer is from a question that was sent after it was wanted.
 * What cannot be answered, as by a database that is gone, fails for all who were asked for together.
 */
export class Gatherer<Item, Answer> {
  #waiting: Waiting<Item, Answer>[] = []
  #onTheirWay = 0
  #impatience: NodeJS.Timeout | undefined

  /**
   * @param ask answers to items, in their order; several may be equal
   * @param most so many items are asked for at once, from 1
   */
  constructor(
    private readonly ask: (items: Item[]) => Promise<Answer[]>,
    private readonly most: number
  ) {}

  /** The answer to one item. Throws what the question throws. */
  of(item: Item): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ item, resolve, reject })
    if (this.#onTheirWay === 0) {
      void this.#next()
    } else {
      this.#bePatient()
    }
    return promise
  }

  #bePatient(): void {
    this.#impatience ??= setTimeout(() => void this.#next(), PATIENCE_MS)
  }

  async #next(): Promise<void> {
    clearTimeout(this.#impatience)
    this.#impatience = undefined
    const some = this.#waiting.splice(0, this.most)
    if (this.#waiting.length > 0) {
      this.#bePatient()
    }
    this.#onTheirWay++
    try {
      const answers = await this.ask(some.map(({ item }) => item))
      some.forEach(({ resolve }, index) => resolve(answers[index]))
    } catch (error) {
      some.forEach(({ reject }) => reject(error))
    }
    this.#onTheirWay--
    if (this.#waiting.length > 0) {
      void this.#next()
    }
  }
}
