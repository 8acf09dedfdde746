/** Limits of a circuit breaker. */
export interface BreakerLimits {
  /** Consecutive calls without an answer that open the breaker. */
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
  /** The single allowed call while the breaker is open. */
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

  /** Records an answer, with any status. */
  recordAnswer(): void {
    this.#failures = 0
    this.#openUntil = null
    this.#probe = null
  }

  /** Records that a call had no answer. */
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

  /** Releases the permit: the caller aborted, so the state of the server is unknown. */
  release(permit: CallPermit): void {
    if (permit === this.#probe) {
      this.#probe = null
    }
  }
}
