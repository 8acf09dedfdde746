import type { HashDriverContract } from '@adonisjs/core/types/hash'
import { readHash } from '#accounts/passwords/formats'
import { fitsHash, isOutdated, makeHash } from '#accounts/passwords/hashes'
import { inSlot } from '#accounts/passwords/hash_queue'

/**
 * Passwords for the framework's hash service: makes Argon2id, checks also what was imported (bcrypt,
 * Argon2i, scrypt). Never blocks the event loop, and computes a bounded number of hashes at once; throws a
 * `Refusal` (429) when too many wait. Hash before a transaction begins, not inside one.
 */
export class PasswordHash implements HashDriverContract {
  isValidHash(value: string): boolean {
    return readHash(value) !== null
  }

  make(value: string): Promise<string> {
    return inSlot(() => makeHash(value))
  }

  verify(hashedValue: string, plainValue: string): Promise<boolean> {
    return inSlot(() => fitsHash(hashedValue, plainValue))
  }

  needsReHash(hashedValue: string): boolean {
    return isOutdated(hashedValue)
  }
}
