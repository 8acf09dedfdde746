import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const ADMINISTRATORS: Role[] = ['administrator']

/** Builds a request about a missing webhook. Only administrators get 404. */
const onWebhook = (route: string, path: string, more: Partial<Row> = {}): Row => ({
  route,
  path: () => path,
  who: ADMINISTRATORS,
  zones: 'refused',
  allowed: 404,
  isRoleFirst: true,
  ...more,
})

/** Rows of the access matrix about the service itself. */
export const SERVICE_ROWS: Row[] = [
  {
    route: 'GET /api/v2/events',
    path: () => '/events?follow=false',
    zones: 'ignored',
    patterns: 'any',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/jobs',
    path: () => '/jobs',
    who: ADMINISTRATORS,
    zones: 'refused',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/jobs/:job/runs',
    path: () => '/jobs/audit:prune/runs',
    who: ADMINISTRATORS,
    zones: 'refused',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/jobs/:job/run',
    path: () => '/jobs/audit:prune/run?dry_run=true',
    who: ADMINISTRATORS,
    zones: 'refused',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/webhooks',
    path: () => '/webhooks',
    who: ADMINISTRATORS,
    zones: 'refused',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/webhooks',
    isUnrestrictedOnly: true,
    path: () => '/webhooks',
    body: () => ({ name: 'matrix', url: 'https://hooks.example.net/', dry_run: true }),
    who: ADMINISTRATORS,
    zones: 'refused',
    allowed: 200,
  },
  onWebhook('GET /api/v2/webhooks/:id', '/webhooks/999999'),
  onWebhook('PUT /api/v2/webhooks/:id', '/webhooks/999999', {
    body: () => ({}),
    isUnrestrictedOnly: true,
  }),
  onWebhook('DELETE /api/v2/webhooks/:id', '/webhooks/999999', { isUnrestrictedOnly: true }),
  onWebhook('GET /api/v2/webhooks/:id/deliveries', '/webhooks/999999/deliveries'),
  onWebhook('POST /api/v2/webhooks/:id/secret', '/webhooks/999999/secret', {
    operations: ['update'],
    isUnrestrictedOnly: true,
  }),
  onWebhook('POST /api/v2/webhooks/:id/test', '/webhooks/999999/test', {
    operations: ['update'],
    isUnrestrictedOnly: true,
  }),
  onWebhook(
    'POST /api/v2/webhooks/:id/deliveries/:delivery/replay',
    '/webhooks/999999/deliveries/1/replay',
    { operations: ['update'], isUnrestrictedOnly: true }
  ),
]
