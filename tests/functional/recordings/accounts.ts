import {
  AT,
  differing,
  FAILURE,
  rows,
  success,
  type Exchange,
} from '#tests/functional/recordings/exchange'

const TEMPLATES = '/permission-templates'
const OWNERS = `${AT}/owners`
const DONE = success('null')
const PERMISSION = { id: 'number', name: 'string', descr: 'string', description: 'string' }
const TEMPLATE = { ...PERMISSION, template_type: 'string' }
const OWNER = { user_id: 'number', username: 'string', fullname: 'string' }
const GROUP = {
  id: 'number',
  name: 'string',
  description: 'string',
  perm_templ_id: 'number',
  member_count: 'number',
  zone_count: 'number',
  created_at: 'string',
}
const MEMBER = { ...OWNER, email: 'string', joined_at: 'string' }
const GROUP_ZONE = {
  zone_id: 'number',
  zone_name: 'string',
  zone_type: 'string',
  created_at: 'string',
}

/** Groups, permission templates and owners. Additional members of Zonewright: description and, for templates, message. */
export const PEER: Exchange[] = [
  ...rows(success({ owners: [OWNER] }), ['owners', 'GET', OWNERS, null, 200]),
  ...rows(DONE, ['one more owner', 'POST', OWNERS, '{"user_id":{user}}', 201]),
  ...rows(success({ added: ['number'], skipped: ['number'], not_found: [] }), [
    'more owners',
    'POST',
    OWNERS,
    '{"user_ids":[{admin},{user}]}',
    201,
  ]),
  ...rows(DONE, ['an owner who goes', 'DELETE', '/zones/{shared}/owners/{member}', null, 200]),
  ...rows(
    FAILURE,
    ['an owner who is one', 'POST', OWNERS, '{"user_id":{admin}}', 409],
    ['an unknown owner', 'POST', OWNERS, '{"user_id":{nothing}}', 404],
    ['no owner', 'POST', OWNERS, '{}', 400],
    ['somebody else who goes', 'DELETE', '/zones/{shared}/owners/{user}', null, 404],
    ['the last owner who goes', 'DELETE', `${OWNERS}/{admin}`, null, 400]
  ),

  ...rows(success({ permissions: [PERMISSION] }), [
    'permissions',
    'GET',
    '/permissions',
    null,
    200,
  ]),
  ...rows(success({ permission: PERMISSION }), [
    'one permission',
    'GET',
    '/permissions/41',
    null,
    200,
  ]),
  ...rows(success({ templates: [TEMPLATE] }), ['templates', 'GET', TEMPLATES, null, 200]),
  ...rows(success({ template: { ...TEMPLATE, permissions: [PERMISSION] } }), [
    'one template',
    'GET',
    `${TEMPLATES}/1`,
    null,
    200,
  ]),
  ...rows(
    DONE,
    [
      'another description',
      'PUT',
      `${TEMPLATES}/{unused}`,
      '{"name":"{unusedname}","descr":"changed","permissions":[43,44,41,67,49]}',
      200,
    ],
    ['a template that goes', 'DELETE', `${TEMPLATES}/{unused}`, null, 200]
  ),
  ...rows(
    FAILURE,
    ['a missing permission', 'GET', '/permissions/9999', null, 404],
    ['a new permission', 'POST', '/permissions', '{}', 405],
    ['a missing template', 'GET', `${TEMPLATES}/{nothing}`, null, 404],
    ['no name', 'POST', TEMPLATES, '{"descr":"x"}', 400],
    ['a bad type', 'POST', TEMPLATES, '{"name":"{free}","descr":"x","template_type":"foo"}', 400],
    ['a missing template', 'PUT', `${TEMPLATES}/{nothing}`, '{"name":"a","descr":"b"}', 404],
    ['a template in use', 'DELETE', `${TEMPLATES}/1`, null, 409],
    ['a missing template', 'DELETE', `${TEMPLATES}/{nothing}`, null, 404]
  ),

  ...rows(success({ groups: [GROUP] }), ['groups', 'GET', '/groups', null, 200]),
  ...rows(success({ group: { id: 'number', name: 'string' } }), [
    'a group',
    'POST',
    '/groups',
    '{"name":"{free}","description":"The team","perm_templ_id":7}',
    201,
  ]),
  ...rows(
    success({
      group: {
        ...GROUP,
        members: [{ user_id: 'number', username: 'string' }],
        zones: [{ zone_id: 'number', zone_name: 'string' }],
      },
    }),
    ['one group', 'GET', '/groups/{team}', null, 200]
  ),
  ...rows(
    success({
      group: {
        id: 'number',
        name: 'string',
        description: 'string',
        perm_templ_id: 'number',
        created_at: 'string',
        updated_at: 'string',
      },
    }),
    ['another description', 'PUT', '/groups/{team}', '{"description":"changed"}', 200]
  ),
  ...rows(success({ members: [MEMBER] }), ['members', 'GET', '/groups/{team}/members', null, 200]),
  ...rows(success({ members: [] }), ['no members', 'GET', '/groups/{group}/members', null, 200]),
  ...rows(success({ zones: [GROUP_ZONE] }), [
    'zones of a group',
    'GET',
    '/groups/{team}/zones',
    null,
    200,
  ]),
  ...rows(
    DONE,
    ['a member', 'POST', '/groups/{team}/members', '{"user_id":{user}}', 201],
    ['a member who goes', 'DELETE', '/groups/{team}/members/{member}', null, 200],
    ['a zone for a group', 'POST', '/groups/{team}/zones', '{"zone_id":{zone}}', 201],
    ['a zone that a group loses', 'DELETE', '/groups/{team}/zones/{teamzone}', null, 200],
    ['a group that goes', 'DELETE', '/groups/{group}', null, 200],
    ['a group that goes with its zones', 'DELETE', '/groups/{team}?confirm=true', null, 200]
  ),
  ...rows(
    FAILURE,
    ['a name that is taken', 'POST', '/groups', '{"name":"{teamname}","perm_templ_id":7}', 400],
    ['a template for users', 'POST', '/groups', '{"name":"{free}","perm_templ_id":1}', 400],
    ['no name', 'POST', '/groups', '{"perm_templ_id":7}', 400],
    ['no template', 'POST', '/groups', '{"name":"{free}"}', 400],
    ['a missing group', 'GET', '/groups/{nothing}', null, 404],
    ['a missing group', 'PUT', '/groups/{nothing}', '{"description":"changed"}', 404],
    ['a missing group', 'DELETE', '/groups/{nothing}', null, 404],
    ['a member who is one', 'POST', '/groups/{team}/members', '{"user_id":{member}}', 400],
    ['no member', 'POST', '/groups/{team}/members', '{}', 400],
    ['somebody who is no member', 'DELETE', '/groups/{team}/members/{user}', null, 404],
    ['a zone that the group has', 'POST', '/groups/{team}/zones', '{"zone_id":{teamzone}}', 400],
    ['a missing zone', 'POST', '/groups/{team}/zones', '{"zone_id":{nothing}}', 404],
    ['a zone that the group has not', 'DELETE', '/groups/{team}/zones/{zone}', null, 404],
    ['a group with zones', 'DELETE', '/groups/{team}', null, 409]
  ),
]

/** Groups, permission templates and owners where Zonewright differs from the recording. */
export const OURS: Exchange[] = [
  ...differing(
    success({ id: 'number' }),
    [
      'a template',
      'POST',
      TEMPLATES,
      '{"name":"{free}","descr":"edits own zones","permissions":[43,44,41,67,49]}',
      201,
      'its id is told, where the peer tells nothing',
    ],
    [
      'a template for groups',
      'POST',
      TEMPLATES,
      '{"name":"{free}","descr":"x","template_type":"group","permissions":[43,44]}',
      201,
      'its id is told, where the peer tells nothing',
    ]
  ),
  ...differing(
    FAILURE,
    [
      'a name that is taken',
      'POST',
      TEMPLATES,
      '{"name":"{unusedname}","descr":"again","permissions":[43]}',
      409,
      'clients look templates up by name',
    ],
    [
      'an unknown permission',
      'POST',
      TEMPLATES,
      '{"name":"{free}","descr":"x","permissions":[9999]}',
      400,
      'there is nothing to grant',
    ],
    ['a bad filter', 'GET', `${TEMPLATES}?type=foo`, null, 400, 'the specification says so'],
    [
      'an unknown member',
      'POST',
      '/groups/{team}/members',
      '{"user_id":{nothing}}',
      404,
      'the user is missing, and no answer tells SQL',
    ]
  ),
]
