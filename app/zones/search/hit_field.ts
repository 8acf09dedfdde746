import { isText, type Term } from '#dns/search/terms'
import type { SearchHit } from '#zones/search/hit'

/** Field in which the text was found: zone name, owner name, content, or comment. */
export const HIT_FIELDS = ['zone', 'name', 'content', 'comment'] as const

export type HitField = (typeof HIT_FIELDS)[number]

/** Returns the field of a hit. A match in owner name and content counts as owner name. */
export function hitFieldOf(hit: SearchHit, terms: readonly Term[]): HitField {
  if (hit.kind !== 'record') {
    return hit.kind
  }
  const textTerms = terms
    .filter(isText)
    .filter(({ field, negated }) => !negated && field !== 'zone')
  const isOfName = textTerms.every(
    ({ field, texts, isPattern }) =>
      field === 'name' ||
      (field === 'word' && !isPattern && texts.some((text) => hit.name.includes(text)))
  )
  return textTerms.length > 0 && isOfName ? 'name' : 'content'
}

/** Counts hits per field. */
export function countByField(fields: readonly HitField[]): Record<HitField, number> {
  const counts = { zone: 0, name: 0, content: 0, comment: 0 }
  fields.forEach((field) => counts[field]++)
  return counts
}
