/** When a breaker opens, and for how long. */
export interface BreakerLimits {
  /** Calls in a row without an answer. */
  failures: number
  /** Milliseconds. */
  pauseMs: number
}

/**
 * Keeps callers from waiting for a server that does not answer: after some calls in a row without an answer it is
 * open, and every call fails at once. After the pause one call is let through; its outcome decides for all.
 */
export class CircuitBreaker {
  #failures = 0
  #openUntil: number | null = null
  #isProbing = false

  constructor(
    private readonly limits: BreakerLimits,
    private readonly now: () => number = Date.now
  ) {}

  /** Whether calls fail at once now. */
  get isOpen(): boolean {
    return this.#openUntil !== null
  }

  /** Whether a call may be made. Whoever got a yes says later what came of it. */
  admit(): boolean {
    if (this.#openUntil === null) {
      return true
    }
    if (this.#isProbing || this.now() < this.#openUntil) {
      return false
    }
    this.#isProbing = true
    return true
  }

  /** The server answered, whatever it said. */
  answered(): void {
    this.#failures = 0
    this.#openUntil = null
    this.#isProbing = false
  }

  /** No answer came. */
  failed(): void {
    this.#failures += 1
    this.#isProbing = false
    if (this.#failures >= this.limits.failures) {
      this.#openUntil = this.now() + this.limits.pauseMs
    }
  }

  /** The caller gave up by itself: nothing is known of the server. */
  released(): void {
    this.#isProbing = false
  }
}
