import type { Row } from '#tests/support/access/matrix_row'

/** Clones of zones. Cloning requires read access to the source. The caller owns the clone. */
export const CLONE_ROWS: Row[] = [
  {
    route: 'POST /api/v2/zones/:id/clone',
    path: ({ zoneId }) => `/zones/${zoneId}/clone?dry_run=true`,
    body: ({ zoneName }) => ({ name: `clone-of-${zoneName}` }),
    operations: ['view', 'create'],
    who: ['group owner', 'zone manager', 'administrator'],
    hiddenFrom: ['nobody', 'stranger', 'user administrator'],
    zones: 'scoped',
    isUnrestrictedOnly: true,
    allowed: 200,
  },
]
