import type { I18n } from '@adonisjs/i18n'
import { recordTypes } from '#dns/records/registry'
import { SEARCH_FIELDS, BOOLEAN_WORDS, type SearchField } from '#dns/search/fields'

/** A field of searches, as the script of suggestions offers it. */
export interface SuggestedField {
  /** Beginnings of a condition: the field with each of its operators. */
  heads: string[]
  /** Name of the field in the language of the page. */
  label: string
  /** Allowed words, if there are few. */
  values: string[]
  /** The value may be a comma-separated list. */
  isList: boolean
}

/** Returns the search fields for suggestions (`data-grammar`) as JSON. Part of the page, so that it needs no request. */
export function searchGrammar(i18n: I18n): string {
  const fields: SuggestedField[] = SEARCH_FIELDS.map((field) => ({
    heads: headsOf(field),
    label: i18n.t(`search.about_${field.name}`),
    values: valuesOf(field),
    isList: field.valueKind === 'types',
  }))
  return JSON.stringify(fields)
}

/** `ttl:` is the same as `ttl=`. */
function headsOf({ name, operators }: SearchField): string[] {
  const usableOperators = operators.filter((operator) => operator !== ':' || operators.length === 1)
  return usableOperators.map((operator) => `${name}${operator}`)
}

function valuesOf({ valueKind }: SearchField): string[] {
  if (valueKind === 'types') return recordTypes().map(({ type }) => type)
  return valueKind === 'truth' ? [...BOOLEAN_WORDS] : []
}
