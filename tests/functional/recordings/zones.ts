import {
  AT,
  createdZone,
  differing,
  FAILURE,
  FORM,
  META,
  PAGINATION,
  RECORDS,
  rows,
  SECONDARY,
  success,
  withHeaders,
  ZONE,
  zone,
  zones,
  ZONES,
  type Exchange,
} from '#tests/functional/recordings/exchange'

/** Zones as recorded. Additional members of Zonewright: canonical_id and master. */
export const PEER: Exchange[] = [
  ...rows(
    createdZone,
    ['a zone', 'POST', ZONES, '{"name":"{free}.test","type":"MASTER"}', 201],
    ['a zone without type', 'POST', ZONES, '{"name":"{free}.test"}', 201],
    ['a type in lower case', 'POST', ZONES, '{"name":"{free}.test","type":"native"}', 201],
    ['a final dot', 'POST', ZONES, '{"name":"{free}.test.","type":"MASTER"}', 201],
    ['JSON without content type', 'POST', ZONES, '{"name":"{free}.test","type":"NATIVE"}', 201],
    [
      'a secondary',
      'POST',
      ZONES,
      '{"name":"{free}.test","type":"SLAVE","master":"192.0.2.1"}',
      201,
    ],
    [
      'primaries with ports',
      'POST',
      ZONES,
      '{"name":"{free}.test","type":"SLAVE","master":"192.0.2.1:5300,[2001:db8::1]:5300"}',
      201,
    ],
    ['policy EPOCH', 'POST', ZONES, '{"name":"{free}.test","soa_edit_api":"EPOCH"}', 201],
    ['policy OFF', 'POST', ZONES, '{"name":"{free}.test","soa_edit_api":"OFF"}', 201],
    ['an empty policy', 'POST', ZONES, '{"name":"{free}.test","soa_edit_api":""}', 201],
    ['a wish for DNSSEC', 'POST', ZONES, '{"name":"{free}.test","enable_dnssec":true}', 201],
    ['a reverse zone', 'POST', ZONES, '{"name":"{free}.2.0.192.in-addr.arpa"}', 201],
    [
      'a zone of a group',
      'POST',
      ZONES,
      '{"name":"{free}.test","owner_user_id":null,"group_ids":[{group}]}',
      201,
    ]
  ),
  ...rows(
    FAILURE,
    ['a number as name', 'POST', ZONES, '{"name":123,"type":"MASTER"}', 400],
    ['an empty body', 'POST', ZONES, '', 400],
    ['broken JSON', 'POST', ZONES, '{bad', 400],
    ['a list', 'POST', ZONES, '[1, 2]', 400],
    ['a secondary of nobody', 'POST', ZONES, '{"name":"{free}.test","type":"SLAVE"}', 400],
    [
      'a bad primary',
      'POST',
      ZONES,
      '{"name":"{free}.test","type":"SLAVE","master":"not an ip"}',
      400,
    ],
    ['a number as policy', 'POST', ZONES, '{"name":"{free}.test","soa_edit_api":5}', 400],
    ['an unknown group', 'POST', ZONES, '{"name":"{free}.test","group_ids":[999999]}', 404]
  ),
  // Errors found after the owner check contain the time.
  ...rows(
    { ...FAILURE, meta: META },
    ['no name', 'POST', ZONES, '{"type":"MASTER"}', 400],
    ['an unknown type', 'POST', ZONES, '{"name":"{free}.test","type":"FOO"}', 400],
    ['a bad name', 'POST', ZONES, '{"name":"bad name!","type":"MASTER"}', 400],
    ['an unknown policy', 'POST', ZONES, '{"name":"{free}.test","soa_edit_api":"FOO"}', 400],
    ['an unknown template', 'POST', ZONES, '{"name":"{free}.test","template":999999}', 404],
    ['a name that is taken', 'POST', ZONES, '{"name":"{name}","type":"MASTER"}', 409]
  ),
  ...rows(
    zones(),
    ['all zones', 'GET', ZONES, null, 200],
    ['per_page 0', 'GET', '/zones?per_page=0', null, 200],
    ['per_page as text', 'GET', '/zones?per_page=abc', null, 200],
    ['an exact name', 'GET', '/zones?name={name}', null, 200],
    ['an unknown parameter', 'GET', '/zones?limit=1', null, 200]
  ),
  ...rows(
    zones({ pagination: PAGINATION }),
    ['page 1', 'GET', '/zones?page=1&per_page=2', null, 200],
    ['page 2', 'GET', '/zones?page=2&per_page=1', null, 200],
    ['page 0', 'GET', '/zones?page=0&per_page=2', null, 200],
    ['a huge per_page', 'GET', '/zones?per_page=99999', null, 200]
  ),
  ...rows(success({ zones: [] }, { meta: META, pagination: PAGINATION }), [
    'a page past the end',
    'GET',
    '/zones?page=99999&per_page=2',
    null,
    200,
  ]),

  ...rows(zone(), ['one zone', 'GET', AT, null, 200]),
  ...rows(zone(SECONDARY), ['one secondary', 'GET', '/zones/{slave}', null, 200]),
  ...rows(zone({ ...ZONE, description: 'string' }), [
    'a description',
    'PUT',
    AT,
    '{"description":"Production"}',
    200,
  ]),
  ...rows(
    zone(),
    ['another type', 'PUT', AT, '{"type":"NATIVE"}', 200],
    ['the same type', 'PUT', AT, '{"type":"MASTER"}', 200],
    ['the same name', 'PUT', AT, '{"name":"{name}"}', 200]
  ),
  ...rows(zone(SECONDARY), ['a primary', 'PUT', '/zones/{slave}', '{"master":"192.0.2.9"}', 200]),
  ...rows(
    FAILURE,
    ['a missing zone', 'GET', '/zones/999999', null, 404],
    ['a word as id', 'GET', '/zones/abc', null, 404],
    ['an unknown type', 'PUT', AT, '{"type":"FOO"}', 400],
    ['an empty update', 'PUT', AT, '{}', 400],
    ['a type without primaries', 'PUT', AT, '{"type":"SLAVE"}', 400],
    ['a policy', 'PUT', AT, '{"soa_edit_api":"EPOCH"}', 400],
    ['a missing zone', 'PUT', '/zones/999999', '{"type":"NATIVE"}', 404],
    ['broken JSON', 'PUT', AT, '{bad', 400]
  ),
]

/** Zones where Zonewright differs from the recording. Additional members: canonical_id and master. */
export const OURS: Exchange[] = [
  ...differing(
    createdZone,
    [
      'an upper-case name',
      'POST',
      ZONES,
      '{"name":"UPPER.{free}.TEST"}',
      201,
      'names are folded, where the peer fails with 500',
    ],
    [
      'an IDN',
      'POST',
      ZONES,
      '{"name":"b\\u00fccher.{free}.test"}',
      201,
      'IDN is taken as punycode',
    ]
  ),
  ...withHeaders(
    FORM,
    differing(createdZone, [
      'a form',
      'POST',
      ZONES,
      'name={free}.test&type=MASTER',
      201,
      'forms are promised',
    ])
  ),
  ...differing(
    FAILURE,
    [
      'an unknown owner',
      'POST',
      ZONES,
      '{"name":"{free}.test","owner_user_id":999999}',
      404,
      'a zone of nobody would be lost',
    ],
    ['a list as parameter', 'GET', '/zones?name[]=a', null, 400, 'the specification says so'],
    ['a list as parameter', 'GET', `${RECORDS}?type[]=A`, null, 400, 'the specification says so'],
    ['a huge id', 'GET', '/zones/99999999999999999999', null, 404, 'no input makes a 500'],
    ['a name that is taken', 'PUT', AT, '{"name":"{slavename}"}', 409, 'zones can be renamed']
  ),
  ...differing(success({ zones: [] }, { meta: META }), [
    'an empty list',
    'GET',
    '/zones?name=nothing.test',
    null,
    200,
    'there is no pagination without per_page',
  ]),
  ...differing(zones(), [
    'a negative per_page',
    'GET',
    '/zones?per_page=-5',
    null,
    200,
    'it is as good as none',
  ]),
  ...differing(zone(), [
    'another name',
    'PUT',
    AT,
    '{"name":"{free}.test"}',
    200,
    'zones can be renamed',
  ]),
]
