import { InvalidDns } from '#dns/errors'
import {
  decimalEscape,
  MAX_RDATA_OCTETS,
  parseStrings,
  plainBytes,
  printReadable,
  printStrings,
  readLiteral,
  textTokens,
} from '#dns/rdata/character_strings'
import type { RecordType } from '#dns/records/record_type'

const STRING_LIMIT = 255
/** Several strings in canonical form. Thousands of them are validated at once. */
const CANONICAL = /^"[ !#-[\]-~]{0,255}"(?: "[ !#-[\]-~]{0,255}")+$/
const FORM = 'text, or one or more strings in double quotes (RFC 1035, 3.3.14)'

/** Returns the bytes of text without quotes. A backslash that starts no `\DDD`, `\"` or `\\` is a plain character. */
function bareText(content: string): Uint8Array {
  const plain = plainBytes(content)
  if (plain !== undefined) return plain
  const bytes: number[] = []
  let position = 0
  while (position < content.length) {
    const byte = content[position] === '\\' ? decimalEscape(content, position) : undefined
    if (content[position] === '"') {
      throw new InvalidDns('content', content, `${FORM}, and \\" for a quote`, {
        problem: 'has an unescaped quote inside',
      })
    }
    if (byte !== undefined) {
      bytes.push(byte)
      position += 4
    } else if (/^\\["\\]/.test(content.slice(position, position + 2))) {
      bytes.push(content.charCodeAt(position + 1))
      position += 2
    } else {
      position = readLiteral(content, position, bytes)
    }
  }
  return Uint8Array.from(bytes)
}

function quotedStrings(content: string): Uint8Array[] {
  const tokens = textTokens(content, MAX_RDATA_OCTETS)
  if (tokens.every((token) => token.quoted)) return tokens.map((token) => token.bytes)
  throw new InvalidDns('content', content, FORM, { problem: 'has text outside the quotes' })
}

/** Returns the octets on the wire: each string has a length octet, and a longer string becomes pieces of 255. */
function wireLength(strings: Uint8Array[]): number {
  return strings.reduce((sum, { length }) => {
    return sum + length + Math.max(1, Math.ceil(length / STRING_LIMIT))
  }, 0)
}

/** Whether the content is in canonical form and short enough; false also for forms that it does not recognise. */
function isCanonical(content: string): boolean {
  if (!CANONICAL.test(content)) return false
  const strings = (content.split('"').length - 1) / 2
  // Each string has two quotes, and a blank in front of it except for the first; on the wire, a length octet.
  return content.length - 2 * strings + 1 <= MAX_RDATA_OCTETS
}

function checkLengths(content: string, strings: Uint8Array[]): void {
  if (strings.length > 1 && strings.some(({ length }) => length > STRING_LIMIT)) {
    throw new InvalidDns(
      'content',
      content,
      `at most ${STRING_LIMIT} bytes for each of several strings`,
      {
        problem: 'has a string that is too long',
      }
    )
  }
  if (wireLength(strings) > MAX_RDATA_OCTETS) {
    throw new InvalidDns('content', content, `at most ${MAX_RDATA_OCTETS} bytes in total`, {
      problem: 'is too long',
    })
  }
}

export const txt: RecordType = {
  type: 'TXT',
  rfc: 'RFC 1035, 3.3.14',
  summary: 'Text for programs to read, such as SPF, DKIM and proofs of ownership',
  example: '"v=spf1 mx -all"',
  trap: 'A quote inside the text without a backslash before it',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ['strings'],
  parse: (content) => [content],
  canonical(content) {
    if (isCanonical(content)) return content
    const trimmed = content.replace(/^ +/, '')
    const strings = trimmed.startsWith('"') ? quotedStrings(trimmed) : [bareText(content)]
    checkLengths(content, strings)
    return printStrings(strings)
  },
  fromWire: (data) => printStrings(data.reading('strings').strings()),
  present(content) {
    let strings
    try {
      strings = parseStrings(content)
    } catch {
      return content
    }
    if (!content.startsWith('"')) return content
    const texts = strings.map(printReadable)
    // Without quotes, an empty text would be missing, and outer spaces would be trimmed when it is parsed again.
    if (texts.length === 1 && texts[0] !== '' && texts[0] === texts[0].trim()) return texts[0]
    return texts.map((text) => `"${text}"`).join(' ')
  },
  targets: () => [],
}
