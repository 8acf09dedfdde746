import type { Role } from '#tests/support/access/users'
import type { Row } from '#tests/support/access/matrix_row'

const ADMINISTRATORS: Role[] = ['administrator']
/** The group of the table owns the zone. One role is a member of the group. */
const OF_THE_GROUP: Role[] = ['group owner', 'administrator']
const TEMPLATE_EDITORS: Role[] = ['user administrator', 'administrator']
const ZONE_BLIND: Role[] = ['nobody', 'stranger', 'user administrator']
const MANAGERS: Role[] = ['group owner', 'zone manager', 'administrator']

/** Groups, permission templates, and owners of zones. */
export const ACCOUNT_ROWS: Row[] = [
  {
    route: 'DELETE /api/v2/users/:id',
    path: (p) => `/users/${p.userId}?dry_run=true`,
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/users/:id/unlock',
    isUnrestrictedOnly: true,
    path: (p) => `/users/${p.userId}/unlock?dry_run=true`,
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/zones/:id/owners',
    path: (p) => `/zones/${p.zoneId}/owners`,
    who: ['viewer', 'client editor', ...MANAGERS],
    hiddenFrom: ZONE_BLIND,
    zones: 'scoped',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/zones/:id/owners',
    path: (p) => `/zones/${p.zoneId}/owners?dry_run=true`,
    body: (p) => ({ user_id: p.userId }),
    refusedTo: ['some operations'],
    who: MANAGERS,
    hiddenFrom: ZONE_BLIND,
    zones: 'scoped',
    allowed: 200,
  },
  {
    // The user is not an owner.
    route: 'DELETE /api/v2/zones/:id/owners/:userId',
    path: (p) => `/zones/${p.zoneId}/owners/${p.userId}`,
    who: MANAGERS,
    hiddenFrom: ZONE_BLIND,
    zones: 'scoped',
    allowed: 404,
  },
  { route: 'GET /api/v2/groups', path: () => '/groups', zones: 'ignored', allowed: 200 },
  {
    route: 'POST /api/v2/groups',
    isUnrestrictedOnly: true,
    path: () => '/groups?dry_run=true',
    body: () => ({ name: 'matrix', perm_templ_id: 9 }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/groups/:id',
    path: (p) => `/groups/${p.groupId}`,
    who: OF_THE_GROUP,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PUT /api/v2/groups/:id',
    isUnrestrictedOnly: true,
    path: (p) => `/groups/${p.groupId}?dry_run=true`,
    body: () => ({ description: 'matrix' }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'DELETE /api/v2/groups/:id',
    path: (p) => `/groups/${p.groupId}?dry_run=true&confirm=true`,
    who: ADMINISTRATORS,
    zones: 'scoped',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/groups/:id/members',
    path: (p) => `/groups/${p.groupId}/members`,
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/groups/:id/members',
    isUnrestrictedOnly: true,
    path: (p) => `/groups/${p.groupId}/members?dry_run=true`,
    body: (p) => ({ user_id: p.userId }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    // The user is not a member.
    route: 'DELETE /api/v2/groups/:id/members/:userId',
    isUnrestrictedOnly: true,
    path: (p) => `/groups/${p.groupId}/members/${p.userId}`,
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 404,
  },
  {
    route: 'GET /api/v2/groups/:id/zones',
    path: (p) => `/groups/${p.groupId}/zones`,
    who: OF_THE_GROUP,
    zones: 'ignored',
    allowed: 200,
  },
  {
    // The group already owns the zone.
    route: 'POST /api/v2/groups/:id/zones',
    path: (p) => `/groups/${p.groupId}/zones`,
    body: (p) => ({ zone_id: p.zoneId }),
    refusedTo: ['some operations'],
    who: ADMINISTRATORS,
    zones: 'scoped',
    allowed: 400,
  },
  {
    route: 'DELETE /api/v2/groups/:id/zones/:zoneId',
    path: (p) => `/groups/${p.groupId}/zones/${p.zoneId}?dry_run=true`,
    who: ADMINISTRATORS,
    zones: 'scoped',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/permission-templates',
    path: () => '/permission-templates',
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/permission-templates',
    path: () => '/permission-templates?dry_run=true',
    body: () => ({ name: 'matrix', descr: '', permissions: [] }),
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'POST /api/v2/permission-templates',
    about: 'a right that only administrators hold',
    path: () => '/permission-templates?dry_run=true',
    body: () => ({ name: 'matrix', descr: '', permissions: [48] }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/permission-templates/:id',
    path: () => '/permission-templates/3',
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PUT /api/v2/permission-templates/:id',
    isUnrestrictedOnly: true,
    path: () => '/permission-templates/3?dry_run=true',
    body: () => ({ descr: 'matrix' }),
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'PUT /api/v2/permission-templates/:id',
    about: 'one that makes administrators',
    isUnrestrictedOnly: true,
    path: () => '/permission-templates/1?dry_run=true',
    body: () => ({ descr: 'matrix' }),
    who: ADMINISTRATORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    // The template is assigned to a user.
    route: 'DELETE /api/v2/permission-templates/:id',
    path: () => '/permission-templates/3',
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 409,
  },
  {
    route: 'GET /api/v2/permissions',
    path: () => '/permissions',
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
  {
    route: 'GET /api/v2/permissions/:id',
    path: () => '/permissions/41',
    who: TEMPLATE_EDITORS,
    zones: 'ignored',
    allowed: 200,
  },
]
