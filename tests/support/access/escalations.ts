import type { ApiResponse } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import type { Permission } from '#access/permissions'
import { ids, type World } from '#tests/support/access/populated_server'
import { unique } from '#tests/support/app/names'

/** One call that might extend rights. */
export interface Climb {
  name: string
  /** The response names a new user. */
  createsUser: boolean
  send: (world: World) => PromiseLike<ApiResponse>
  /** User whose password the climber knows after the call. The climber may then do all that this user may do. */
  signsInAs?: (world: World) => { username: string }
}

const PASSWORD = 'a Password that 1 policy takes'

const YEAR = 365 * 86_400_000

const user = (more: object) => () => {
  const username = unique('made')
  return { username, password: PASSWORD, ...more }
}

/** Every kind of call that grants rights to the caller or to others, directly or indirectly. */
export const CLIMBS: Climb[] = [
  post('/users', user({}), 'a user'),
  post(
    '/users',
    (w) => ({ ...user({})(), perm_templ: w.templates.administrator }),
    'an administrator'
  ),
  post('/users', (w) => ({ ...user({})(), perm_templ: w.templates.manager }), 'a zone manager'),
  post('/users', (w) => ({ ...user({})(), groups: [w.foreignGroup] }), 'a user in a group'),
  put(
    (w) => `/users/${w.self.id}`,
    (w) => ({ perm_templ: w.templates.administrator }),
    'self administrator'
  ),
  put(
    (w) => `/users/${w.self.id}`,
    (w) => ({ perm_templ: w.templates.manager }),
    'self zone manager'
  ),
  patch(
    (w) => `/users/${w.self.id}`,
    (w) => ({ perm_templ: w.unassignedTemplate }),
    'self spare template'
  ),
  patch(
    (w) => `/users/${w.colleague.id}`,
    (w) => ({ perm_templ: w.unassignedTemplate }),
    'colleague spare template'
  ),
  patch(
    (w) => `/users/${w.colleague.id}`,
    (w) => ({ perm_templ: w.templates.administrator }),
    'colleague administrator'
  ),
  passwordOf((w) => w.owner, "owner's password"),
  passwordOf((w) => w.administrator, "administrator's password"),
  remove(
    (w) => `/users/${w.owner.id}`,
    (w) => ({ transfer_to_user_id: w.self.id }),
    'owner, zones to self'
  ),
  remove(
    (w) => `/users/${w.owner.id}`,
    (w) => ({ transfer_to_user_id: w.colleague.id }),
    'owner, zones to colleague'
  ),
  ...(['user_is_ueberuser', 'zone_content_edit_others', 'zone_content_edit_own'] as const).map(
    (permission) =>
      post(
        '/permission-templates',
        () => ({
          name: unique('t'),
          descr: 'x',
          template_type: 'user',
          permissions: ids(permission),
        }),
        `template with ${permission}`
      )
  ),
  ...(['zone_content_edit_others', 'zone_content_edit_own'] as const).flatMap((permission) => [
    put(
      (w) => `/permission-templates/${w.selfTemplate.id}`,
      (w) => ({
        name: unique('t'),
        descr: 'x',
        template_type: 'user',
        permissions: ids(...w.selfTemplate.permissions, permission),
      }),
      `own template with ${permission}`
    ),
    put(
      (w) => `/permission-templates/${w.unassignedTemplate}`,
      () => ({
        name: unique('t'),
        descr: 'x',
        template_type: 'user',
        permissions: ids(permission),
      }),
      `spare template with ${permission}`
    ),
  ]),
  post(
    (w) => `/groups/${w.foreignGroup}/members`,
    (w) => ({ user_id: w.self.id }),
    'self a member'
  ),
  post(
    (w) => `/groups/${w.ownGroup}/zones`,
    (w) => ({ zone_id: w.foreign.id }),
    'own group the foreign zone'
  ),
  put(
    (w) => `/groups/${w.ownGroup}`,
    (w) => ({ perm_templ_id: w.templates.administrators }),
    'own group administrators'
  ),
  post(
    '/groups',
    (w) => ({ name: unique('g'), perm_templ_id: w.templates.administrators }),
    'a group'
  ),
  post(
    (w) => `/zones/${w.foreign.id}/owners`,
    (w) => ({ user_id: w.self.id }),
    'self owner of the foreign zone'
  ),
  post(
    (w) => `/zones/${w.foreign.id}/owners`,
    (w) => ({ user_ids: [w.colleague.id, w.self.id] }),
    'owners of the foreign zone'
  ),
  post(
    (w) => `/zones/${w.own.id}/owners`,
    (w) => ({ user_id: w.owner.id }),
    'owner an owner of the own zone'
  ),
  post(
    '/zones',
    (w) => ({ name: `sub.${w.foreign.name}`, type: 'MASTER' }),
    'a zone below the foreign one'
  ),
  post(
    '/zones',
    (w) => ({ name: `${unique('new')}.test`, type: 'MASTER', group_ids: [w.foreignGroup] }),
    'a zone of a group'
  ),
  post(
    '/zones',
    (w) => ({ name: `${unique('new')}.test`, type: 'MASTER', owner_user_id: w.owner.id }),
    'a zone of somebody'
  ),
  put(
    (w) => `/zones/${w.own.id}`,
    (w) => ({ name: `renamed.${w.foreign.name}` }),
    'own zone below the foreign one'
  ),
  post('/api-keys', () => ({ name: unique('k') }), 'a key'),
  post(
    '/api-keys',
    (w) => ({ name: unique('k'), user_id: w.administrator.id }),
    "a key of the administrator's"
  ),
  put(
    (w) => `/api-keys/${w.self.keyId}`,
    () => ({
      read_only: false,
      operations: [],
      zones: [],
      zone_restricted: false,
      patterns: [],
      networks: [],
    }),
    'own key without limits'
  ),
  put(
    (w) => `/api-keys/${w.owner.keyId}`,
    () => ({ name: 'mine' }),
    "owner's key"
  ),
  post(
    (w) => `/api-keys/${w.owner.keyId}/regenerate`,
    () => ({}),
    "owner's key anew"
  ),
  ...[{ expires_at: null }, { idle_days: null }, { networks: [] }].map((limit) =>
    put(
      (w) => `/api-keys/${w.self.keyId}`,
      () => limit,
      `own key with ${JSON.stringify(limit)}`
    )
  ),
  post(
    '/api-keys',
    (w) => ({
      name: unique('k'),
      networks: ['127.0.0.0/8'],
      expires_at: new Date(Date.now() + 2 * YEAR).toISOString(),
      idle_days: 3000,
      zones: [w.own.id],
    }),
    'a key for longer, and for more addresses'
  ),
  remove(
    (w) => `/zones/${w.own.id}`,
    () => ({}),
    'own zone'
  ),
  fromTrash((w) => w.own.name, 'own zone'),
  remove(
    (w) => `/zones/${w.foreign.id}`,
    () => ({}),
    'foreign zone'
  ),
  fromTrash((w) => w.foreign.name, 'foreign zone'),
  remove(
    (w) => `/zones/${w.foreign.id}/owners/${w.owner.id}`,
    () => ({}),
    'owner from the foreign zone'
  ),
]

type Path = string | ((world: World) => string)
type Body = (world: World) => object

function post(path: Path, body: Body, name: string): Climb {
  return climb('POST', path, body, name)
}

function put(path: Path, body: Body, name: string): Climb {
  return climb('PUT', path, body, name)
}

function patch(path: Path, body: Body, name: string): Climb {
  return climb('PATCH', path, body, name)
}

function remove(path: Path, body: Body, name: string): Climb {
  return climb('DELETE', path, body, name)
}

/** Returns the call that signs in with a known password. */
function passwordOf(
  whose: (world: World) => { id: number; username: string },
  name: string
): Climb {
  const change = put(
    (w) => `/users/${whose(w).id}`,
    () => ({ password: PASSWORD }),
    name
  )
  return { ...change, signsInAs: whose }
}

function fromTrash(zone: (world: World) => string, name: string): Climb {
  return {
    createsUser: false,
    name: `restore ${name}`,
    send: async (world) => {
      const row: { id: number } | null = await db
        .from('zw_trash')
        .where('zone_name', zone(world))
        .first()
      return world.as.post(`/trash/${row?.id ?? 0}/restore`, {})
    },
  }
}

function climb(method: string, path: Path, body: Body, name: string): Climb {
  return {
    createsUser: method === 'POST' && path === '/users',
    name: `${method} ${typeof path === 'string' ? path : ''} ${name}`,
    send: (world) =>
      world.as.send(method, typeof path === 'string' ? path : path(world), body(world)),
  }
}

/** Permissions on the zones of their owner. */
const EDITING: Permission[] = ['zone_content_view_own', 'zone_content_edit_own']
export const ZONES: Permission[] = [
  ...EDITING,
  'zone_meta_edit_own',
  'zone_master_add',
  'api_manage_keys',
]
