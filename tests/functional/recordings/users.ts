import {
  differing,
  FAILURE,
  META,
  PAGINATION,
  rows,
  success,
  withHeaders,
  type Exchange,
} from '#tests/functional/recordings/exchange'

const MEMBERS = {
  user_id: 'number',
  username: 'string',
  fullname: 'string',
  email: 'string',
  description: 'string',
  active: 'boolean',
  perm_templ: 'number',
  perm_templ_name: 'string',
  is_admin: 'boolean',
  // Additional member: clients can read the value that they set.
  use_ldap: 'boolean',
  locked: 'boolean',
}
const ITEM = { ...MEMBERS, zone_count: 'number', groups: [] }
const DETAIL = {
  ...MEMBERS,
  permissions: [],
  groups: [],
  created_at: 'null',
  updated_at: 'null',
}
const STAMPED = { ...FAILURE, meta: META }
const meta = { meta: META }
const updated = success({ user_id: 'number' }, meta)
const deleted = success({ zones_affected: 'number' }, meta)
const created = (groups: unknown[]) => success({ user_id: 'number', groups }, meta)

const USERS = '/users'
const JOE = '/users/{joe}'
const MISSING = '/users/2147483646'
const ids = Array.from({ length: 51 }, (_, index) => index + 1)

/** Builds the body of a new user with these members in addition to name and password. */
const body = (members: object = {}) =>
  JSON.stringify({ username: '{free}', password: 'Secret123', ...members })

/** Users. Additional members of Zonewright: use_ldap and locked. */
export const PEER: Exchange[] = [
  ...rows(
    created([]),
    [
      'a user',
      'POST',
      USERS,
      body({
        fullname: 'Joe Doe',
        email: '{free}@example.com',
        description: 'd',
        perm_templ: 3,
        active: true,
      }),
      201,
    ],
    ['a user without template', 'POST', USERS, body({ email: '{free}@example.com' }), 201],
    ['a user of name and password', 'POST', USERS, body(), 201],
    ['an address of any form', 'POST', USERS, body({ email: '{free}' }), 201]
  ),
  ...rows(created([{ id: 'number', name: 'string' }]), [
    'a user in groups',
    'POST',
    USERS,
    body({ groups: [2, 'Viewers', 2] }),
    201,
  ]),
  ...rows(
    FAILURE,
    ['51 groups', 'POST', USERS, body({ groups: ids }), 400],
    ['groups that are no list', 'POST', USERS, body({ groups: 'Viewers' }), 400],
    ['an empty update of a user', 'PUT', JOE, '{}', 400],
    ['PATCH without template', 'PATCH', JOE, '{"fullname":"x"}', 400],
    ['deletion of nobody', 'DELETE', MISSING, null, 404],
    ['deletion of an owner', 'DELETE', '/users/{owner}', null, 400]
  ),
  ...rows(
    STAMPED,
    ['a taken user name', 'POST', USERS, '{"username":"{joename}","password":"Secret123"}', 409],
    ['a taken address', 'POST', USERS, body({ email: '{joemail}' }), 409],
    ['a user without name', 'POST', USERS, '{"password":"Secret123"}', 400],
    ['a user without password', 'POST', USERS, '{"username":"{free}"}', 400],
    ['a user of an unknown template', 'POST', USERS, body({ perm_templ: 9_999_999 }), 400],
    ['an unknown user', 'GET', MISSING, null, 404],
    ["another user's name", 'PUT', JOE, '{"username":"{adminname}"}', 409],
    ['an update of nobody', 'PUT', MISSING, '{"fullname":"x"}', 404]
  ),
  ...rows(success({ users: [ITEM] }, meta), ['users', 'GET', USERS, null, 200]),
  ...rows(success({ users: [ITEM] }, { pagination: PAGINATION, ...meta }), [
    'a page of users',
    'GET',
    '/users?page=1&per_page=2',
    null,
    200,
  ]),
  ...rows(
    success({ users: [ITEM] }),
    ['the user of a name', 'GET', '/users?username={joename}', null, 200],
    ['the user of an address', 'GET', '/users?email={joemail}', null, 200]
  ),
  ...rows(success({ users: [] }), [
    'the user of a free name',
    'GET',
    '/users?username={free}',
    null,
    200,
  ]),
  ...rows(success({ user: DETAIL }, meta), ['one user', 'GET', JOE, null, 200]),
  ...rows(
    updated,
    ['one member of a user', 'PUT', JOE, '{"fullname":"Joe D."}', 200],
    [
      'all members of a user',
      'PUT',
      JOE,
      '{"username":"{joename}","fullname":"Joe Doe","email":"{joemail}","description":"x","active":true,"perm_templ":3,"password":"Secret123"}',
      200,
    ],
    ['groups in an update', 'PUT', JOE, '{"groups":[2]}', 200],
    ['deactivation', 'PUT', JOE, '{"active":false}', 200],
    ['activation', 'PUT', JOE, '{"active":true}', 200]
  ),
  ...rows(success({ user_id: 'number', perm_templ: 'number' }, meta), [
    'PATCH of the template',
    'PATCH',
    JOE,
    '{"perm_templ":3}',
    200,
  ]),
  ...rows(
    deleted,
    ['deletion of a user', 'DELETE', JOE, null, 200],
    ['deletion with a transfer', 'DELETE', '/users/{owner}', '{"transfer_to_user_id":{admin}}', 200]
  ),
  ...withHeaders({ 'x-api-key': '{joekey}' }, [
    ...rows(
      FAILURE,
      ['users for a guest', 'GET', USERS, null, 403],
      ['another user for a guest', 'GET', '/users/{admin}', null, 403],
      ['a new user of a guest', 'POST', USERS, body(), 403],
      ['a new user of a guest, in groups', 'POST', USERS, body({ groups: [1] }), 403]
    ),
    ...rows(success({ user: DETAIL }, meta), ['the own account', 'GET', JOE, null, 200]),
  ]),
]

export const OURS: Exchange[] = [
  ...differing(STAMPED, [
    'an unknown group',
    'POST',
    USERS,
    body({ groups: ['{free}', 99] }),
    400,
    'all refusals that come after the shape of the body carry the time',
  ]),
]
