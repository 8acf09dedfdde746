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
/** Of 32 bits (RFC 1035, 3.3.13). */
const MAX_SECONDS = 4_294_967_295

/** A content as the registry takes it, not canonical yet. */
export interface Rdata {
  content: string
  priority: number
}

/**
 * What the words behind the type say: names completed, the priority apart where the type has one, the
 * strings of text in quotes, the times of an SOA in seconds.
 *
 * @param joined whether the strings of text are the pieces of one, see LONG_STRING
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
    for (const at of SOA_TIMERS.filter((timer) => timer < words.length)) {
      words[at] = String(atPosition(tokens[at], () => duration(words[at], 'content', MAX_SECONDS)))
    }
  }
  const priority = recordType(type)?.priority ? readPriority(type, tokens[0]) : 0
  if (recordType(type)?.priority) words.shift()
  return { content: words.join(' '), priority }
}

/**
 * The content as zone files have it: the priority in front, names with their final dot, in the form that
 * other name servers read too. A string that is
 * longer than DNS has strings is written in the pieces it is sent in; `pieces` says so.
 *
 * @param isStored whether the form that PowerDNS stores is wanted instead, where it differs (IPSECKEY)
 * @throws FileFault for a content that is none of zone files
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
 * Whether words are generic data (RFC 3597, 5), which say the priority too: their first word is `\#`. Text has
 * a string of one character there unless a number follows.
 */
function isGeneric(words: string[], text: boolean): boolean {
  return words[0] === '\\#' && (!text || /^\d+$/.test(words[1] ?? ''))
}

/**
 * Refuses words that are too long for a content, before work is done for each of their characters.
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

/** Words of text as strings in quotes; those that are in quotes stay as they are. */
function textContent(words: string[], joined: boolean): string {
  const content = words.join(' ')
  if (!joined && words.every((word) => word.startsWith('"'))) return content
  const strings = textTokens(content, MAX_RDATA_OCTETS).map(({ bytes }) => bytes)
  return printStrings(joined && arePieces(strings) ? [joinBytes(strings)] : strings)
}

/** Whether strings can be the pieces of one: all full but the last, and that not empty. */
function arePieces(strings: Uint8Array[]): boolean {
  const full = strings.slice(0, -1)
  const last = strings[full.length]
  return full.length > 0 && last.length > 0 && full.every((it) => it.length === STRING_LIMIT)
}

function readPriority(type: string, token: Token): number {
  const { text } = token
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  const allowed = `0 to 65535, in front of the ${type} content`
  throw fault(token, 'priority', text, 'is not a priority', allowed)
}

function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / STRING_LIMIT)
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * STRING_LIMIT, (at + 1) * STRING_LIMIT)
  )
}

function joinBytes(strings: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(strings))
}
