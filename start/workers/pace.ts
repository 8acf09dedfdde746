/** A worker that served this long was healthy; the start is not the cause of its end. */
export const STEADY_MS = 10_000

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/** Number of consecutive short-lived workers after which the service gives up. */
const MAX_QUICK_DEATHS = 5

/**
 * Delay before a worker is replaced: none after a healthy worker, otherwise one second, doubled for each consecutive
 * short-lived worker, up to 30 s.
 */
export class RestartPause {
  #quickExits = 0

  /** Counts the end of a worker. Returns the delay before the replacement, in ms. */
  after(servedMs: number): number {
    if (servedMs >= STEADY_MS) {
      this.#quickExits = 0
      return 0
    }
    this.#quickExits += 1
    return Math.min(FIRST_PAUSE_MS * 2 ** (this.#quickExits - 1), MAX_PAUSE_MS)
  }

  /** Whether so many consecutive workers ended early that further restarts would fail, too. */
  get isHopeless(): boolean {
    return this.#quickExits >= MAX_QUICK_DEATHS
  }
}
