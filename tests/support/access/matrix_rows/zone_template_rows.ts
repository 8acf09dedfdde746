import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

/** Roles that may create zones or zone templates. */
const VIEWERS: Role[] = ['stranger', 'group owner', 'zone manager', 'administrator']
/** Roles that may create zone templates. A global template requires an administrator. */
const MAKERS: Role[] = VIEWERS
const ADMINISTRATORS: Role[] = ['administrator']

const ZONE_BLIND: Role[] = ['nobody', 'stranger', 'user administrator']
const MANAGERS: Role[] = ['group owner', 'zone manager', 'administrator']

/** Builds a request about the zone, which has no template link. Permitted callers get 409. */
function onZones(what: 'sync' | 'unlink'): Row {
  return {
    route: `POST /api/v2/zone-templates/:id/${what}`,
    path: (p) => `/zone-templates/${p.templateId}/${what}`,
    body: (p) => ({ zones: [p.zoneId] }),
    operations: ['update'],
    who: VIEWERS,
    isRoleFirst: true,
    hiddenFrom: ['stranger'],
    zones: 'scoped',
    allowed: 409,
  }
}

/** Zone templates. The template of the matrix is global. */
export const ZONE_TEMPLATE_ROWS: Row[] = [
  onZones('sync'),
  onZones('unlink'),
  {
    route: 'GET /api/v2/zone-templates/:id/drift',
    path: (p) => `/zone-templates/${p.templateId}/drift`,
    who: VIEWERS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/zones/:id/save-template',
    path: (p) => `/zones/${p.zoneId}/save-template?dry_run=true`,
    body: () => ({ name: 'matrix', description: '' }),
    operations: ['create', 'view'],
    who: MANAGERS,
    hiddenFrom: ZONE_BLIND,
    zones: 'scoped',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/zone-templates',
    path: () => '/zone-templates',
    who: VIEWERS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/zone-templates',
    path: () => '/zone-templates?dry_run=true',
    body: () => ({ name: 'matrix', description: '' }),
    who: MAKERS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/zone-templates',
    about: 'for everybody',
    path: () => '/zone-templates?dry_run=true',
    body: () => ({ name: 'matrix', description: '', is_global: true }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/zone-templates/:id',
    path: (p) => `/zone-templates/${p.templateId}`,
    who: VIEWERS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PUT /api/v2/zone-templates/:id',
    path: (p) => `/zone-templates/${p.templateId}?dry_run=true`,
    body: () => ({ description: 'matrix' }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'DELETE /api/v2/zone-templates/:id',
    path: (p) => `/zone-templates/${p.templateId}?dry_run=true`,
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/zone-templates/:id/records',
    path: (p) => `/zone-templates/${p.templateId}/records`,
    who: VIEWERS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/zone-templates/:id/records',
    path: (p) => `/zone-templates/${p.templateId}/records?dry_run=true`,
    body: () => ({ name: 'mail.[ZONE]', type: 'A', content: '192.0.2.9' }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/zone-templates/:id/records/:templateRecordId',
    path: (p) => `/zone-templates/${p.templateId}/records/${p.templateRecordId}`,
    who: VIEWERS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PUT /api/v2/zone-templates/:id/records/:templateRecordId',
    path: (p) => `/zone-templates/${p.templateId}/records/${p.templateRecordId}?dry_run=true`,
    body: () => ({ name: 'www.[ZONE]', type: 'A', content: '192.0.2.8' }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'DELETE /api/v2/zone-templates/:id/records/:templateRecordId',
    path: (p) => `/zone-templates/${p.templateId}/records/${p.templateRecordId}?dry_run=true`,
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
]
