import { fault, atPosition } from '#dns/zonefile/reading/faults'
import { duration } from '#dns/zonefile/reading/durations'
import type { Entry, Token } from '#dns/zonefile/reading/lexer'

const CLASSES = new Set(['IN', 'CH', 'HS', 'CS'])
const IN = new Set(['IN', 'CLASS1'])

/** The words of a record by meaning. */
export interface Header {
  /** Absent: the owner of the record before. */
  owner?: Token
  ttl?: number
  type: Token
  rdata: Token[]
}

/**
 * Splits the words of a record (RFC 1035, 5.1): owner, TTL and class in either order, type, content.
 *
 * @throws FileFault on 'ttl', 'class' or 'type'
 */
export function readHeader(entry: Entry): Header {
  const { tokens } = entry
  let position = entry.indented ? 0 : 1
  let ttl: number | undefined
  let classed = false
  for (; position < tokens.length; position++) {
    const token = tokens[position]
    const word = token.text.toUpperCase()
    if (CLASSES.has(word) || /^CLASS\d+$/.test(word)) {
      checkClass(token, word, classed)
      classed = true
    } else if (word >= '0' && word < ':') {
      if (ttl !== undefined) throw fault(token, 'ttl', token.text, 'is a second TTL', 'one TTL')
      ttl = atPosition(token, () => duration(token.text, 'ttl'))
    } else if (!isAge(word)) {
      break
    }
  }
  if (position >= tokens.length) {
    const last = tokens.at(-1) ?? { text: '', line: entry.line, column: 1 }
    const allowed = 'owner, TTL, class, type and content (RFC 1035, 5.1)'
    throw fault(last, 'type', last.text, 'is not followed by a record type', allowed)
  }
  const owner = entry.indented ? undefined : tokens[0]
  return { owner, ttl, type: tokens[position], rdata: tokens.slice(position + 1) }
}

function checkClass(token: Token, word: string, classed: boolean): void {
  if (classed) throw fault(token, 'class', token.text, 'is a second class', 'one class')
  if (!IN.has(word)) throw fault(token, 'class', token.text, 'is not served', 'IN')
}

/** Windows DNS writes the refresh time of a record, `[AGE:3600123]`, in front of its TTL. */
function isAge(word: string): boolean {
  return word.startsWith('[AGE:') && word.endsWith(']')
}
