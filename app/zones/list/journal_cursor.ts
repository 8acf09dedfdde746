/** Entries of the journal that one step looks at. */
export const LOOKED = 2_000
/** So many entries are looked at again: one is seen once it is committed, perhaps after others with higher ids. */
const OVERLAP = 500
/** How long an entry is looked at again at least, in ms. */
const LATE_MS = 10_000

/**
 * How far a process has followed the journal, by the ids of its entries. It begins a step before the end, and is for speed: what comes
 * later than `OVERLAP` younger entries and `LATE_MS` is missed.
 */
export class JournalTrail {
  #to = Infinity
  /** Entries up to this one are looked at no more. */
  #settled = 0
  #later = { at: 0, to: 0 }

  /** The entry behind which the next step looks. @param end the last one there is */
  from(end: number): number {
    // At the start, and where the database is another one than it was.
    if (this.#to > end) {
      this.#to = end
      this.#settled = Math.max(0, end - LOOKED)
      this.#later = { at: performance.now(), to: end }
      return this.#settled
    }
    return Math.max(this.#settled, this.#to - OVERLAP)
  }

  /** Says that all entries up to this one were looked at. */
  advance(to: number): void {
    this.#to = Math.max(this.#to, to)
    const now = performance.now()
    if (now - this.#later.at >= LATE_MS) {
      this.#settled = Math.max(this.#settled, this.#later.to)
      this.#later = { at: now, to: this.#to }
    }
  }
}
