import type { Parameter } from '#openapi/operation'

/** Permissions for changes of a zone itself: owners, properties and metadata. */
export const MANAGES = '`zone_meta_edit_own` for own zones, `zone_meta_edit_others` for all zones'

/** Of reads that answer 304 to who has the object already. */
export const CACHED: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tag. The answer is 304 without a body if the object still has this tag.',
  schema: { type: 'string' },
}

/** Of lists that are sorted in memory, and in files where they are long. */
export const MANY_SORTED = {
  429: 'The server is already sorting the maximum number of long lists.',
}
