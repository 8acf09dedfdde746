import type { Counterparts } from '#tests/support/web/counterparts/counterpart'

/** A version tag that no object has. A form with it fails with 412 after all permission checks. */
const seen = 'nobody-has-seen-this'

/** Users, groups, permission templates and zone owners. */
export const PEOPLE_COUNTERPARTS: Counterparts = {
  'GET /api/v2/users': { path: () => '/users', allowed: 200 },
  'POST /api/v2/users': {
    path: () => '/users/new',
    form: () => ({ username: '', template: '4' }),
    allowed: 422,
  },
  'POST /api/v2/users (groups)': {
    path: () => '/users/new',
    form: () => ({ 'username': '', 'groups[]': ['4'] }),
    allowed: 422,
  },
  'GET /api/v2/users/:id': { path: (p) => `/users/${p.userId}`, allowed: 200 },
  'PUT /api/v2/users/:id': {
    path: (p) => `/users/${p.userId}`,
    form: () => ({ seen, fullname: 'matrix' }),
    allowed: 412,
  },
  'PATCH /api/v2/users/:id': {
    path: (p) => `/users/${p.userId}/template`,
    form: () => ({ seen, template: '4' }),
    allowed: 412,
  },
  'PATCH /api/v2/users/:id (a template for administrators)': {
    path: (p) => `/users/${p.userId}/template`,
    form: () => ({ seen, template: '1' }),
    allowed: 412,
  },
  // Deleting a user requires the checkbox.
  'DELETE /api/v2/users/:id': {
    path: (p) => `/users/${p.userId}/delete`,
    form: () => ({}),
    allowed: 422,
  },
  'POST /api/v2/users/:id/unlock': {
    path: (p) => `/users/${p.userId}/unlock`,
    form: () => ({}),
    allowed: 303,
  },
  'GET /api/v2/groups': { path: () => '/groups', allowed: 200 },
  'POST /api/v2/groups': {
    path: () => '/groups/new',
    form: () => ({ name: '', template: '9' }),
    allowed: 422,
  },
  'GET /api/v2/groups/:id': { path: (p) => `/groups/${p.groupId}`, allowed: 200 },
  'PUT /api/v2/groups/:id': {
    path: (p) => `/groups/${p.groupId}`,
    form: () => ({ seen, description: 'matrix' }),
    allowed: 412,
  },
  'DELETE /api/v2/groups/:id': {
    path: (p) => `/groups/${p.groupId}/delete`,
    form: () => ({}),
    allowed: 422,
  },
  'GET /api/v2/groups/:id/members': { path: (p) => `/groups/${p.groupId}/members`, allowed: 200 },
  // The user does not exist.
  'POST /api/v2/groups/:id/members': {
    path: (p) => `/groups/${p.groupId}/members`,
    form: () => ({ 'add[]': ['999999999'] }),
    allowed: 404,
  },
  // Removing a user who is not a member changes nothing.
  'DELETE /api/v2/groups/:id/members/:userId': {
    path: (p) => `/groups/${p.groupId}/members`,
    form: (p) => ({ 'remove[]': [String(p.userId)] }),
    allowed: 303,
  },
  'GET /api/v2/groups/:id/zones': { path: (p) => `/groups/${p.groupId}/zones`, allowed: 200 },
  // The group already owns the zone.
  'POST /api/v2/groups/:id/zones': {
    path: (p) => `/groups/${p.groupId}/zones`,
    form: (p) => ({ 'add[]': [String(p.zoneId)] }),
    allowed: 422,
  },
  // The zone does not exist.
  'DELETE /api/v2/groups/:id/zones/:zoneId': {
    path: (p) => `/groups/${p.groupId}/zones`,
    form: () => ({ 'remove[]': ['999999999'] }),
    allowed: 404,
  },
  'GET /api/v2/permission-templates': { path: () => '/permission-templates', allowed: 200 },
  // The name is taken. This check comes last.
  'POST /api/v2/permission-templates': {
    path: () => '/permission-templates/new',
    form: () => ({ name: 'Guest', type: 'user' }),
    allowed: 409,
  },
  'POST /api/v2/permission-templates (a right that only administrators hold)': {
    path: () => '/permission-templates/new',
    form: () => ({ name: 'Guest', type: 'user', reach_zone_meta_edit: 'others' }),
    allowed: 409,
  },
  'GET /api/v2/permission-templates/:id': { path: () => '/permission-templates/3', allowed: 200 },
  'PUT /api/v2/permission-templates/:id': {
    path: () => '/permission-templates/3',
    form: () => ({ seen, name: 'Editor', description: 'matrix' }),
    allowed: 412,
  },
  'PUT /api/v2/permission-templates/:id (one that makes administrators)': {
    path: () => '/permission-templates/1',
    form: () => ({ seen, name: 'Administrator', description: 'matrix' }),
    allowed: 412,
  },
  // The template is assigned to a user.
  'DELETE /api/v2/permission-templates/:id': {
    path: () => '/permission-templates/3/delete',
    form: () => ({ sure: '1' }),
    allowed: 409,
  },
  'GET /api/v2/permissions': { path: () => '/permission-templates/3', allowed: 200 },
  'GET /api/v2/permissions/:id': { path: () => '/permission-templates/3', allowed: 200 },
  'GET /api/v2/explain': {
    path: (p) => `/account/rights?zone=${p.zoneName}&name=www&type=A`,
    allowed: 200,
  },
  'GET /api/v2/zones/:id/owners': { path: (p) => `/zones/${p.zoneId}/owners`, allowed: 200 },
  // The user does not exist.
  'POST /api/v2/zones/:id/owners': {
    path: (p) => `/zones/${p.zoneId}/owners`,
    form: () => ({ owner: 'nobody is called so' }),
    allowed: 422,
  },
  // The user is not an owner.
  'DELETE /api/v2/zones/:id/owners/:userId': {
    path: (p) => `/zones/${p.zoneId}/owners/remove`,
    form: (p) => ({ user_id: String(p.userId) }),
    allowed: 404,
  },
}
