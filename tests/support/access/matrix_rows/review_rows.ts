import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const EDITORS: Role[] = ['client editor', 'editor', 'group owner', 'zone manager', 'administrator']
/** No caller of the matrix created the change request. Only the administrator may review it. */
const REVIEWERS: Role[] = ['administrator']

const onZone = (row: Omit<Row, 'zones' | 'hiddenFrom'> & Partial<Row>): Row => ({
  hiddenFrom: ['nobody', 'stranger', 'user administrator'],
  zones: 'scoped',
  ...row,
})

/** Change requests. Review is enabled while the matrix runs. */
export const REVIEW_ROWS: Row[] = [
  {
    route: 'GET /api/v2/change-requests',
    path: () => '/change-requests',
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  onZone({
    route: 'POST /api/v2/zones/:id/change-requests',
    path: (p) => `/zones/${p.zoneId}/change-requests?dry_run=true`,
    body: () => ({
      actions: [{ op: 'add', record: { name: 'matrix', type: 'A', content: '192.0.2.99' } }],
    }),
    operations: ['create', 'view'],
    patterns: 'matching',
    who: EDITORS,
    allowed: 200,
  }),
  onZone({
    route: 'POST /api/v2/zones/:id/change-requests',
    about: 'deletion',
    path: (p) => `/zones/${p.zoneId}/change-requests?dry_run=true`,
    body: () => ({ actions: [{ op: 'zone_delete' }] }),
    operations: ['create', 'view'],
    who: ['group owner', 'zone manager', 'administrator'],
    allowed: 200,
  }),
  onZone({
    route: 'GET /api/v2/change-requests/:id',
    path: (p) => `/change-requests/${p.requestId}`,
    who: REVIEWERS,
    allowed: 200,
  }),
  onZone({
    route: 'POST /api/v2/change-requests/:id/approve',
    path: (p) => `/change-requests/${p.requestId}/approve?dry_run=true`,
    operations: ['update', 'view'],
    also: ['create'],
    patterns: 'matching',
    who: REVIEWERS,
    allowed: 200,
  }),
  onZone({
    route: 'POST /api/v2/change-requests/:id/reject',
    path: (p) => `/change-requests/${p.requestId}/reject`,
    body: () => ({ comment: 5 }),
    operations: ['update'],
    patterns: 'any',
    who: REVIEWERS,
    allowed: 400,
  }),
  onZone({
    route: 'POST /api/v2/change-requests/:id/rebase',
    path: (p) => `/change-requests/${p.requestId}/rebase`,
    operations: ['update'],
    patterns: 'any',
    who: REVIEWERS,
    allowed: 200,
  }),
  onZone({
    route: 'POST /api/v2/change-requests/:id/comments',
    path: (p) => `/change-requests/${p.requestId}/comments`,
    body: () => ({ text: '' }),
    patterns: 'any',
    who: REVIEWERS,
    allowed: 400,
  }),
  onZone({
    route: 'DELETE /api/v2/change-requests/:id',
    path: (p) => `/change-requests/${p.requestId}`,
    who: [],
    allowed: 403,
  }),
]
