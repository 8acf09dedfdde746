/** When a breaker opens, and for how long. */
export interface BreakerLimits {
  /** Calls in a row without an answer. */
  failures: number
  /** Milliseconds. */
  pauseMs: number
}

/** Permission for one call; its holder reports the outcome. */
export type CallPermit = symbol

/**
 * Circuit breaker for a server that does not answer: after some consecutive calls without an answer it opens, and every call
 * fails at once. After a pause it allows one call, whose outcome closes or reopens it. Calls from before it opened can close
 * it only.
 */
export class CircuitBreaker {
  #failures = 0
  #openUntil: number | null = null
  /** The call that was let through. */
  #probe: CallPermit | null = null

  constructor(
    private readonly limits: BreakerLimits,
    private readonly now: () => number = Date.now
  ) {}

  /** Whether calls fail at once now. */
  get isOpen(): boolean {
    return this.#openUntil !== null
  }

  /** Permission for a call; null if the call must fail at once. */
  admit(): CallPermit | null {
    const permit = Symbol('call')
    if (this.#openUntil === null) {
      return permit
    }
    if (this.#probe !== null || this.now() < this.#openUntil) {
      return null
    }
    this.#probe = permit
    return permit
  }

  /** The server answered, with any status. */
  recordAnswer(): void {
    this.#failures = 0
    this.#openUntil = null
    this.#probe = null
  }

  /** No answer came. */
  recordFailure(permit: CallPermit): void {
    if (this.#openUntil !== null && permit !== this.#probe) {
      return
    }
    this.#failures += 1
    this.#probe = null
    if (this.#failures >= this.limits.failures) {
      this.#openUntil = this.now() + this.limits.pauseMs
    }
  }

  /** The caller gave up by itself: nothing is known of the server. */
  release(permit: CallPermit): void {
    if (permit === this.#probe) {
      this.#probe = null
    }
  }
}
