import {
  anonymous,
  differing,
  FAILURE,
  GONE,
  rows,
  withHeaders,
  WWW,
  ZONES,
  type Exchange,
} from '#tests/functional/recordings/exchange'

/** Paths, methods and keys as recorded. */
export const PEER: Exchange[] = [
  { what: 'ping', request: ['GET', '/ping'], anonymous: true, status: 200, shape: 'ok' },
  { what: 'ping by HEAD', request: ['HEAD', '/ping'], anonymous: true, status: 200, shape: '' },
  {
    what: 'health',
    request: ['GET', '/api/health'],
    anonymous: true,
    status: 200,
    shape: { status: 'string', checks: { database: 'string', pdns_api: 'string' } },
  },
  ...(['GET /api/v1/zones', 'POST /api/v1/zones/1/records', 'GET /api/v1'] as const).map(
    (call): Exchange => ({
      what: call,
      request: call.split(' ') as [string, string],
      anonymous: true,
      status: 410,
      shape: GONE,
    })
  ),
  ...rows(FAILURE, ['the root', 'GET', '', null, 404], ['nothing', 'GET', '/nope', null, 404]),
  ...anonymous(
    rows(
      FAILURE,
      ['nothing without a key', 'GET', '/nope', null, 404],
      ['no key', 'GET', ZONES, null, 401]
    )
  ),
  ...anonymous(
    ['Bearer nope', 'Basic YWRtaW46d3Jvbmc=', 'Basic !!!'].flatMap((authorization) =>
      withHeaders({ authorization }, rows(FAILURE, [authorization, 'GET', ZONES, null, 401]))
    )
  ),
  ...anonymous(
    withHeaders({ 'x-api-key': 'wrong' }, rows(FAILURE, ['a wrong key', 'GET', ZONES, null, 401]))
  ),
  ...rows('', ['zones by HEAD', 'HEAD', ZONES, null, 200]),
  ...rows(
    FAILURE,
    ['DELETE of all zones', 'DELETE', ZONES, null, 405],
    ['PATCH of zones', 'PATCH', ZONES, '{}', 405],
    ['PATCH of a record', 'PATCH', WWW, '{}', 405],
    ['a slash at the end', 'GET', '/zones/', null, 404]
  ),
]

/** Paths, methods and keys where Zonewright differs from the recording. */
export const OURS: Exchange[] = [
  {
    what: 'POST /ping',
    request: ['POST', '/ping'],
    anonymous: true,
    status: 405,
    shape: 'Method not allowed',
    because: 'the recorded page is an accident of its web server',
  },
  ...differing(FAILURE, [
    'OPTIONS of zones',
    'OPTIONS',
    ZONES,
    null,
    405,
    'the recorded 204 comes from its web server',
  ]),
]
