import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const SHOWN_CHARACTERS = 12

/** A fresh API key: `pwa_` and 64 lower-case hex digits. */
export function makeKey(): string {
  return `pwa_${randomBytes(SECRET_BYTES).toString('hex')}`
}

/**
 * What is stored of a key, and looked up: its hex SHA-256. A key is random with 256 bits, so a fast hash
 * is enough; the look-up by hash tells nothing of other keys by its timing.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The part of a key that may be shown. */
export function keyPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS)
}
