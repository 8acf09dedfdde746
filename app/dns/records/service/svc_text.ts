/** Text form of service parameters (RFC 9460, 2.1 and appendix A). */

const BACKSLASH = 0x5c
const COMMA = 0x2c

/** Splits a text into words; spaces in quotes or after a backslash belong to a word. */
export function svcWords(text: string): string[] {
  const words: string[] = []
  let position = 0
  while (position < text.length) {
    const start = position
    let quoted = false
    while (position < text.length && (quoted || !' \t'.includes(text[position]))) {
      if (text[position] === '"') quoted = !quoted
      position += text[position] === '\\' ? 2 : 1
    }
    if (position > start) words.push(text.slice(start, position))
    else position++
  }
  return words
}

/** Splits a comma-separated list. `\,` and `\\` belong to an item; for other escapes returns undefined. */
export function readItems(text: Uint8Array): number[][] | undefined {
  const items: number[][] = [[]]
  let escaped = false
  for (const byte of text) {
    if (escaped && byte !== COMMA && byte !== BACKSLASH) return undefined
    if (!escaped && byte === COMMA) items.push([])
    else if (escaped || byte !== BACKSLASH) items[items.length - 1].push(byte)
    escaped = !escaped && byte === BACKSLASH
  }
  return escaped ? undefined : items
}

/**
 * Prints bytes for use with or without quotes. PowerDNS reads ";", "(" and ")" only as `\DDD`, even in quotes. `listed` is the
 * separator if the bytes are an item of a list.
 */
export function printValue(bytes: Uint8Array, specialCharacters = ''): string {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte)
    if (character === '"') return '\\"'
    if (specialCharacters === '' && byte === BACKSLASH) return '\\\\'
    if (specialCharacters !== '' && byte === BACKSLASH) return '\\\\\\\\'
    if (specialCharacters !== '' && character === specialCharacters)
      return `\\\\${specialCharacters}`
    const isPlain = byte >= 0x20 && byte <= 0x7e && !';()'.includes(character)
    return isPlain ? character : `\\${String(byte).padStart(3, '0')}`
  }).join('')
}
