import { searchField } from '#dns/search/fields'

/** An unparsed condition. */
export interface QueryPart {
  /** null for words without a field. */
  field: string | null
  /** `:`, or a comparison of numbers; empty without a field. */
  operator: string
  value: string
  isQuoted: boolean
  negated: boolean
}

const QUOTED = /^"(?:[^"\\]|\\[^])*"/
const FIELD_START = /^([a-z_]+)(<=|>=|[:<>=])/i

/**
 * Splits a query at spaces outside of quotes; within quotes `\"` is a quote and `\\` a backslash.
 * `field:value` has a field; other texts with a colon (addresses, `https://`) are words.
 *
 * @throws SearchQueryError for an unclosed quote, and for a "-" without a condition
 */
export function splitQuery(text: string): QueryPart[] {
  const parts: QueryPart[] = []
  let remaining = text.trim()
  while (remaining !== '') {
    const negated = remaining.startsWith('-')
    if (negated) {
      remaining = remaining.slice(1)
      if (remaining === '' || /^\s/.test(remaining)) {
        throw new SearchQueryError(
          "a condition is missing after '-'; to search for '-', put it in quotes"
        )
      }
    }
    const [head, field, operator] = fieldOf(remaining)
    const { value, length, isQuoted } = valueOf(remaining.slice(head.length))
    if (field === null && value === '') {
      throw new SearchQueryError('the text between the quotes is empty')
    }
    parts.push({ field, operator, value, isQuoted, negated })
    remaining = remaining.slice(head.length + length).trimStart()
  }
  return parts
}

function fieldOf(text: string): [head: string, field: string | null, operator: string] {
  const [head, name = '', operator = ''] = FIELD_START.exec(text) ?? []
  const field = name.toLowerCase()
  if (head === undefined) {
    return ['', null, '']
  }
  const isKnown = searchField(field) !== undefined
  if (operator !== ':') {
    return isKnown ? [head, field, operator] : ['', null, '']
  }
  // An IPv6 address may begin with letters, as a URL does.
  const isAddress = /^[a-f]{1,4}$/.test(field)
  const isUrl = text.slice(head.length).startsWith('//')
  return !isKnown && (isAddress || isUrl) ? ['', null, ''] : [head, field, operator]
}

function valueOf(text: string): { value: string; length: number; isQuoted: boolean } {
  if (!text.startsWith('"')) {
    const [value] = /^\S*/.exec(text) ?? ['']
    return { value, length: value.length, isQuoted: false }
  }
  const [quoted] = QUOTED.exec(text) ?? []
  if (quoted === undefined) {
    throw new SearchQueryError(`the quote at ${JSON.stringify(text.slice(0, 50))} is not closed`)
  }
  const value = quoted.slice(1, -1).replace(/\\(["\\])/g, '$1')
  return { value, length: quoted.length, isQuoted: true }
}

/** An invalid search query; the message says what is wrong and what is allowed. */
export class SearchQueryError extends Error {}
