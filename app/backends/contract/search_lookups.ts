import { isPrintableAscii } from '#dns/names/labels'
import { literalsOf } from '#dns/search/patterns'
import { isText, type Term, type TextField, type TextTerm, type TypeTerm } from '#dns/search/terms'
import { lookupTrigrams, wordGram } from '#database/trigram_index/trigrams'

/** Those of some spellings that names in storage can have: they are ASCII, and no other is compared with them. */
export function onlyAscii(texts: readonly string[]): string[] {
  return texts.filter(isPrintableAscii)
}

/** Whole names that a search can mean. They are looked up first, whatever the bounds. */
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
