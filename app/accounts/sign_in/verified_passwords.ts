import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** A verified password is not hashed again within this time. */
const TTL_MS = 5 * 60_000
/** Per process, a few hundred bytes each. */
const MAX_PASSWORDS = 10_000

/** Subject of a verification. */
interface VerifiedPassword {
  userId: number
  /** The stored hash; a new hash needs a new verification. */
  stored: string
  password: string
}

/**
 * Cache of verified passwords, so that clients with a password per request cost one hash in five
 * minutes. Stores an HMAC with a random key of this process over password and stored hash. Wrong
 * passwords are not stored.
 */
export class VerifiedPasswords {
  readonly #key = randomBytes(32)
  /** By HMAC. */
  readonly #verified: LRUCache<string, true>

  constructor(ttl = TTL_MS, max = MAX_PASSWORDS, now: () => number = Date.now) {
    this.#verified = new LRUCache({ max, ttl, ttlResolution: 0, perf: { now } })
  }

  add(verified: VerifiedPassword): void {
    this.#verified.set(this.#hmacOf(verified), true)
  }

  /** Returns whether this was verified a short time ago. Does not extend the time. */
  has(verified: VerifiedPassword): boolean {
    return this.#verified.get(this.#hmacOf(verified)) ?? false
  }

  #hmacOf({ userId, stored, password }: VerifiedPassword): string {
    const text = JSON.stringify([userId, stored, password])
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }
}
