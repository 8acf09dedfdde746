import { InvalidDns } from '#dns/errors'

/** A <character-string> of a content (RFC 1035, 5.1), decoded. */
export interface TextToken {
  bytes: Uint8Array
  quoted: boolean
  /** As written, with escapes and quotes. */
  raw: string
}

/** Maximum octets of the data of a record (RFC 1035, 3.2.1). */
export const MAX_RDATA_OCTETS = 65_535
const FORM =
  'strings in double quotes, with \\" for a quote, \\\\ for a backslash, \\DDD for a byte'
const NO_BYTES = new Uint8Array()
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })
const shownDecoder = new TextDecoder('utf-8', { ignoreBOM: true })
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u
/** Text without escapes in which each character is one byte. Most contents match, and are decoded at once. */
const PLAIN_CONTENT = /^[ !#-[\]-~]*$/
const PLAIN_QUOTED = /"[ !#-[\]-~]*"/y
const PLAIN_BARE = /[!#-[\]-~]+(?=[ \t]|$)/y
/** Number of characters up to which a loop is faster than an encoder or decoder. */
const MAX_PLAIN_SCAN = 32
const NOT_PLAIN = /[^ !#-[\]-~]/g

/**
 * Splits a content into character-strings, quoted or bare. Escapes are `\DDD` (a byte, 000..255) and `\X` (the character X);
 * other characters become UTF-8.
 *
 * @param maxOctets maximum size on the wire, with one length octet per string
 * @throws InvalidDns on 'content' for an open quote, an invalid escape, a control character, text that touches a closing
 *   quote, or more than `maxOctets`
 */
export function textTokens(text: string, maxOctets = Infinity): TextToken[] {
  const tokens: TextToken[] = []
  let position = 0
  let octets = 0
  while (position < text.length) {
    if (text[position] === ' ' || text[position] === '\t') {
      position++
      continue
    }
    const token = plainToken(text, position) ?? tokenAt(text, position)
    position += token.raw.length
    if (position < text.length && !' \t'.includes(text[position])) {
      throw refusal(text, 'has an unescaped quote inside')
    }
    octets += token.bytes.length + 1
    if (octets > maxOctets) {
      throw new InvalidDns('content', text, `at most ${maxOctets} bytes in total`, {
        problem: 'is too long',
      })
    }
    tokens.push(token)
    // Each string takes at least one octet.
    if (tokens.length > MAX_RDATA_OCTETS) {
      throw new InvalidDns('content', text, `at most ${MAX_RDATA_OCTETS} words`, {
        problem: 'is too long',
      })
    }
  }
  return tokens
}

/** Returns the character-string at `at` if it has no escapes. */
function plainToken(text: string, position: number): TextToken | undefined {
  const quoted = text[position] === '"'
  const pattern = quoted ? PLAIN_QUOTED : PLAIN_BARE
  pattern.lastIndex = position
  if (!pattern.test(text)) return undefined
  const raw = text.slice(position, pattern.lastIndex)
  return { bytes: asciiBytes(quoted ? raw.slice(1, -1) : raw), quoted, raw }
}

/** For thousands of short strings, calling the encoder takes longer than a loop. */
function asciiBytes(text: string): Uint8Array {
  if (text === '') return NO_BYTES
  if (text.length > MAX_PLAIN_SCAN) return encoder.encode(text)
  const bytes = new Uint8Array(text.length)
  for (let position = 0; position < text.length; position++)
    bytes[position] = text.charCodeAt(position)
  return bytes
}

/** Parses the character-string at `start`, character by character. */
function tokenAt(text: string, start: number): TextToken {
  let position = start
  const quoted = text[position] === '"'
  const bytes: number[] = []
  if (quoted) position++
  while (
    position < text.length &&
    text[position] !== '"' &&
    (quoted || !' \t'.includes(text[position]))
  ) {
    position = readCharacter(text, position, bytes)
  }
  if (quoted && text[position] !== '"') throw refusal(text, 'has a quote that is not closed')
  if (quoted) position++
  return { bytes: Uint8Array.from(bytes), quoted, raw: text.slice(start, position) }
}

/** Returns the bytes of text without quotes and escapes, in printable ASCII; undefined for other text. */
export function plainBytes(text: string): Uint8Array | undefined {
  return PLAIN_CONTENT.test(text) ? encoder.encode(text) : undefined
}

/**
 * Returns the decoded character-strings of a content.
 *
 * @throws InvalidDns as `textTokens`
 */
export function parseStrings(text: string): Uint8Array[] {
  return textTokens(text).map((token) => token.bytes)
}

/** Prints character-strings in canonical form: quoted, printable ASCII, other bytes as `\DDD`. */
export function printStrings(strings: Uint8Array[]): string {
  return strings.map((bytes) => `"${printed(bytes)}"`).join(' ')
}

/** Prints bytes as a word without quotes: letters, digits and the characters of mailboxes plain, others as `\DDD`. */
export function bareWord(bytes: Uint8Array): string {
  return byteText(bytes).replace(
    /[^A-Za-z0-9!#%&'*+/=?^_{|}~-]/g,
    (sign) => `\\${String(sign.charCodeAt(0)).padStart(3, '0')}`
  )
}

/** Prints the text between the quotes for display: as `printStrings`, but with printable UTF-8 unescaped. */
export function printReadable(bytes: Uint8Array): string {
  if (PLAIN_CONTENT.test(byteText(bytes))) return byteText(bytes)
  let text = ''
  let position = 0
  while (position < bytes.length) {
    const character = bytes[position] < 0x80 ? undefined : characterAt(bytes, position)
    text += character ?? printByte(bytes[position])
    position += character === undefined ? 1 : encoder.encode(character).length
  }
  return text
}

/** Decodes UTF-8; an invalid sequence becomes U+FFFD. */
export function shownText(bytes: Uint8Array): string {
  return shownDecoder.decode(bytes)
}

/** Decodes one character per byte, to validate text that should be ASCII. */
export function byteText(bytes: Uint8Array): string {
  if (bytes.length <= MAX_PLAIN_SCAN) return String.fromCharCode(...bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/**
 * Appends the bytes of the character at `at`, and returns the index of the next one. A lone surrogate has no UTF-8 form, and
 * control characters must be written as `\DDD`.
 *
 * @throws InvalidDns on 'content' for both
 */
export function readLiteral(text: string, position: number, bytes: number[]): number {
  const code = text.codePointAt(position)!
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) {
    throw refusal(text, 'has a control character')
  }
  if (code >= 0xd800 && code <= 0xdfff) throw refusal(text, 'is not Unicode text')
  if (code < 0x7f) {
    bytes.push(code)
    return position + 1
  }
  if (code < 0x80) bytes.push(code)
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), last(code))
  else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), last(code >> 6), last(code))
  else bytes.push(0xf0 | (code >> 18), last(code >> 12), last(code >> 6), last(code))
  return position + (code < 0x10000 ? 1 : 2)
}

/** Returns the UTF-8 octet of the lowest six bits. */
function last(bits: number): number {
  return 0x80 | (bits & 0x3f)
}

/** Returns the byte of the escape `\DDD` at `at`; undefined if there is none. */
export function decimalEscape(text: string, position: number): number | undefined {
  const digits = text.slice(position + 1, position + 4)
  return /^\d{3}$/.test(digits) && Number(digits) <= 255 ? Number(digits) : undefined
}

function readCharacter(text: string, position: number, bytes: number[]): number {
  if (text[position] !== '\\') return readLiteral(text, position, bytes)
  const byte = decimalEscape(text, position)
  if (byte !== undefined) {
    bytes.push(byte)
    return position + 4
  }
  const next = text[position + 1]
  if (next === undefined || /\d/.test(next)) throw refusal(text, 'has an invalid escape')
  return readLiteral(text, position + 1, bytes)
}

function printed(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  return byteText(bytes).replace(NOT_PLAIN, (sign) => printByte(sign.charCodeAt(0)))
}

function printByte(byte: number): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
  if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte)
  return `\\${String(byte).padStart(3, '0')}`
}

function characterAt(bytes: Uint8Array, position: number): string | undefined {
  const length = bytes[position] >= 0xf0 ? 4 : bytes[position] >= 0xe0 ? 3 : 2
  try {
    const character = decoder.decode(bytes.subarray(position, position + length))
    return PRINTABLE.test(character) ? character : undefined
  } catch {
    return undefined
  }
}

function refusal(text: string, problem: string): InvalidDns {
  return new InvalidDns('content', text, FORM, { problem })
}
