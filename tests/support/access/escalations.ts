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
  send: (fixtures: World) => PromiseLike<ApiResponse>
  /** User whose password the climber knows after the call. The climber may then do all that this user may do. */
  signsInAs?: (fixtures: World) => { username: string }
}

const PASSWORD = 'a Password that 1 policy takes'

const YEAR = 365 * 86_400_000

const user = (overrides: object) => () => {
  const username = unique('made')
  return { username, password: PASSWORD, ...overrides }
}

/** Every kind of call that grants rights to the caller or to others, directly or indirectly. */
export const CLIMBS: Climb[] = [
  post('/users', user({}), 'a user'),
  post(
    '/users',
    (fixtures) => ({ ...user({})(), perm_templ: fixtures.templates.administrator }),
    'an administrator'
  ),
  post(
    '/users',
    (fixtures) => ({ ...user({})(), perm_templ: fixtures.templates.manager }),
    'a zone manager'
  ),
  post(
    '/users',
    (fixtures) => ({ ...user({})(), groups: [fixtures.foreignGroup] }),
    'a user in a group'
  ),
  put(
    (fixtures) => `/users/${fixtures.self.id}`,
    (fixtures) => ({ perm_templ: fixtures.templates.administrator }),
    'self administrator'
  ),
  put(
    (fixtures) => `/users/${fixtures.self.id}`,
    (fixtures) => ({ perm_templ: fixtures.templates.manager }),
    'self zone manager'
  ),
  patch(
    (fixtures) => `/users/${fixtures.self.id}`,
    (fixtures) => ({ perm_templ: fixtures.unassignedTemplate }),
    'self spare template'
  ),
  patch(
    (fixtures) => `/users/${fixtures.colleague.id}`,
    (fixtures) => ({ perm_templ: fixtures.unassignedTemplate }),
    'colleague spare template'
  ),
  patch(
    (fixtures) => `/users/${fixtures.colleague.id}`,
    (fixtures) => ({ perm_templ: fixtures.templates.administrator }),
    'colleague administrator'
  ),
  passwordOf((fixtures) => fixtures.owner, "owner's password"),
  passwordOf((fixtures) => fixtures.administrator, "administrator's password"),
  remove(
    (fixtures) => `/users/${fixtures.owner.id}`,
    (fixtures) => ({ transfer_to_user_id: fixtures.self.id }),
    'owner, zones to self'
  ),
  remove(
    (fixtures) => `/users/${fixtures.owner.id}`,
    (fixtures) => ({ transfer_to_user_id: fixtures.colleague.id }),
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
      (fixtures) => `/permission-templates/${fixtures.selfTemplate.id}`,
      (fixtures) => ({
        name: unique('t'),
        descr: 'x',
        template_type: 'user',
        permissions: ids(...fixtures.selfTemplate.permissions, permission),
      }),
      `own template with ${permission}`
    ),
    put(
      (fixtures) => `/permission-templates/${fixtures.unassignedTemplate}`,
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
    (fixtures) => `/groups/${fixtures.foreignGroup}/members`,
    (fixtures) => ({ user_id: fixtures.self.id }),
    'self a member'
  ),
  post(
    (fixtures) => `/groups/${fixtures.ownGroup}/zones`,
    (fixtures) => ({ zone_id: fixtures.foreign.id }),
    'own group the foreign zone'
  ),
  put(
    (fixtures) => `/groups/${fixtures.ownGroup}`,
    (fixtures) => ({ perm_templ_id: fixtures.templates.administrators }),
    'own group administrators'
  ),
  post(
    '/groups',
    (fixtures) => ({ name: unique('g'), perm_templ_id: fixtures.templates.administrators }),
    'a group'
  ),
  post(
    (fixtures) => `/zones/${fixtures.foreign.id}/owners`,
    (fixtures) => ({ user_id: fixtures.self.id }),
    'self owner of the foreign zone'
  ),
  post(
    (fixtures) => `/zones/${fixtures.foreign.id}/owners`,
    (fixtures) => ({ user_ids: [fixtures.colleague.id, fixtures.self.id] }),
    'owners of the foreign zone'
  ),
  post(
    (fixtures) => `/zones/${fixtures.own.id}/owners`,
    (fixtures) => ({ user_id: fixtures.owner.id }),
    'owner an owner of the own zone'
  ),
  post(
    '/zones',
    (fixtures) => ({ name: `sub.${fixtures.foreign.name}`, type: 'MASTER' }),
    'a zone below the foreign one'
  ),
  post(
    '/zones',
    (fixtures) => ({
      name: `${unique('new')}.test`,
      type: 'MASTER',
      group_ids: [fixtures.foreignGroup],
    }),
    'a zone of a group'
  ),
  post(
    '/zones',
    (fixtures) => ({
      name: `${unique('new')}.test`,
      type: 'MASTER',
      owner_user_id: fixtures.owner.id,
    }),
    'a zone of somebody'
  ),
  put(
    (fixtures) => `/zones/${fixtures.own.id}`,
    (fixtures) => ({ name: `renamed.${fixtures.foreign.name}` }),
    'own zone below the foreign one'
  ),
  post('/api-keys', () => ({ name: unique('k') }), 'a key'),
  post(
    '/api-keys',
    (fixtures) => ({ name: unique('k'), user_id: fixtures.administrator.id }),
    "a key of the administrator's"
  ),
  put(
    (fixtures) => `/api-keys/${fixtures.self.keyId}`,
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
    (fixtures) => `/api-keys/${fixtures.owner.keyId}`,
    () => ({ name: 'mine' }),
    "owner's key"
  ),
  post(
    (fixtures) => `/api-keys/${fixtures.owner.keyId}/regenerate`,
    () => ({}),
    "owner's key anew"
  ),
  ...[{ expires_at: null }, { idle_days: null }, { networks: [] }].map((limit) =>
    put(
      (fixtures) => `/api-keys/${fixtures.self.keyId}`,
      () => limit,
      `own key with ${JSON.stringify(limit)}`
    )
  ),
  post(
    '/api-keys',
    (fixtures) => ({
      name: unique('k'),
      networks: ['127.0.0.0/8'],
      expires_at: new Date(Date.now() + 2 * YEAR).toISOString(),
      idle_days: 3000,
      zones: [fixtures.own.id],
    }),
    'a key for longer, and for more addresses'
  ),
  remove(
    (fixtures) => `/zones/${fixtures.own.id}`,
    () => ({}),
    'own zone'
  ),
  fromTrash((fixtures) => fixtures.own.name, 'own zone'),
  remove(
    (fixtures) => `/zones/${fixtures.foreign.id}`,
    () => ({}),
    'foreign zone'
  ),
  fromTrash((fixtures) => fixtures.foreign.name, 'foreign zone'),
  remove(
    (fixtures) => `/zones/${fixtures.foreign.id}/owners/${fixtures.owner.id}`,
    () => ({}),
    'owner from the foreign zone'
  ),
]

type Path = string | ((fixtures: World) => string)
type Body = (fixtures: World) => object

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
  whose: (fixtures: World) => { id: number; username: string },
  name: string
): Climb {
  const change = put(
    (fixtures) => `/users/${whose(fixtures).id}`,
    () => ({ password: PASSWORD }),
    name
  )
  return { ...change, signsInAs: whose }
}

function fromTrash(zone: (fixtures: World) => string, name: string): Climb {
  return {
    createsUser: false,
    name: `restore ${name}`,
    send: async (fixtures) => {
      const row: { id: number } | null = await db
        .from('zw_trash')
        .where('zone_name', zone(fixtures))
        .first()
      return fixtures.as.post(`/trash/${row?.id ?? 0}/restore`, {})
    },
  }
}

function climb(method: string, path: Path, body: Body, name: string): Climb {
  return {
    createsUser: method === 'POST' && path === '/users',
    name: `${method} ${typeof path === 'string' ? path : ''} ${name}`,
    send: (fixtures) =>
      fixtures.as.send(method, typeof path === 'string' ? path : path(fixtures), body(fixtures)),
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
