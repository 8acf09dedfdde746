/**
 * Lets one writer of this process after the other have a zone, in the order in which they came. Writers of other
 * processes meet at the database.
 */
export class ZoneQueues {
  readonly #tails = new Map<number, Promise<void>>()

  /**
   * Waits for some zones, in the order of their ids, so that no two writers wait for each other. Answers what lets
   * the next one go on.
   */
  async enter(ids: readonly number[]): Promise<() => void> {
    const leave: (() => void)[] = []
    for (const id of [...new Set(ids)].sort((one, other) => one - other)) {
      const before = this.#tails.get(id)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#tails.set(id, promise)
      leave.push(() => {
        if (this.#tails.get(id) === promise) {
          this.#tails.delete(id)
        }
        resolve()
      })
      await before
    }
    return () => leave.forEach((go) => go())
  }
}
