import { hash, randomBytes } from 'node:crypto'

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
  return hash('sha256', key)
}

/**
 * Whether a presented text is written as other tools store keys, `sha256$` and the hash: whoever read it in a
 * database has no key.
 */
export function isStoredForm(key: string): boolean {
  return key.startsWith('sha256$')
}

/** The part of a key that may be shown. */
export function keyPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS)
}
