import { createHmac } from 'node:crypto'
import { derivedKey } from '#start/derived_key'

/**
 * Something that is another one as soon as the password of an account is, and tells nothing of it.
 *
 * @param stored the stored hash; null for none
 * @param more what it is bound to besides
 */
export function passwordMark(stored: string | null, ...more: (string | null)[]): string {
  const text = JSON.stringify([stored, ...more])
  return createHmac('sha256', derivedKey('password mark')).update(text).digest('hex')
}
