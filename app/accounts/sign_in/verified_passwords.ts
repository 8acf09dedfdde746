import { createHmac, randomBytes } from 'node:crypto'

/** So long a password that was verified need not be hashed again. */
const KEPT_MS = 5 * 60_000
/** So many are kept by a process, of a few hundred bytes each. */
const MOST_KEPT = 10_000

/** What a verification was about. */
interface Verified {
  userId: number
  /** The hash as stored at that moment: another one is another verification. */
  stored: string
  password: string
}

/**
 * Passwords that were verified a short while ago, so that a client that sends one with every request costs one
 * hash in minutes and not one each. What is kept is an HMAC under a key that this process made and nobody else
 * has; it is bound to the stored hash, so that a new password ends it. Wrong passwords are never kept.
 */
export class VerifiedPasswords {
  readonly #key = randomBytes(32)
  /** The moment of expiry by HMAC, the least lately used first. */
  readonly #kept = new Map<string, number>()

  constructor(
    private readonly keptMs = KEPT_MS,
    private readonly mostKept = MOST_KEPT,
    private readonly now: () => number = Date.now
  ) {}

  /** Keeps a verification that succeeded. */
  add(verified: Verified): void {
    const mark = this.#markOf(verified)
    this.#kept.delete(mark)
    this.#kept.set(mark, this.now() + this.keptMs)
    if (this.#kept.size > this.mostKept) {
      const [oldest] = this.#kept.keys()
      this.#kept.delete(oldest)
    }
  }

  /** Whether exactly this was verified a short while ago. Asking does not prolong it. */
  has(verified: Verified): boolean {
    const mark = this.#markOf(verified)
    const expiry = this.#kept.get(mark)
    if (expiry === undefined) {
      return false
    }
    this.#kept.delete(mark)
    if (expiry <= this.now()) {
      return false
    }
    this.#kept.set(mark, expiry)
    return true
  }

  #markOf({ userId, stored, password }: Verified): string {
    const text = JSON.stringify([userId, stored, password])
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }
}
