import { ROLES, type Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const MANAGE_KEYS: Role[] = ['stranger', 'user administrator', 'zone manager', 'administrator']
const ADMINISTRATORS: Role[] = ['administrator']
const OTHERS: Role[] = ROLES.filter((role) => role !== 'administrator')

/** Builds a request about the unrestricted key of the administrator. */
const onKey = (row: Pick<Row, 'route' | 'path' | 'operations'> & Partial<Row>): Row => ({
  who: ADMINISTRATORS,
  hiddenFrom: OTHERS,
  zones: 'ignored',
  isUnrestrictedOnly: true,
  patterns: 'hidden',
  allowed: 200,
  ...row,
})

/** Rows of the access matrix about API keys and `explain`. */
export const KEY_ROWS: Row[] = [
  {
    route: 'GET /api/v2/api-keys',
    path: () => '/api-keys?per_page=1',
    who: MANAGE_KEYS,
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/api-keys',
    path: () => '/api-keys?dry_run=true',
    body: () => ({ name: 'matrix' }),
    who: MANAGE_KEYS,
    zones: 'ignored',
    isUnrestrictedOnly: true,
    allowed: 200,
  },
  onKey({
    route: 'GET /api/v2/api-keys/:id',
    path: (p) => `/api-keys/${p.keyId}`,
    isUnrestrictedOnly: false,
  }),
  onKey({
    route: 'PUT /api/v2/api-keys/:id',
    path: (p) => `/api-keys/${p.keyId}?dry_run=true`,
    body: () => ({ name: 'matrix' }),
  }),
  onKey({
    route: 'DELETE /api/v2/api-keys/:id',
    path: (p) => `/api-keys/${p.keyId}?dry_run=true`,
  }),
  ...(['regenerate', 'enable', 'disable'] as const).map((verb) =>
    onKey({
      route: `POST /api/v2/api-keys/:id/${verb}`,
      path: (p) => `/api-keys/${p.keyId}/${verb}?dry_run=true`,
      operations: verb === 'regenerate' ? ['create', 'update'] : ['update'],
    })
  ),
  {
    route: 'GET /api/v2/explain',
    path: (p) => `/explain?action=zone.delete&zone_id=${p.zoneId}`,
    hiddenFrom: ['nobody', 'stranger', 'user administrator'],
    zones: 'scoped',
    allowed: 200,
  },
]
