import type { Cell, Setting } from './cell.ts'
import type { BareDatabase } from './statements.ts'

/** A kind of object that is created, changed and deleted. */
interface Kind {
  /** Prefix of the cell names. */
  name: string
  path: string
  /** Body of the creation; `{n}` is unique. */
  body: object
  /** Body of the change; absent if the kind cannot be changed. */
  change?: object
  /** Table of the created rows. Their names start with `made-`. */
  table: string
  column?: string
  /** The parent for `{within}` in the path: its table and name, and the column that refers to it. */
  within?: { table: string; column: string; name: string }
  /** Status of the deletion, if it is not 200. */
  gone?: number
}

/** Names of objects that cells create. */
const MADE = 'made-{n}'

/** Cells that create, change and delete accounts, templates, keys and similar objects. */
export function objectCells(setting: Setting): Cell[] {
  const kinds: Kind[] = [
    {
      name: 'user',
      path: '/users',
      body: { username: MADE, password: 'a password for measuring' },
      change: { fullname: 'Somebody {n}' },
      table: 'zw_users',
      column: 'username',
    },
    {
      name: 'group',
      path: '/groups',
      body: { name: MADE, perm_templ_id: 10 },
      change: { description: 'number {n}' },
      table: 'zw_groups',
    },
    {
      name: 'permission-template',
      path: '/permission-templates',
      body: { name: MADE, descr: '', permissions: [43, 44] },
      change: { name: `${MADE}-again`, descr: 'number {n}', permissions: [43] },
      table: 'zw_permission_templates',
    },
    {
      name: 'zone-template',
      path: '/zone-templates',
      body: { name: MADE, description: '' },
      change: { description: 'number {n}' },
      table: 'zw_zone_templates',
    },
    {
      name: 'zone-template-record',
      // Templates limit their records, so the created records are spread over many templates.
      path: '/zone-templates/{within}/records',
      within: { table: 'zw_zone_templates', column: 'template_id', name: 'template%' },
      body: { name: `${MADE}.[ZONE]`, type: 'A', content: '{ip}', ttl: 300 },
      change: { name: `${MADE}.[ZONE]`, type: 'A', content: '{ip}', ttl: 600 },
      table: 'zw_zone_template_records',
    },
    {
      name: 'api-key',
      path: '/api-keys',
      body: { name: MADE },
      change: { read_only: true, name: `${MADE}-again` },
      table: 'zw_api_keys',
      gone: 204,
    },
    {
      name: 'webhook',
      path: '/webhooks',
      // A disabled webhook sends nothing.
      body: { name: MADE, url: 'https://hooks.example.com/', enabled: false },
      change: { name: `${MADE}-again` },
      table: 'zw_webhooks',
      gone: 204,
    },
  ]
  return [
    ...kinds.flatMap((kind) => lifeOf(kind, setting)),
    ...serverCells(setting),
    ...cellsOfObjects(setting),
  ]
}

function lifeOf(kind: Kind, { bare }: Setting): Cell[] {
  const { name, path, table, column = 'name', within } = kind
  const made = async () => {
    const rows = await bare.rows([
      `select id, ${within?.column ?? 'id'} as place from ${table}
       where ${column} like 'made-%' order by id`,
    ])
    const numbers = (member: string) => rows.map((row) => Number(row[member]))
    return { made: numbers('id'), within: numbers('place') }
  }
  const places = async () => {
    const rows = await bare.rows([
      `select id from ${within!.table} where name like '${within!.name}' order by id`,
    ])
    return { within: rows.map((row) => Number(row.id)) }
  }
  const objectPath = `/api/v2${path}/{made}`
  const change: Cell = {
    name: `${name}-put`,
    method: 'PUT',
    path: objectPath,
    body: JSON.stringify(kind.change),
    values: made,
    rows: 1,
  }
  return [
    {
      name: `${name}-post`,
      method: 'POST',
      path: `/api/v2${path}`,
      body: JSON.stringify(kind.body),
      status: 201,
      ...(within ? { values: places } : {}),
      rows: 1,
    },
    { name: `${name}-get`, path: objectPath, values: made, rows: 1 },
    ...(kind.change ? [change] : []),
    ...(name === 'user' ? [templateAssignment(objectPath, made, bare)] : []),
    {
      name: `${name}-delete`,
      method: 'DELETE',
      path: objectPath,
      status: kind.gone ?? 200,
      values: made,
      once: true,
      rows: 1,
    },
  ]
}

/** Assigns another permission template to users. */
function templateAssignment(
  path: string,
  made: NonNullable<Cell['values']>,
  bare: BareDatabase
): Cell {
  return {
    name: 'user-patch',
    method: 'PATCH',
    path,
    body: '{"perm_templ":{template}}',
    values: async () => {
      const { made: users } = await made()
      const templates = await bare.rows([
        `select id from zw_permission_templates where name in ('Editor', 'Guest') order by id`,
      ])
      return {
        made: templates.flatMap(() => users),
        template: templates.flatMap(({ id }) => users.map(() => Number(id))),
      }
    },
    rows: 1,
  }
}

/** Host tokens, autoprimaries and permanent deletions from the trash, which are found by other queries. */
function serverCells({ scene, bare }: Setting): Cell[] {
  const found = (name: string, select: string) => async () => {
    const rows = await bare.rows([select])
    return { [name]: rows.map((row) => String(row[name])) }
  }
  const autoprimaries = found(
    'host',
    `select nameserver as host from supermasters where ip = '192.0.2.200'`
  )
  const autoprimary = '/api/v2/autoprimaries/192.0.2.200/{host}'
  const gone = { method: 'DELETE', status: 204, once: true, rows: 1 }
  return [
    {
      name: 'token-post',
      as: 'owner',
      method: 'POST',
      path: '/api/v2/dynamic-dns/tokens',
      body: JSON.stringify({ hostname: '{host}', name: 'token-{n}' }),
      status: 201,
      values: async () => ({ host: scene.hosts.map(({ name }) => name) }),
      rows: 1,
    },
    {
      ...gone,
      name: 'token-delete',
      as: 'owner',
      path: '/api/v2/dynamic-dns/tokens/{id}',
      values: found('id', `select id from zw_api_keys where name like 'token-%' order by id`),
    },
    {
      name: 'autoprimary-post',
      method: 'POST',
      path: '/api/v2/autoprimaries',
      body: JSON.stringify({ ip: '192.0.2.200', nameserver: 'ns{n}.made.bench.invalid' }),
      status: 201,
      rows: 1,
    },
    {
      name: 'autoprimary-put',
      method: 'PUT',
      path: autoprimary,
      body: JSON.stringify({ account: 'a{n}' }),
      values: autoprimaries,
      rows: 1,
    },
    { ...gone, name: 'autoprimary-delete', path: autoprimary, values: autoprimaries },
    {
      ...gone,
      name: 'trash-delete',
      path: '/api/v2/trash/{id}',
      values: found(
        'id',
        `select id from zw_trash where zone_name like 'gone%' order by id limit 200`
      ),
    },
  ]
}

/** Adds and removes members and zones of groups, and owners of zones. */
function cellsOfObjects({ scene, bare }: Setting): Cell[] {
  const membership = (
    name: string,
    path: string,
    member: string,
    from: string,
    members: string
  ) => {
    const ids = (select: string) => async () => {
      const rows = await bare.rows([`${select} order by 1 limit 500`])
      return { id: rows.map((row) => Number(row.id)) }
    }
    const common = { once: true, rows: 1 }
    const post: Cell = {
      ...common,
      name: `${name}-post`,
      method: 'POST',
      path: `/api/v2${path}`,
      body: `{"${member}":{id}}`,
      status: 201,
      values: ids(`${from} not in (${members})`),
    }
    const remove: Cell = {
      ...common,
      name: `${name}-delete`,
      method: 'DELETE',
      path: `/api/v2${path}/{id}`,
      values: ids(`${from} in (${members})`),
    }
    return [post, remove]
  }
  const { places, first, owner } = scene
  const users = `select id from zw_users where description like 'Team %' and id`
  // The last owner of a zone cannot be removed.
  const zones = `select zone_id as id from zw_zone_owners where user_id = ${owner.id} and zone_id`
  const of = (table: string, column: string, where: string) =>
    `select ${column} from ${table} where ${where}`
  return [
    ...membership(
      'member',
      `/groups/${places}/members`,
      'user_id',
      users,
      of('zw_group_members', 'user_id', `group_id = ${places}`)
    ),
    ...membership(
      'group-zone',
      `/groups/${places}/zones`,
      'zone_id',
      zones,
      of('zw_zone_groups', 'zone_id', `group_id = ${places}`)
    ),
    ...membership(
      'owner',
      `/zones/${first}/owners`,
      'user_id',
      users,
      of('zw_zone_owners', 'user_id', `zone_id = ${first}`)
    ),
  ]
}
