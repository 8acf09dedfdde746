import type { Parameter } from '#openapi/operation'

/** Permissions for changes of a zone itself: owners, properties and metadata. */
export const MANAGE_RIGHTS =
  '`zone_meta_edit_own` for own zones, `zone_meta_edit_others` for all zones'

/** Header parameter of reads that answer 304 for a current entity tag. */
export const CACHED: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tag. The answer is 304 without a body if the object still has this tag.',
  schema: { type: 'string' },
}

/** Error of lists that are sorted in memory, or in files if they are long. */
export const SORT_LIMIT_ERROR = {
  429: 'The server is already sorting the maximum number of long lists.',
}
