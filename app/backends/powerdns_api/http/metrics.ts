/** Counts of the calls of one name since the process started. */
export interface CallCount {
  calls: number
  /** Calls that ended with an error of any kind. */
  failures: number
  /** Number of repeated calls. */
  retries: number
  /** Milliseconds of all calls together. */
  milliseconds: number
}

/** Counts calls by their names (`callName`). */
export class CallCounters {
  readonly #counts = new Map<string, CallCount>()

  /** Counts a call that has ended. */
  count(name: string, { milliseconds, failed }: { milliseconds: number; failed: boolean }): void {
    const count = this.#countsOf(name)
    count.calls += 1
    count.failures += failed ? 1 : 0
    count.milliseconds += milliseconds
  }

  /** Counts that a call is tried again. */
  countRetry(name: string): void {
    this.#countsOf(name).retries += 1
  }

  /** Current counts by name. */
  snapshot(): Record<string, CallCount> {
    return Object.fromEntries([...this.#counts].map(([name, count]) => [name, { ...count }]))
  }

  #countsOf(name: string): CallCount {
    const known = this.#counts.get(name)
    if (known) {
      return known
    }
    const fresh = { calls: 0, failures: 0, retries: 0, milliseconds: 0 }
    this.#counts.set(name, fresh)
    return fresh
  }
}
