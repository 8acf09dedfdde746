import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const VIEWERS: Role[] = [
  'viewer',
  'client editor',
  'editor',
  'group owner',
  'zone manager',
  'administrator',
]
const MANAGERS: Role[] = ['group owner', 'zone manager', 'administrator']

/** Status for permitted callers: the server under test has no PowerDNS API. */
const NOT_CONFIGURED = 501

function onDnssec(method: string, tail: string, row: Partial<Row> = {}): Row {
  const [path, key] = tail.split(':')
  return {
    route: `${method} /api/v2/zones/:id/dnssec${tail}`,
    path: ({ zoneId }) => `/zones/${zoneId}/dnssec${path}${key ? '1' : ''}`,
    who: method === 'GET' ? VIEWERS : MANAGERS,
    hiddenFrom: ['nobody', 'stranger', 'user administrator'],
    zones: 'scoped',
    allowed: NOT_CONFIGURED,
    ...row,
  }
}

/** DNSSEC of zones, and cryptokeys. */
export const DNSSEC_ROWS: Row[] = [
  onDnssec('GET', ''),
  onDnssec('POST', '', { body: () => ({ enabled: true }), operations: ['update'] }),
  onDnssec('POST', '/rectify', { body: () => ({}), operations: ['update'] }),
  onDnssec('GET', '/keys'),
  onDnssec('POST', '/keys', { body: () => ({ type: 'ksk', algorithm: 'ed25519', bits: 256 }) }),
  onDnssec('POST', '/keys/import', {
    body: () => ({ type: 'ksk', privatekey: 'none' }),
    refusedTo: ['some operations'],
  }),
  onDnssec('GET', '/keys/:keyId'),
  onDnssec('PATCH', '/keys/:keyId', { body: () => ({ active: true }) }),
  onDnssec('DELETE', '/keys/:keyId'),
]
