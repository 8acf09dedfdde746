import type { Props } from '#tests/support/access/matrix_row'
import type { Counterparts, WebRequest } from '#tests/support/web/counterparts/counterpart'

/** Status for permitted callers if the server under test has no PowerDNS API. */
const UNASKED = 409

const onZone = (rest: string, request: Omit<WebRequest, 'path'>): WebRequest => ({
  path: ({ zoneId }: Props) => `/zones/${zoneId}${rest}`,
  ...request,
})

/** Builds a form about the DNSSEC of a zone. */
const signing = (rest: string, fields: Record<string, string> = {}): WebRequest =>
  onZone(`/dnssec${rest}`, { form: () => fields, allowed: UNASKED })

/** Builds a form about the metadata of a zone, based on an outdated version. */
const metadata = (rest: string, kind: string, values = '1'): WebRequest =>
  onZone(`/metadata${rest}`, {
    form: () => ({ kind, values, tag: 'nobody-has-this-tag' }),
    allowed: 412,
  })

const serverAction = (call: string): WebRequest =>
  onZone(`/${call}`, { form: () => ({}), allowed: UNASKED })

const onAutoprimaries = (
  rest: string,
  form: Record<string, string>,
  allowed: number
): WebRequest => ({ path: () => `/server/autoprimaries${rest}`, form: () => form, allowed })

const NONE_SUCH = { known_ip: '192.0.2.250', known_nameserver: 'none.example' }

/** DNSSEC, keys, metadata, and name server actions. */
export const NAME_SERVER_COUNTERPARTS: Counterparts = {
  'GET /api/v2/zones/:id/dnssec': onZone('/dnssec', { allowed: 200 }),
  'POST /api/v2/zones/:id/dnssec': signing('/sign'),
  'POST /api/v2/zones/:id/dnssec/rectify': signing('/rectify'),
  'GET /api/v2/zones/:id/dnssec/keys': onZone('/dnssec', { allowed: 200 }),
  'POST /api/v2/zones/:id/dnssec/keys': signing('/keys/new', {
    type: 'ksk',
    algorithm: 'ed25519',
    bits: '256',
  }),
  'POST /api/v2/zones/:id/dnssec/keys/import': signing('/keys/import', {
    type: 'ksk',
    privatekey: 'none',
  }),
  'GET /api/v2/zones/:id/dnssec/keys/:keyId': onZone('/dnssec', { allowed: 200 }),
  'PATCH /api/v2/zones/:id/dnssec/keys/:keyId': signing('/keys/1/activate'),
  'DELETE /api/v2/zones/:id/dnssec/keys/:keyId': signing('/keys/1/delete', { sure: '1' }),
  'GET /api/v2/zones/:id/metadata': onZone('/metadata', { allowed: 200 }),
  'GET /api/v2/zones/:id/metadata/:kind': { none: 'the page of all kinds shows each of them' },
  'PUT /api/v2/zones/:id/metadata/:kind': metadata('/edit', 'X-MATRIX'),
  'PUT /api/v2/zones/:id/metadata/:kind (for administrators)': metadata(
    '/edit',
    'ENABLE-LUA-RECORDS'
  ),
  'PUT /api/v2/zones/:id/metadata/:kind (ALLOW-DNSUPDATE-FROM)': metadata(
    '/edit',
    'ALLOW-DNSUPDATE-FROM',
    '192.0.2.0/24'
  ),
  'PUT /api/v2/zones/:id/metadata/:kind (ALLOW-AXFR-FROM)': metadata(
    '/edit',
    'ALLOW-AXFR-FROM',
    '192.0.2.0/24'
  ),
  'DELETE /api/v2/zones/:id/metadata/:kind': metadata('/delete', 'X-MATRIX'),
  'POST /api/v2/zones/:id/notify': serverAction('notify'),
  'POST /api/v2/zones/:id/retrieve': serverAction('retrieve'),
  'POST /api/v2/zones/:id/flush': serverAction('flush'),
  'GET /api/v2/server/status': { path: () => '/server', allowed: 200 },
  'GET /api/v2/autoprimaries': { path: () => '/server/autoprimaries', allowed: 200 },
  'POST /api/v2/autoprimaries': onAutoprimaries('', { ip: 'no address', nameserver: 'x' }, 422),
  'PUT /api/v2/autoprimaries/:ip/:nameserver': onAutoprimaries('/edit', NONE_SUCH, 404),
  'DELETE /api/v2/autoprimaries/:ip/:nameserver': onAutoprimaries('/delete', NONE_SUCH, 404),
}
