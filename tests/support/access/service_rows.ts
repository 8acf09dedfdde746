import type { Role } from '#tests/support/access/cast'
import type { Row } from '#tests/support/access/table'

const ADMINISTRATORS: Role[] = ['administrator']

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
]
