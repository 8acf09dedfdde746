import {
  differing,
  FAILURE,
  RECORDS,
  rows,
  success,
  type Exchange,
} from '#tests/functional/recordings/exchange'

const BULK = `${RECORDS}/bulk`
const SETS = '/zones/{zone}/rrsets'
const COUNTERS = {
  total_operations: 'number',
  created: 'number',
  updated: 'number',
  deleted: 'number',
  failed: 'number',
}
const FAILED_BULK = {
  success: 'boolean',
  data: { ...COUNTERS, errors: ['string'] },
  message: 'string',
}
const RRSET = {
  name: 'string',
  type: 'string',
  ttl: 'number',
  records: [{ content: 'string', priority: 'number', disabled: 'boolean' }],
}

/** Bulk requests and RRsets as recorded. */
export const PEER: Exchange[] = [
  ...rows(
    success({ ...COUNTERS, errors: [] }),
    [
      'bulk of creations',
      'POST',
      BULK,
      '{"operations":[{"action":"create","name":"b0","type":"A","content":"192.0.2.0","ttl":300},{"action":"create","name":"b1","type":"A","content":"192.0.2.1","ttl":300}]}',
      200,
    ],
    [
      'bulk of all kinds',
      'POST',
      BULK,
      '{"operations":[{"action":"create","name":"bnew","type":"A","content":"192.0.2.99"},{"action":"update","id":{www},"name":"www","type":"A","content":"192.0.2.200","ttl":60},{"action":"delete","id":{mx}}],"comment":"ticket-1"}',
      200,
    ]
  ),
  ...rows(
    FAILED_BULK,
    [
      'bulk with a bad address',
      'POST',
      BULK,
      '{"operations":[{"action":"create","name":"bok","type":"A","content":"192.0.2.98"},{"action":"create","name":"bbad","type":"A","content":"bad"}]}',
      400,
    ],
    ['bulk of an unknown action', 'POST', BULK, '{"operations":[{"action":"foo"}]}', 400],
    ['bulk deletion without id', 'POST', BULK, '{"operations":[{"action":"delete"}]}', 400],
    [
      'bulk deletion of nothing',
      'POST',
      BULK,
      '{"operations":[{"action":"delete","id":999999999}]}',
      404,
    ]
  ),
  ...rows(
    FAILURE,
    ['bulk of nothing', 'POST', BULK, '{"operations":[]}', 400],
    ['bulk without operations', 'POST', BULK, '{}', 400],
    ['reading bulk', 'GET', BULK, null, 405],
    ['PUT of bulk', 'PUT', BULK, '{"operations":[]}', 405],
    ['PATCH of bulk', 'PATCH', BULK, '{"operations":[]}', 405],
    [
      'bulk on a read-only zone',
      'POST',
      '/zones/{slave}/records/bulk',
      '{"operations":[{"action":"create","name":"x","type":"A","content":"192.0.2.1"}]}',
      403,
    ]
  ),
  ...rows(
    success({ rrsets: [RRSET] }),
    ['all RRsets', 'GET', SETS, null, 200],
    ['RRsets of a type', 'GET', `${SETS}?type=MX`, null, 200]
  ),
  ...rows(
    success({ rrset: RRSET }),
    [
      'a new RRset',
      'PUT',
      SETS,
      '{"name":"rr","type":"A","ttl":120,"records":[{"content":"192.0.2.31"},{"content":"192.0.2.32","disabled":true}]}',
      200,
    ],
    [
      'a new RRset by POST',
      'POST',
      SETS,
      '{"name":"rr2","type":"A","ttl":120,"records":[{"content":"192.0.2.31"}]}',
      200,
    ],
    [
      'an RRset by PATCH',
      'PATCH',
      SETS,
      '{"name":"www","type":"A","ttl":120,"records":[{"content":"192.0.2.31"}]}',
      200,
    ],
    [
      'an RRset of MX',
      'PUT',
      SETS,
      '{"name":"mx","type":"MX","ttl":120,"records":[{"content":"a.{name}","priority":5},{"content":"b.{name}","priority":7}]}',
      200,
    ],
    ['an RRset', 'GET', `${SETS}/www/A`, null, 200],
    ['an RRset by its whole name', 'GET', `${SETS}/www.{name}/A`, null, 200],
    ['an RRset of the apex', 'GET', `${SETS}/@/MX`, null, 200],
    ['an RRset of the apex by its name', 'GET', `${SETS}/{name}/SOA`, null, 200],
    ['an RRset by its type in lower case', 'GET', `${SETS}/www/a`, null, 200]
  ),
  ...rows(
    FAILURE,
    ['an RRset of no records', 'PUT', SETS, '{"name":"rr","type":"A","ttl":120,"records":[]}', 400],
    ['an RRset without records', 'PUT', SETS, '{"name":"rr","type":"A"}', 400],
    [
      'an RRset with a bad address',
      'PUT',
      SETS,
      '{"name":"rr","type":"A","ttl":120,"records":[{"content":"bad"}]}',
      400,
    ],
    [
      'an RRset of a read-only zone',
      'PUT',
      '/zones/{slave}/rrsets',
      '{"name":"x","type":"A","ttl":120,"records":[{"content":"192.0.2.33"}]}',
      403,
    ],
    ['a missing RRset', 'GET', `${SETS}/never/A`, null, 404],
    ['a missing RRset', 'DELETE', `${SETS}/never/A`, null, 404],
    ['RRsets of a missing zone', 'GET', '/zones/999999999/rrsets', null, 404]
  ),
  ...rows('', ['an RRset', 'DELETE', `${SETS}/www/A`, null, 204]),
]

/** Bulk requests and RRsets where Zonewright differs from the recording. */
export const OURS: Exchange[] = differing(
  FAILURE,
  [
    'an RRset with the same record twice',
    'PUT',
    SETS,
    '{"name":"rr","type":"A","ttl":120,"records":[{"content":"192.0.2.33"},{"content":"192.0.2.33"}]}',
    409,
    'an RRset is a set',
  ],
  [
    'two CNAMEs',
    'PUT',
    SETS,
    '{"name":"rrc","type":"CNAME","ttl":120,"records":[{"content":"a.{name}"},{"content":"b.{name}"}]}',
    400,
    'a name has one canonical name',
  ],
  ['the SOA record', 'DELETE', `${SETS}/@/SOA`, null, 400, 'a zone without one is not served']
)
