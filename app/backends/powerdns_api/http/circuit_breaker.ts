/** When a breaker opens, and for how long. */
export interface BreakerLimits {
  /** Calls in a row without an answer. */
  failures: number
  /** Milliseconds. */
  pauseMs: number
}

/** Permission for one call; its holder reports the outcome. */
export type Pass = symbol

/**
 * Circuit breaker for a server that does not answer: after some consecutive calls without an answer it opens, and every call
 * fails at once. After a pause it allows one call, whose outcome closes or reopens it. Calls from before it opened can close
 * it only.
 */
export class CircuitBreaker {
  #failures = 0
  #openUntil: number | null = null
  /** The call that was let through. */
  #probe: Pass | null = null

  constructor(
    private readonly limits: BreakerLimits,
    private readonly now: () => number = Date.now
  ) {}

  /** Whether calls fail at once now. */
  get isOpen(): boolean {
    return this.#openUntil !== null
  }

  /** Permission for a call; null if the call must fail at once. */
  admit(): Pass | null {
    const pass = Symbol('call')
    if (this.#openUntil === null) {
      return pass
    }
    if (this.#probe !== null || this.now() < this.#openUntil) {
      return null
    }
    this.#probe = pass
    return pass
  }

  /** The server answered, with any status. */
  answered(): void {
    this.#failures = 0
    this.#openUntil = null
    this.#probe = null
  }

  /** No answer came. */
  failed(pass: Pass): void {
    if (this.#openUntil !== null && pass !== this.#probe) {
      return
    }
    this.#failures += 1
    this.#probe = null
    if (this.#failures >= this.limits.failures) {
      this.#openUntil = this.now() + this.limits.pauseMs
    }
  }

  /** The caller gave up by itself: nothing is known of the server. */
  released(pass: Pass): void {
    if (pass === this.#probe) {
      this.#probe = null
    }
  }
}
