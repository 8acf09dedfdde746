/** A worker that served for so long is sound; what ended it is no fault of the start. */
export const STEADY_MS = 10_000

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** So many workers in a row that died soon are no accident. */
const MAX_QUICK_DEATHS = 5

/**
 * How soon a worker that ended is replaced: at once when it was sound, else after a second, and after twice as
 * long each time in a row, up to half a minute.
 */
export class Pace {
  #quickDeaths = 0

  /** Takes note of an end. Returns the pause before the replacement, in ms. */
  after(servedMs: number): number {
    if (servedMs >= STEADY_MS) {
      this.#quickDeaths = 0
      return 0
    }
    this.#quickDeaths += 1
    return Math.min(FIRST_PAUSE_MS * 2 ** (this.#quickDeaths - 1), LONGEST_PAUSE_MS)
  }

  /** Whether so many died soon, one after the other, that more will. */
  get isHopeless(): boolean {
    return this.#quickDeaths >= MAX_QUICK_DEATHS
  }
}
