import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** For this time a verified password is not hashed again. */
const TTL_MS = 5 * 60_000
/** Of a process, a few hundred bytes each. */
const MAX_PASSWORDS = 10_000

/** What a verification was about. */
interface Verified {
  userId: number
  /** The hash as stored at that moment: another one is another verification. */
  stored: string
  password: string
}

/**
 * Passwords that were verified a short time ago: a client that sends one with each request costs one hash in five minutes.
 * Stored is an HMAC with a random key of this process. It includes the stored hash, so that a new password ends it. Wrong
 * passwords are not stored.
 */
export class VerifiedPasswords {
  readonly #key = randomBytes(32)
  /** By HMAC. */
  readonly #verified: LRUCache<string, true>

  constructor(ttl = TTL_MS, max = MAX_PASSWORDS, now: () => number = Date.now) {
    this.#verified = new LRUCache({ max, ttl, ttlResolution: 0, perf: { now } })
  }

  /** Stores a successful verification. */
  add(verified: Verified): void {
    this.#verified.set(this.#hmacOf(verified), true)
  }

  /** Whether exactly this was verified a short time ago. Does not extend the time. */
  has(verified: Verified): boolean {
    return this.#verified.get(this.#hmacOf(verified)) ?? false
  }

  #hmacOf({ userId, stored, password }: Verified): string {
    const text = JSON.stringify([userId, stored, password])
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }
}
