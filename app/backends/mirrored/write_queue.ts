import { BackendUnavailable } from '#backends/contract/errors'

/** How long a writer waits for those before it, in milliseconds: each of them may wait for a slow server. */
const PATIENCE_MS = 20_000

/**
 * Lets one writer of this process after the other have a zone, in the order in which they came. Writers of other
 * processes meet at the database.
 */
export class ZoneQueues {
  readonly #tails = new Map<number, Promise<void>>()

  constructor(private readonly patienceMs = PATIENCE_MS) {}

  /**
   * Waits for some zones, in the order of their ids, so that no two writers wait for each other. Answers what lets
   * the next one go on. Throws `BackendUnavailable` where that takes too long; nothing is held then.
   */
  async enter(ids: readonly number[]): Promise<() => void> {
    const leave: (() => void)[] = []
    const until = Date.now() + this.patienceMs
    for (const id of [...new Set(ids)].sort((one, other) => one - other)) {
      const before = this.#tails.get(id)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#tails.set(id, promise)
      const go = () => {
        if (this.#tails.get(id) === promise) {
          this.#tails.delete(id)
        }
        resolve()
      }
      if (before && !(await endsBy(before, until))) {
        // Who comes after this writer waits for those before it still.
        void before.then(go)
        leave.forEach((goOn) => goOn())
        throw new BackendUnavailable('The zone is being changed all the time')
      }
      leave.push(go)
    }
    return () => leave.forEach((go) => go())
  }
}

/** Whether it ends until then, in milliseconds since the epoch. */
async function endsBy(work: Promise<void>, until: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), until - Date.now())
  })
  try {
    return await Promise.race([work.then(() => true), tooLate])
  } finally {
    clearTimeout(timer)
  }
}
