import { InvalidDns } from '#dns/errors'

/** A <character-string> of a content (RFC 1035, 5.1), decoded. */
export interface TextToken {
  bytes: Uint8Array
  quoted: boolean
  /** As it is written, with its escapes and quotes. */
  raw: string
}

/** Octets of the data of a record at most (RFC 1035, 3.2.1). */
export const MAX_RDATA_OCTETS = 65_535
const FORM =
  'strings in double quotes, with \\" for a quote, \\\\ for a backslash, \\DDD for a byte'
const NO_BYTES = new Uint8Array()
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })
const shownDecoder = new TextDecoder('utf-8', { ignoreBOM: true })
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u
/** Text in which each character is one byte, and none an escape: nearly all that is written, taken at once. */
const PLAIN = /^[ !#-[\]-~]*$/
const PLAIN_QUOTED = /"[ !#-[\]-~]*"/y
const PLAIN_BARE = /[!#-[\]-~]+(?=[ \t]|$)/y
/** Characters up to which a loop is faster than an encoder or decoder. */
const SHORT = 32
const NOT_PLAIN = /[^ !#-[\]-~]/g

/**
 * Takes a content apart into character-strings, quoted or bare. Escapes are `\DDD` (a byte, 000-255) and
 * `\X` (the character X); other characters stand for their UTF-8 bytes.
 *
 * @param maxOctets of the strings on the wire, with an octet of length for each
 * @throws InvalidDns on 'content' for an open quote, a wrong escape, a control character, text that
 *   touches a closing quote, or more than `maxOctets`
 */
export function textTokens(text: string, maxOctets = Infinity): TextToken[] {
  const tokens: TextToken[] = []
  let at = 0
  let octets = 0
  while (at < text.length) {
    if (text[at] === ' ' || text[at] === '\t') {
      at++
      continue
    }
    const token = plainToken(text, at) ?? tokenAt(text, at)
    at += token.raw.length
    if (at < text.length && !' \t'.includes(text[at])) {
      throw refusal(text, 'has an unescaped quote inside')
    }
    octets += token.bytes.length + 1
    if (octets > maxOctets) {
      throw new InvalidDns('content', text, `at most ${maxOctets} bytes in all`, {
        problem: 'is too long',
      })
    }
    tokens.push(token)
    // Each is at least one octet.
    if (tokens.length > MAX_RDATA_OCTETS) {
      throw new InvalidDns('content', text, `at most ${MAX_RDATA_OCTETS} words`, {
        problem: 'is too long',
      })
    }
  }
  return tokens
}

/** The character-string at `at`, when there is one without escapes. */
function plainToken(text: string, at: number): TextToken | undefined {
  const quoted = text[at] === '"'
  const pattern = quoted ? PLAIN_QUOTED : PLAIN_BARE
  pattern.lastIndex = at
  if (!pattern.test(text)) return undefined
  const raw = text.slice(at, pattern.lastIndex)
  return { bytes: asciiBytes(quoted ? raw.slice(1, -1) : raw), quoted, raw }
}

/** Contents may have thousands of short strings, for which a call of the encoder takes longer. */
function asciiBytes(text: string): Uint8Array {
  if (text === '') return NO_BYTES
  if (text.length > SHORT) return encoder.encode(text)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The character-string at `at`, character by character. */
function tokenAt(text: string, start: number): TextToken {
  let at = start
  const quoted = text[at] === '"'
  const bytes: number[] = []
  if (quoted) at++
  while (at < text.length && text[at] !== '"' && (quoted || !' \t'.includes(text[at]))) {
    at = readCharacter(text, at, bytes)
  }
  if (quoted && text[at] !== '"') throw refusal(text, 'has a quote that is not closed')
  if (quoted) at++
  return { bytes: Uint8Array.from(bytes), quoted, raw: text.slice(start, at) }
}

/** The bytes of text that is plain as a whole: no quotes, no escapes, printable ASCII; undefined for other text. */
export function plainBytes(text: string): Uint8Array | undefined {
  return PLAIN.test(text) ? encoder.encode(text) : undefined
}

/**
 * The character-strings of a content, decoded.
 *
 * @throws InvalidDns as textTokens()
 */
export function parseStrings(text: string): Uint8Array[] {
  return textTokens(text).map((token) => token.bytes)
}

/** Character-strings in canonical form: quoted, pure printable ASCII, bytes outside of it as `\DDD`. */
export function printStrings(strings: Uint8Array[]): string {
  return strings.map((bytes) => `"${printed(bytes)}"`).join(' ')
}

/** Bytes as a word without quotes: letters, digits and the signs of mailboxes plain, others as `\DDD`. */
export function bareWord(bytes: Uint8Array): string {
  return byteText(bytes).replace(
    /[^A-Za-z0-9!#%&'*+/=?^_{|}~-]/g,
    (sign) => `\\${String(sign.charCodeAt(0)).padStart(3, '0')}`
  )
}

/** The inside of a quoted string for people: as printStrings(), but printable UTF-8 is left as text. */
export function printReadable(bytes: Uint8Array): string {
  if (PLAIN.test(byteText(bytes))) return byteText(bytes)
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const character = bytes[at] < 0x80 ? undefined : characterAt(bytes, at)
    text += character ?? printByte(bytes[at])
    at += character === undefined ? 1 : encoder.encode(character).length
  }
  return text
}

/** Bytes as people wrote them: UTF-8; what is none becomes U+FFFD. */
export function shownText(bytes: Uint8Array): string {
  return shownDecoder.decode(bytes)
}

/** One character a byte, for checks of text that should be ASCII. */
export function byteText(bytes: Uint8Array): string {
  if (bytes.length <= SHORT) return String.fromCharCode(...bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/**
 * Appends the bytes of the character at `at`, and answers where the next one starts. A surrogate without
 * its pair has no UTF-8 form, and control characters must be written as `\DDD`.
 *
 * @throws InvalidDns on 'content' for both
 */
export function readLiteral(text: string, at: number, bytes: number[]): number {
  const code = text.codePointAt(at)!
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) {
    throw refusal(text, 'has a control character')
  }
  if (code >= 0xd800 && code <= 0xdfff) throw refusal(text, 'is not Unicode text')
  if (code < 0x7f) {
    bytes.push(code)
    return at + 1
  }
  if (code < 0x80) bytes.push(code)
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), last(code))
  else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), last(code >> 6), last(code))
  else bytes.push(0xf0 | (code >> 18), last(code >> 12), last(code >> 6), last(code))
  return at + (code < 0x10000 ? 1 : 2)
}

/** The octet of UTF-8 with the lowest six bits. */
function last(bits: number): number {
  return 0x80 | (bits & 0x3f)
}

/** The byte that `\DDD` at `at` stands for, or undefined when there is no such escape there. */
export function decimalEscape(text: string, at: number): number | undefined {
  const digits = text.slice(at + 1, at + 4)
  return /^\d{3}$/.test(digits) && Number(digits) <= 255 ? Number(digits) : undefined
}

function readCharacter(text: string, at: number, bytes: number[]): number {
  if (text[at] !== '\\') return readLiteral(text, at, bytes)
  const byte = decimalEscape(text, at)
  if (byte !== undefined) {
    bytes.push(byte)
    return at + 4
  }
  const next = text[at + 1]
  if (next === undefined || /\d/.test(next)) throw refusal(text, 'has a wrong escape')
  return readLiteral(text, at + 1, bytes)
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

function characterAt(bytes: Uint8Array, at: number): string | undefined {
  const length = bytes[at] >= 0xf0 ? 4 : bytes[at] >= 0xe0 ? 3 : 2
  try {
    const character = decoder.decode(bytes.subarray(at, at + length))
    return PRINTABLE.test(character) ? character : undefined
  } catch {
    return undefined
  }
}

function refusal(text: string, problem: string): InvalidDns {
  return new InvalidDns('content', text, FORM, { problem })
}
