/** Replaces a secret in output. */
export const MASK = '********'

const LONGEST = 80
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const USER_INFO = /\/\/[^/@\s]*@/g

/**
 * A value as one printable line of at most 80 characters, as JSON would write it. Credentials inside
 * of a URL are masked.
 */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  const line = text
    .replace(USER_INFO, `//${MASK}@`)
    .replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line
}

/**
 * A key as the operator wrote it: bare where it is an ordinary name, otherwise as {@link show} does.
 */
export function showKey(key: string): string {
  return /^[\w.$-]{1,80}$/.test(key) ? key : show(key)
}

/**
 * Hides a secret. An empty secret stays empty, so that one can see that none is set.
 */
export function mask(value: unknown): unknown {
  return value === '' || value === null ? value : MASK
}
