import { isPrintableAscii } from '#dns/names/labels'
import { literalsOf } from '#dns/search/patterns'
import { isText, type Term, type TextField, type TextTerm, type TypeTerm } from '#dns/search/terms'
import { lookupTrigrams, wordGram } from '#database/trigram_index/trigrams'

/** Those of some spellings that names in storage can have: they are ASCII, and no other is compared with them. */
export function asciiOf(texts: readonly string[]): string[] {
  return texts.filter(isPrintableAscii)
}

/** Whole names that a search may mean: hits among them are looked up first, whatever the bounds. */
export function exactNames(terms: readonly Term[]): string[] {
  const term = terms.find(
    (it): it is TextTerm =>
      isText(it) && !it.negated && !it.isPattern && ['word', 'name'].includes(it.field)
  )
  return asciiOf(term?.texts ?? [])
}

/** Spellings and types that are looked up each by itself; more of them are left to the rows. */
const MAX_LOOKUPS = 8

/**
 * By what rows are looked up in which these terms hold: lists of trigrams and words, one of which suffices.
 * Narrows by what holds in every hit, and leaves the rest to the conditions on the rows.
 *
 * @param fields those whose texts are in the index
 */
export function textLookups(terms: readonly Term[], fields: readonly TextField[]): number[][] {
  const texts = terms.filter(
    (term): term is TextTerm => isText(term) && !term.negated && fields.includes(term.field)
  )
  const spelled = texts.map(literalsOf)
  const certain = spelled.filter((ways) => ways.length === 1).flatMap(([way]) => way)
  const [ways = [[]]] = spelled.filter((it) => it.length > 1)
  const types = terms.find((term): term is TypeTerm => term.field === 'type' && !term.negated)
  const words = types ? types.types.map((type) => [wordGram(type)]) : [[]]
  const lookups = ways.flatMap((way) =>
    words.map((word) => [...word, ...lookupTrigrams([...certain, ...way])])
  )
  return lookups.length > MAX_LOOKUPS ? [] : lookups
}
