import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const EDITORS: Role[] = ['client editor', 'editor', 'group owner', 'zone manager', 'administrator']

/** Rows of the access matrix about dynamic DNS. */
export const DYNDNS_ROWS: Row[] = [
  {
    route: 'POST /api/v2/dynamic-dns',
    path: () => '/dynamic-dns',
    body: (p) => ({ hostname: `matrix.${p.zoneName}`, ipv4: '192.0.2.77', dry_run: true }),
    who: EDITORS,
    hiddenFrom: ['stranger'],
    operations: ['create', 'update', 'view'],
    zones: 'owned',
    patterns: 'matching',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/dynamic-dns/clients',
    path: () => '/dynamic-dns/clients?per_page=1',
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/dynamic-dns/tokens',
    path: () => '/dynamic-dns/tokens?per_page=1',
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/dynamic-dns/tokens',
    path: () => '/dynamic-dns/tokens?dry_run=true',
    body: (p) => ({ hostname: `matrix.${p.zoneName}` }),
    who: EDITORS,
    hiddenFrom: ['nobody', 'stranger', 'user administrator'],
    operations: ['create', 'update', 'delete'],
    zones: 'found',
    patterns: 'refused',
    allowed: 200,
  },
  {
    // No token has this id.
    route: 'DELETE /api/v2/dynamic-dns/tokens/:id',
    path: () => '/dynamic-dns/tokens/2147483647',
    zones: 'ignored',
    patterns: 'any',
    allowed: 404,
  },
  {
    route: 'GET /api/v2/dynamic-dns/recipes',
    path: (p) => `/dynamic-dns/recipes?hostname=matrix.${p.zoneName}`,
    who: ['stranger', ...EDITORS],
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
]
