import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const MANAGERS: Role[] = ['group owner', 'zone manager', 'administrator']
const READERS: Role[] = ['viewer', 'client editor', ...MANAGERS]

/** An entity tag that no object has. A write with it fails with 412 after all permission checks. */
const STALE = { 'if-match': '"nobody-has-this-tag"' }

const onZone = (row: Pick<Row, 'route' | 'path' | 'who' | 'allowed'> & Partial<Row>): Row => ({
  hiddenFrom: ['nobody', 'stranger', 'user administrator'],
  zones: 'scoped',
  ...row,
})

/** Metadata of zones: a custom kind, and a kind for administrators. */
export const METADATA_ROWS: Row[] = [
  onZone({
    route: 'GET /api/v2/zones/:id/metadata',
    path: (p) => `/zones/${p.zoneId}/metadata`,
    who: READERS,
    allowed: 200,
  }),
  onZone({
    // The zone has no metadata of this kind.
    route: 'GET /api/v2/zones/:id/metadata/:kind',
    path: (p) => `/zones/${p.zoneId}/metadata/X-MATRIX`,
    who: READERS,
    allowed: 404,
  }),
  onZone({
    route: 'PUT /api/v2/zones/:id/metadata/:kind',
    path: (p) => `/zones/${p.zoneId}/metadata/X-MATRIX`,
    body: () => ({ values: ['1'] }),
    headers: STALE,
    who: MANAGERS,
    allowed: 412,
  }),
  onZone({
    route: 'PUT /api/v2/zones/:id/metadata/:kind',
    about: 'for administrators',
    path: (p) => `/zones/${p.zoneId}/metadata/ENABLE-LUA-RECORDS`,
    body: () => ({ values: ['1'] }),
    headers: STALE,
    refusedTo: ['some operations', 'some zones'],
    who: ['administrator'],
    allowed: 412,
  }),
  ...['ALLOW-DNSUPDATE-FROM', 'ALLOW-AXFR-FROM'].map((kind) =>
    onZone({
      route: 'PUT /api/v2/zones/:id/metadata/:kind',
      about: kind,
      path: (p) => `/zones/${p.zoneId}/metadata/${kind}`,
      body: () => ({ values: ['192.0.2.0/24'] }),
      headers: STALE,
      refusedTo: ['some operations'],
      who: MANAGERS,
      allowed: 412,
    })
  ),
  onZone({
    route: 'DELETE /api/v2/zones/:id/metadata/:kind',
    path: (p) => `/zones/${p.zoneId}/metadata/X-MATRIX`,
    headers: STALE,
    who: MANAGERS,
    allowed: 412,
  }),
]
