import type { Counterparts } from '#tests/support/web/counterparts/counterpart'

const key = '/settings/api-keys'
/** A version tag that no key, template or record has. */
const STALE = () => ({ tag: 'nobody-has-this-tag' })

/** API keys, and dynamic DNS. */
export const KEY_COUNTERPARTS: Counterparts = {
  'GET /api/v2/api-keys': { path: () => key, allowed: 200 },
  'POST /api/v2/api-keys': { path: () => `${key}/new`, form: () => ({ name: '' }), allowed: 422 },
  'GET /api/v2/api-keys/:id': { path: (p) => `${key}/${p.keyId}`, allowed: 200 },
  'PUT /api/v2/api-keys/:id': {
    path: (p) => `${key}/${p.keyId}`,
    form: () => ({ name: 'matrix', ...STALE() }),
    allowed: 412,
  },
  'DELETE /api/v2/api-keys/:id': {
    path: (p) => `${key}/${p.keyId}/delete`,
    form: () => ({}),
    allowed: 422,
  },
  'POST /api/v2/api-keys/:id/regenerate': {
    path: (p) => `${key}/${p.keyId}/regenerate`,
    form: () => ({}),
    allowed: 422,
  },
  'POST /api/v2/api-keys/:id/enable': {
    path: (p) => `${key}/${p.keyId}/enable`,
    form: STALE,
    allowed: 412,
  },
  'POST /api/v2/api-keys/:id/disable': {
    path: (p) => `${key}/${p.keyId}/disable`,
    form: STALE,
    allowed: 412,
  },

  'POST /api/v2/dynamic-dns': {
    none: 'devices and scripts update hosts; people write records in the zone',
  },
  'GET /api/v2/dynamic-dns/clients': { path: () => '/dyndns', allowed: 200 },
  'GET /api/v2/dynamic-dns/tokens': { path: () => '/dyndns/tokens', allowed: 200 },
  'POST /api/v2/dynamic-dns/tokens': {
    path: () => '/dyndns/tokens/new',
    form: (p) => ({ hostnames: `matrix.${p.zoneName}`, expires_at: '2001-01-01' }),
    allowed: 422,
  },
  'DELETE /api/v2/dynamic-dns/tokens/:id': {
    path: () => '/dyndns/tokens/2147483647/delete',
    form: () => ({}),
    allowed: 404,
  },
  'GET /api/v2/dynamic-dns/recipes': {
    path: (p) => `/dyndns/recipes?hostname=matrix.${p.zoneName}`,
    allowed: 200,
  },
}
