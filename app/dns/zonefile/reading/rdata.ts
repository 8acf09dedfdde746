import {
  MAX_RDATA_OCTETS,
  parseStrings,
  printStrings,
  textTokens,
} from '#dns/rdata/character_strings'
import { MAX_CONTENT_CHARACTERS, recordType } from '#dns/records/registry'
import { duration } from '#dns/zonefile/reading/durations'
import { fault, atPosition } from '#dns/zonefile/reading/faults'
import type { Token } from '#dns/zonefile/reading/lexer'
import { completeNames, dotNames, TEXT_TYPES } from '#dns/zonefile/name_fields'
import { withoutTabs, wordsOf } from '#dns/zonefile/reading/scan'

const STRING_LIMIT = 255
const SOA_TIMERS = [3, 4, 5, 6]
/** Maximum of a 32-bit interval (RFC 1035, 3.3.13). */
const MAX_SECONDS = 4_294_967_295

/** A content in the form that the registry accepts, not yet canonical. */
export interface Rdata {
  content: string
  priority: number
}

/**
 * Returns the content after the type: complete names, the priority separate if the type has one, text in quoted strings, SOA
 * timers in seconds.
 *
 * @param joined whether the strings of a text are the pieces of one string, see LONG_STRING
 * @throws FileFault
 */
export function readRdata(type: string, tokens: Token[], origin: string, joined: boolean): Rdata {
  checkContentLength(tokens)
  const words = tokens.map(({ text }) => withoutTabs(text))
  const text = TEXT_TYPES.has(type)
  if (words.length === 0 || isGeneric(words, text)) {
    return { content: words.join(' '), priority: 0 }
  }
  if (text) {
    return { content: atPosition(tokens[0], () => textContent(words, joined)), priority: 0 }
  }
  completeNames(type, words, origin)
  if (type === 'SOA') {
    for (const position of SOA_TIMERS.filter((timer) => timer < words.length)) {
      words[position] = String(
        atPosition(tokens[position], () => duration(words[position], 'content', MAX_SECONDS))
      )
    }
  }
  const priority = recordType(type)?.priority ? readPriority(type, tokens[0]) : 0
  if (recordType(type)?.priority) words.shift()
  return { content: words.join(' '), priority }
}

/**
 * Prints a content in the format of zone files: priority in front, names with final dot. Splits a string of more than 255
 * bytes; then `pieces` is true.
 *
 * @param isStored whether to use the stored form of PowerDNS where it differs (IPSECKEY)
 * @throws FileFault for a content that no zone file can contain
 */
export function printRdata(
  type: string,
  content: string,
  priority: number,
  { isStored = false } = {}
): { text: string; pieces: boolean } {
  if (TEXT_TYPES.has(type)) {
    const strings = content.length > STRING_LIMIT ? parseStrings(content) : []
    if (strings.length !== 1 || strings[0].length <= STRING_LIMIT) {
      return { text: content, pieces: false }
    }
    return { text: printStrings(piecesOf(strings[0])), pieces: true }
  }
  const known = recordType(type)
  const form = isStored ? undefined : known?.zoneFile?.(content)
  const words = wordsOf(form ?? content)
  if (known?.priority) words.unshift(String(priority))
  dotNames(type, words)
  return { text: words.join(' '), pieces: false }
}

/**
 * Returns whether the words are generic data (RFC 3597, 5), which include the priority: the first word is `\#`. In text it is
 * a plain string, unless a number follows.
 */
function isGeneric(words: string[], text: boolean): boolean {
  return words[0] === '\\#' && (!text || /^\d+$/.test(words[1] ?? ''))
}

/**
 * Refuses words that are too long for a content, before each character is parsed.
 *
 * @throws FileFault
 */
export function checkContentLength(tokens: readonly Token[]): void {
  const length = tokens.reduce((sum, { text }) => sum + text.length, 0)
  if (length <= MAX_CONTENT_CHARACTERS) return
  const [first] = tokens
  const allowed = `at most ${MAX_CONTENT_CHARACTERS} characters`
  throw fault(first, 'content', first.text, `has ${length} characters`, allowed)
}

/** Returns text as quoted strings; quoted words stay unchanged. */
function textContent(words: string[], joined: boolean): string {
  const content = words.join(' ')
  if (!joined && words.every((word) => word.startsWith('"'))) return content
  const strings = textTokens(content, MAX_RDATA_OCTETS).map(({ bytes }) => bytes)
  return printStrings(joined && arePieces(strings) ? [joinBytes(strings)] : strings)
}

/** Returns whether strings can be the pieces of one: all have 255 bytes, except the last, which is not empty. */
function arePieces(strings: Uint8Array[]): boolean {
  const fullStrings = strings.slice(0, -1)
  const last = strings[fullStrings.length]
  return (
    fullStrings.length > 0 &&
    last.length > 0 &&
    fullStrings.every((it) => it.length === STRING_LIMIT)
  )
}

function readPriority(type: string, token: Token): number {
  const { text } = token
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  const allowed = `0 to 65535, before the ${type} content`
  throw fault(token, 'priority', text, 'is not a priority', allowed)
}

function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / STRING_LIMIT)
  return Array.from({ length: count }, (_, position) =>
    bytes.subarray(position * STRING_LIMIT, (position + 1) * STRING_LIMIT)
  )
}

function joinBytes(strings: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(strings))
}
