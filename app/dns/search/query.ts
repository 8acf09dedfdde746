import { spellingsOf } from '#dns/names/idn'
import { SearchQueryError } from '#dns/search/split'
import { SEARCH_EXAMPLES, searchField, BOOLEAN_WORDS } from '#dns/search/fields'
import { splitQuery, type QueryPart } from '#dns/search/split'
import type { Comparison, Term, TextField, TextTerm } from '#dns/search/terms'

const MAX_TERMS = 20
const MAX_CHARACTERS = 1000
const LARGEST_TTL = 2_147_483_647

/**
 * Parses a query such as `type:MX name:mail* ttl<300 -content:192.0.2. "some words"`.
 *
 * @throws SearchQueryError that says what is wrong and what is allowed
 */
export function parseSearch(text: string): Term[] {
  if (text.length > MAX_CHARACTERS) {
    throw new SearchQueryError(
      `at most ${MAX_CHARACTERS} characters are allowed, found ${text.length}`
    )
  }
  const terms = splitQuery(text).map(termOf)
  if (terms.length === 0) {
    throw new SearchQueryError(
      `the query is empty; enter words, or fields such as ${SEARCH_EXAMPLES}`
    )
  }
  if (terms.length > MAX_TERMS) {
    throw new SearchQueryError(`at most ${MAX_TERMS} conditions are allowed, found ${terms.length}`)
  }
  if (terms.every(({ negated }) => negated)) {
    throw new SearchQueryError('at least one condition without "-" is needed')
  }
  return terms
}

function termOf(part: QueryPart): Term {
  const { field, operator, value, negated } = part
  if (field === null) {
    return textTerm('word', part)
  }
  if (value === '') {
    throw new SearchQueryError(`a value is missing after '${field}${operator}'`)
  }
  const searchedField = searchField(field)
  if (!searchedField) {
    throw new SearchQueryError(
      `${quoteText(field)} is not a field; allowed: ${SEARCH_EXAMPLES}; text with ':' needs quotes`
    )
  }
  if (!searchedField.operators.includes(operator)) {
    throw new SearchQueryError(`field '${field}' accepts only ':', found '${operator}'`)
  }
  switch (searchedField.name) {
    case 'type':
      return { field: searchedField.name, types: typesFrom(value), negated }
    case 'ttl':
      return {
        field: searchedField.name,
        comparison: (operator === ':' ? '=' : operator) as Comparison,
        seconds: ttlFrom(value),
        negated,
      }
    case 'disabled':
      return { field: searchedField.name, value: booleanFrom(value), negated }
    default:
      return textTerm(searchedField.name, part)
  }
}

function textTerm(field: TextField, { value, negated, isQuoted }: QueryPart): TextTerm {
  const text = value.toLowerCase()
  const isPattern = field !== 'word' && !isQuoted && /[*?]/.test(text)
  const isName = field !== 'comment'
  return { field, texts: isName ? spellings(text, field === 'zone') : [text], isPattern, negated }
}

/**
 * Returns a text, and its forms in names (punycode) and contents (decimal escapes of bytes, escaped
 * quotes and backslashes; RFC 1035, 5.1).
 */
function spellings(text: string, isWholeName: boolean): string[] {
  const withoutDot = isWholeName ? text.replace(/(.)\.$/, '$1') : text
  const escaped = Array.from(withoutDot, (character) => {
    if (character < '\x80') return /["\\]/.test(character) ? `\\${character}` : character
    return Array.from(new TextEncoder().encode(character), (byte) => `\\${byte}`).join('')
  }).join('')
  return [...new Set([...spellingsOf(withoutDot), escaped])]
}

function typesFrom(value: string): string[] {
  const types = value.split(',').map((type) => type.trim().toUpperCase())
  const invalidType = types.find((type) => !/^[A-Z][A-Z0-9-]{0,15}$/.test(type))
  if (invalidType !== undefined) {
    throw new SearchQueryError(
      `type must be a record type such as MX, found ${quoteText(invalidType)}`
    )
  }
  return types
}

function ttlFrom(value: string): number {
  if (!/^\d{1,10}$/.test(value) || Number(value) > LARGEST_TTL) {
    throw new SearchQueryError(
      `ttl must be a number of seconds from 0 to ${LARGEST_TTL}, found ${quoteText(value)}`
    )
  }
  return Number(value)
}

function booleanFrom(value: string): boolean {
  const word = value.toLowerCase()
  if (!BOOLEAN_WORDS.some((one) => one === word)) {
    throw new SearchQueryError(`disabled must be true or false, found ${quoteText(value)}`)
  }
  return word === 'true'
}

function quoteText(value: string): string {
  return JSON.stringify(value.slice(0, 100))
}
