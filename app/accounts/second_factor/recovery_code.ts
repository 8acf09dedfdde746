import { createHash, randomBytes } from 'node:crypto'
import { base32 } from '#accounts/second_factor/totp'

const CODE_BYTES = 10
/** Letters of a code without dashes. */
const CODE_LETTERS = (CODE_BYTES * 8) / 5
const ALPHABET = /^[A-Z2-7]+$/

/** Returns a random recovery code in display format: `ABCD-EFGH-2345-WXYZ`. */
export function generateRecoveryCode(): string {
  return base32(randomBytes(CODE_BYTES)).replaceAll(/(.{4})(?=.)/g, '$1-')
}

/**
 * Returns the stored hash of a recovery code. Ignores spaces, dashes and the case of ASCII letters.
 * null if the text cannot be a recovery code.
 */
export function recoveryHash(code: string): string | null {
  const letters = code
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return letters.length === CODE_LETTERS && ALPHABET.test(letters)
    ? createHash('sha256').update(letters).digest('hex')
    : null
}
