import type { Counterparts } from '#tests/support/web/counterparts/counterpart'

/** Finding things, and hearing of them. */
export const LIVE_COUNTERPARTS: Counterparts = {
  'GET /api/v2/search': { path: () => '/search?q=matrix', allowed: 200 },
  'GET /api/v2/events': { path: () => '/live?follow=false', allowed: 200 },
}
