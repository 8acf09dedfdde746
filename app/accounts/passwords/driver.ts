import type { HashDriverContract } from '@adonisjs/core/types/hash'
import { parseHash } from '#accounts/passwords/formats'
import { matchesHash, isOutdated, hashPassword } from '#accounts/passwords/hashes'
import { runInSlot } from '#accounts/passwords/hash_queue'

/**
 * Driver of the hash service. Creates Argon2id and verifies imported hashes (bcrypt, Argon2i,
 * scrypt). Does not block the event loop. Throws a `Refusal` (429) if too many hashes wait. Must
 * not be called inside a transaction.
 */
export class PasswordHash implements HashDriverContract {
  isValidHash(value: string): boolean {
    return parseHash(value) !== null
  }

  make(value: string): Promise<string> {
    return runInSlot(() => hashPassword(value))
  }

  verify(hashedValue: string, plainValue: string): Promise<boolean> {
    return runInSlot(() => matchesHash(hashedValue, plainValue))
  }

  needsReHash(hashedValue: string): boolean {
    return isOutdated(hashedValue)
  }
}
