/** Text instead of a secret in output. */
export const MASK = '********'

const MAX_CHARACTERS = 80
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const USER_INFO = /\/\/[^/@\s]*@/g

/** Prints a value as one line of JSON, at most 80 characters. Credentials in a URL are masked. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  const line = text
    .replace(USER_INFO, `//${MASK}@`)
    .replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}...` : line
}

/** Prints a key: an ordinary name unquoted, any other key as {@link show} does. */
export function showKey(key: string): string {
  return /^[\w.$-]{1,80}$/.test(key) ? key : show(key)
}

/** Masks a secret. An empty secret stays empty, to show that none is set. */
export function mask(value: unknown): unknown {
  return value === '' || value === null ? value : MASK
}
