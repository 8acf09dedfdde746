import type { Counterparts } from '#tests/support/web/counterparts/counterpart'
import type { Props } from '#tests/support/access/matrix_row'

const template = (p: Props, rest = '') => `/zone-templates/${p.templateId}${rest}`
const record = (p: Props, rest = '') => template(p, `/records/${p.templateRecordId}${rest}`)
/** A version tag that no template and no record has. */
const STALE = { tag: 'nobody-has-this-tag' }

/** Zone templates. */
export const ZONE_TEMPLATE_COUNTERPARTS: Counterparts = {
  'GET /api/v2/zone-templates': { path: () => '/zone-templates', allowed: 200 },
  'POST /api/v2/zone-templates': {
    path: () => '/zone-templates/new',
    form: () => ({ name: '' }),
    allowed: 422,
  },
  'POST /api/v2/zone-templates (for everybody)': {
    path: () => '/zone-templates/new',
    form: () => ({ name: '', is_global: '1' }),
    allowed: 422,
  },
  'GET /api/v2/zone-templates/:id': { path: (p) => template(p, '/settings'), allowed: 200 },
  'PUT /api/v2/zone-templates/:id': {
    path: (p) => template(p, '/settings'),
    form: () => ({ name: 'matrix', ...STALE }),
    allowed: 412,
  },
  'DELETE /api/v2/zone-templates/:id': {
    path: (p) => template(p, '/delete'),
    form: () => ({}),
    allowed: 422,
  },
  'GET /api/v2/zone-templates/:id/records': { path: (p) => template(p), allowed: 200 },
  // The list shows every member of each record.
  'GET /api/v2/zone-templates/:id/records/:templateRecordId': {
    path: (p) => template(p),
    allowed: 200,
  },
  'POST /api/v2/zone-templates/:id/records': {
    path: (p) => template(p, '/records/new'),
    form: () => ({ name: 'mail.[ZONE]', type: 'A', content: 'no address' }),
    allowed: 422,
  },
  'PUT /api/v2/zone-templates/:id/records/:templateRecordId': {
    path: (p) => record(p),
    form: () => ({ name: 'www.[ZONE]', type: 'A', content: '192.0.2.8', ...STALE }),
    allowed: 412,
  },
  'DELETE /api/v2/zone-templates/:id/records/:templateRecordId': {
    path: (p) => record(p, '/delete'),
    form: () => STALE,
    allowed: 412,
  },
  'GET /api/v2/zone-templates/:id/drift': { path: (p) => template(p, '/zones'), allowed: 200 },
  'POST /api/v2/zone-templates/:id/sync': {
    path: (p) => template(p, '/sync'),
    form: (p) => ({ 'ids[]': String(p.zoneId) }),
    allowed: 409,
  },
  'POST /api/v2/zone-templates/:id/unlink': {
    path: (p) => template(p, '/unlink'),
    form: (p) => ({ 'ids[]': String(p.zoneId) }),
    allowed: 409,
  },
  'POST /api/v2/zones/:id/save-template': {
    path: (p) => `/zones/${p.zoneId}/save-template`,
    form: () => ({ name: '' }),
    allowed: 422,
  },
}
