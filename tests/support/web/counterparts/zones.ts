import type { Counterparts } from '#tests/support/web/counterparts/counterpart'

/** Zones, their records, history and files. */
export const ZONE_COUNTERPARTS: Counterparts = {
  'GET /api/v2/zones': { path: () => '/zones', allowed: 200 },
  'GET /api/v2/zones/:id': { path: (p) => `/zones/${p.zoneId}`, allowed: 200 },
}
