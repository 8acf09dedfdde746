import { hash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const PREFIX_CHARACTERS = 12

/** Returns a random API key: `pwa_` and 64 lower-case hex digits. */
export function generateKey(): string {
  return `pwa_${randomBytes(SECRET_BYTES).toString('hex')}`
}

/** Lower-case base32 (RFC 4648, 6): a character uses exactly 5 of the 8 bits of a random byte. */
const TOKEN_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const TOKEN_PREFIX = 'dy'
const TOKEN_LENGTH = 32

/**
 * Returns a random host token of 32 letters and digits with 150 random bits. Some routers truncate
 * longer passwords or cannot send other characters.
 */
export function generateHostToken(): string {
  const bytes = [...randomBytes(TOKEN_LENGTH - TOKEN_PREFIX.length)]
  return TOKEN_PREFIX + bytes.map((byte) => TOKEN_LETTERS[byte & 31]).join('')
}

/** Returns whether a text has the form of a host token. */
export function isHostToken(text: string): boolean {
  return /^dy[a-z2-7]{30}$/.test(text)
}

/** Returns whether a text has the form of an API key or a host token. */
export function hasKeyForm(text: string): boolean {
  return isHostToken(text) || /^pwa_[0-9a-f]{64}$/.test(text)
}

/**
 * Returns the hex SHA-256, which is stored and looked up. A fast hash is enough for 256 random
 * bits, and the timing of the lookup reveals nothing about other keys.
 */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/**
 * Returns whether a text has the form `sha256$` and a hash, in which other programs store keys.
 * Such a text from a database is not a key.
 */
export function isStoredForm(key: string): boolean {
  return key.startsWith('sha256$')
}

/** Returns the prefix of a key, which is not secret. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_CHARACTERS)
}
