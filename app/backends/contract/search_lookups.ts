import { isPrintableAscii } from '#dns/names/labels'
import { literalsOf } from '#dns/search/patterns'
import { isText, type Term, type TextField, type TextTerm, type TypeTerm } from '#dns/search/terms'
import { lookupTrigrams, wordGram } from '#database/trigram_index/trigrams'

/** Only the ASCII spellings: stored names are ASCII. */
export function onlyAscii(texts: readonly string[]): string[] {
  return texts.filter(isPrintableAscii)
}

/** Complete names that a search may name. They are looked up first, regardless of the bounds. */
export function exactNames(terms: readonly Term[]): string[] {
  const term = terms.find(
    (it): it is TextTerm =>
      isText(it) && !it.negated && !it.isPattern && ['word', 'name'].includes(it.field)
  )
  return onlyAscii(term?.texts ?? [])
}

/** Maximum number of separate lookups of spellings and types; further ones are checked on the rows. */
const MAX_LOOKUPS = 8

/**
 * Lists of trigrams and words for a lookup of rows that match the terms; a row must have all of one list. Excludes rows by
 * terms that every hit matches; conditions on the rows check the rest.
 *
 * @param fields fields whose texts are indexed
 */
export function textLookups(terms: readonly Term[], fields: readonly TextField[]): number[][] {
  const texts = terms.filter(
    (term): term is TextTerm => isText(term) && !term.negated && fields.includes(term.field)
  )
  const spellingsByText = texts.map(literalsOf)
  const requiredTexts = spellingsByText
    .filter((spellings) => spellings.length === 1)
    .flatMap(([spelling]) => spelling)
  const [spellings = [[]]] = spellingsByText.filter((it) => it.length > 1)
  const types = terms.find((term): term is TypeTerm => term.field === 'type' && !term.negated)
  const words = types ? types.types.map((type) => [wordGram(type)]) : [[]]
  const lookups = spellings.flatMap((spelling) =>
    words.map((word) => [...word, ...lookupTrigrams([...requiredTexts, ...spelling])])
  )
  return lookups.length > MAX_LOOKUPS ? [] : lookups
}
