import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const ADMINISTRATORS: Role[] = ['administrator']

/** Status for permitted callers: the server under test has no PowerDNS API. */
const NOT_CONFIGURED = 501

function onAutoprimaries(method: string, row: Pick<Row, 'allowed'> & Partial<Row>): Row {
  const isOfOne = method === 'PUT' || method === 'DELETE'
  return {
    route: `${method} /api/v2/autoprimaries${isOfOne ? '/:ip/:nameserver' : ''}`,
    path: () => (isOfOne ? '/autoprimaries/192.0.2.250/none.example' : '/autoprimaries'),
    who: ADMINISTRATORS,
    zones: 'refused',
    isRoleFirst: true,
    ...row,
  }
}

function aboutZone(call: string): Row {
  return {
    route: `POST /api/v2/zones/:id/${call}`,
    path: ({ zoneId }) => `/zones/${zoneId}/${call}`,
    body: () => ({}),
    who: ['editor', 'group owner', 'zone manager', 'administrator'],
    hiddenFrom: ['nobody', 'stranger', 'user administrator'],
    operations: ['update'],
    zones: 'scoped',
    allowed: NOT_CONFIGURED,
  }
}

/** Name server actions, and server data other than zones. */
export const SERVER_ROWS: Row[] = [
  onAutoprimaries('GET', { allowed: 200 }),
  onAutoprimaries('POST', {
    body: () => ({ ip: '192.0.2.250', nameserver: 'matrix.example', dry_run: true }),
    refusedTo: ['some operations'],
    allowed: 200,
  }),
  onAutoprimaries('PUT', {
    body: () => ({ account: 'matrix' }),
    refusedTo: ['some operations'],
    allowed: 404,
  }),
  onAutoprimaries('DELETE', { allowed: 404 }),
  ...['notify', 'retrieve', 'flush'].map(aboutZone),
]
