import type { Props } from '#tests/support/access/matrix_row'
import type { Counterparts, WebRequest } from '#tests/support/web/counterparts/counterpart'

/** A version tag that no object has. A form with it fails with 412 after all permission checks. */
const STALE = 'nobody-has-this-tag'

/** Builds a dry run of record changes as the editor sends them. */
function planOf(change: (props: Props) => object, allowed: number): WebRequest {
  return {
    path: (p) => `/zones/${p.zoneId}/plan`,
    form: (p) => ({ changes: JSON.stringify([change(p)]) }),
    allowed,
  }
}

const ADDED = { action: 'create', name: 'matrix', type: 'A', content: '192.0.2.99', ttl: 300 }
const addition = planOf(() => ADDED, 200)
const change = planOf(
  (p) => ({ action: 'update', id: String(p.recordId), tag: STALE, content: '192.0.2.98' }),
  412
)
const removal = planOf((p) => ({ action: 'delete', id: String(p.recordId), tag: STALE }), 412)
const zonePage: WebRequest = { path: (p) => `/zones/${p.zoneId}`, allowed: 200 }

/** Zones, their records, history and files. */
export const ZONE_COUNTERPARTS: Counterparts = {
  'GET /api/v2/zones': { path: () => '/zones', allowed: 200 },
  'POST /api/v2/zones': {
    path: () => '/zones/new',
    form: (p) => ({ names: p.zoneName, kind: 'MASTER' }),
    allowed: 422,
  },
  'POST /api/v2/zones/:id/clone': {
    path: (p) => `/zones/${p.zoneId}/clone`,
    form: (p) => ({ name: p.zoneName }),
    allowed: 409,
  },
  'GET /api/v2/zones/:id': zonePage,
  'PUT /api/v2/zones/:id (description)': {
    path: (p) => `/zones/${p.zoneId}/settings`,
    form: () => ({ description: 'matrix', tag: STALE }),
    allowed: 412,
  },
  'PUT /api/v2/zones/:id (name)': {
    path: (p) => `/zones/${p.zoneId}/settings`,
    form: (p) => ({ name: `renamed-${p.zoneName}`, tag: STALE }),
    allowed: 412,
  },
  'DELETE /api/v2/zones/:id': {
    path: (p) => `/zones/${p.zoneId}/delete`,
    form: () => ({ tag: STALE }),
    allowed: 412,
  },

  'GET /api/v2/zones/:id/records': zonePage,
  'GET /api/v2/zones/:id/records/:recordId': zonePage,
  'GET /api/v2/zones/:id/rrsets': zonePage,
  'GET /api/v2/zones/:id/rrsets/:name/:type': {
    path: (p) => `/zones/${p.zoneId}?name=www&type=A`,
    allowed: 200,
  },
  'POST /api/v2/zones/:id/records': addition,
  'POST /api/v2/zones/:id/records (NS below the apex)': planOf(
    () => ({ ...ADDED, type: 'NS', content: 'ns1.elsewhere.test' }),
    200
  ),
  'PUT /api/v2/zones/:id/records/:recordId': change,
  'DELETE /api/v2/zones/:id/records/:recordId': removal,
  'POST /api/v2/zones/:id/records/bulk': addition,
  'PUT /api/v2/zones/:id/rrsets': change,
  'POST /api/v2/zones/:id/rrsets': addition,
  'PATCH /api/v2/zones/:id/rrsets': change,
  'DELETE /api/v2/zones/:id/rrsets/:name/:type': removal,
  'POST /api/v2/changes': addition,

  'GET /api/v2/zones/:id/history': { path: (p) => `/zones/${p.zoneId}/history`, allowed: 200 },
  'GET /api/v2/zones/:id/history/:entry': {
    path: (p) => `/zones/${p.zoneId}/history/1`,
    allowed: 200,
  },
  'GET /api/v2/zones/:id/at': { path: (p) => `/zones/${p.zoneId}/at?point=1`, allowed: 200 },
  'GET /api/v2/zones/:id/diff': { path: (p) => `/zones/${p.zoneId}/diff?from=1`, allowed: 200 },
  'POST /api/v2/zones/:id/history/:entry/undo': {
    path: (p) => `/zones/${p.zoneId}/history/2/undo`,
    allowed: 200,
  },
  'POST /api/v2/zones/:id/restore': {
    path: (p) => `/zones/${p.zoneId}/restore?point=1&name=www&type=A`,
    allowed: 200,
  },

  'GET /api/v2/zones/:id/export': { path: (p) => `/zones/${p.zoneId}/export`, allowed: 200 },
  'POST /api/v2/zones/:id/import': {
    path: (p) => `/zones/${p.zoneId}/import/plan`,
    form: () => ({ text: 'matrix 300 IN A 192.0.2.99\n', mode: 'merge' }),
    allowed: 200,
  },

  'GET /api/v2/trash': { path: () => '/trash', allowed: 200 },
  'POST /api/v2/trash/:id/restore': {
    path: (p) => `/trash/${p.trashId}/restore`,
    allowed: 200,
  },
  'DELETE /api/v2/trash/:id': {
    path: (p) => `/trash/${p.trashId}/discard`,
    form: () => ({ name: 'another zone' }),
    allowed: 422,
  },
}
