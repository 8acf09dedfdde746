import { hash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const SHOWN_CHARACTERS = 12

/** A fresh API key: `pwa_` and 64 lower-case hex digits. */
export function makeKey(): string {
  return `pwa_${randomBytes(SECRET_BYTES).toString('hex')}`
}

/** Of base32 (RFC 4648, 6) in lower case: a character holds exactly 5 of the 8 bits of a random byte. */
const TOKEN_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const TOKEN_START = 'dy'
const TOKEN_LENGTH = 32

/**
 * A fresh token of a host: a key of 32 letters and digits, 150 random bits among them. Routers cut longer passwords
 * off, and some cannot send other characters.
 */
export function makeHostToken(): string {
  const bytes = [...randomBytes(TOKEN_LENGTH - TOKEN_START.length)]
  return TOKEN_START + bytes.map((byte) => TOKEN_LETTERS[byte & 31]).join('')
}

/** Whether a text has the form of a host's token. */
export function isHostToken(text: string): boolean {
  return /^dy[a-z2-7]{30}$/.test(text)
}

/** Whether a text has the form of a key or of a host's token, so that it is looked up as one. */
export function isKeyShaped(text: string): boolean {
  return isHostToken(text) || /^pwa_[0-9a-f]{64}$/.test(text)
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
