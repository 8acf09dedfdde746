/** Journal entries per step. */
export const ENTRY_BATCH_SIZE = 2_000
/** Entries that are read again: transactions may commit after others with higher ids. */
const OVERLAP = 500
/** Minimum time during which an entry is read again. */
const MAX_COMMIT_DELAY_MS = 10_000

/**
 * Position of a process in the journal, by entry id. It starts one step before the end. An entry
 * that commits after `OVERLAP` newer ones and `MAX_COMMIT_DELAY_MS` is missed.
 */
export class JournalCursor {
  #to = Infinity
  /** Entries up to this id are not read again. */
  #settled = 0
  #later = { at: 0, to: 0 }

  /**
   * Returns the id after which the next step starts.
   *
   * @param end id of the last entry
   */
  from(end: number): number {
    // At the start of the process, and after a change of the database.
    if (this.#to > end) {
      this.#to = end
      this.#settled = Math.max(0, end - ENTRY_BATCH_SIZE)
      this.#later = { at: performance.now(), to: end }
      return this.#settled
    }
    return Math.max(this.#settled, this.#to - OVERLAP)
  }

  /** Records that all entries up to this id were read. */
  advance(to: number): void {
    this.#to = Math.max(this.#to, to)
    const now = performance.now()
    if (now - this.#later.at >= MAX_COMMIT_DELAY_MS) {
      this.#settled = Math.max(this.#settled, this.#later.to)
      this.#later = { at: now, to: this.#to }
    }
  }
}
