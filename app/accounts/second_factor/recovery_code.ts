import { createHash, randomBytes } from 'node:crypto'
import { base32 } from '#accounts/second_factor/totp'

const BYTES = 10
/** Letters of a code without its dashes. */
const LENGTH = (BYTES * 8) / 5
const ALPHABET = /^[A-Z2-7]+$/

/** A new recovery code, as it is shown: `ABCD-EFGH-2345-WXYZ`. */
export function newRecoveryCode(): string {
  return base32(randomBytes(BYTES)).replaceAll(/(.{4})(?=.)/g, '$1-')
}

/**
 * What is stored of a recovery code, however it is typed: blanks and dashes do not count, and neither does the case of
 * ASCII letters. null for what is no recovery code.
 */
export function recoveryHash(code: string): string | null {
  const letters = code
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return letters.length === LENGTH && ALPHABET.test(letters)
    ? createHash('sha256').update(letters).digest('hex')
    : null
}
