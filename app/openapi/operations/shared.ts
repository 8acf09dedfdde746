import type { Parameter } from '#openapi/operation'

/** Permissions for changes of a zone itself: owners, properties and metadata. */
export const MANAGES = '`zone_meta_edit_own` for own zones, `zone_meta_edit_others` for all'

/** Of reads that answer 304 to who has the object already. */
export const CACHED: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An entity tag: 304 without a body while the object still has it.',
  schema: { type: 'string' },
}

/** Of lists that are sorted in memory, and in files where they are long. */
export const MANY_SORTED = { 429: 'As many long whole lists are being sorted as may be.' }
