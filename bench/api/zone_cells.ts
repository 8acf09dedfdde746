import type { Cell, Setting } from './cell.ts'
import { pagesBefore, partsOf } from './fresh.ts'
import { words as sizeInWords } from './record_cells.ts'
import type { Statement } from './statements.ts'

const PAGE = 50
const COLUMNS = 'd.id, d.name, d.type'

/** A page of the bare zone list and the total count, for a condition and an order. */
function page(condition: string, values: unknown[], order: string, offset: number): Statement[] {
  const rows = `from domains d ${condition}`
  return [
    [`select ${COLUMNS} ${rows} order by ${order} limit ${PAGE} offset ${offset}`, ...values],
    [`select count(*) as total ${rows}`, ...values],
  ]
}

/** Cells of zone lists. */
export async function zoneCells({ scene, zones, bare }: Setting): Promise<Cell[]> {
  const last = Math.ceil(zones / PAGE)
  const middle = Math.max(1, Math.floor(last / 2))
  const pathOf = (number: number | string, sort = '') =>
    `/api/v2/zones?per_page=${PAGE}&page=${number}${sort && `&sort=${sort}`}`
  const offset = (number: number) => (number - 1) * PAGE
  const far = { fresh: pagesBefore(middle) }
  const pageCells: [string, number, Partial<Cell>?][] = [
    ['', 1],
    ['-middle', middle, { ...far, path: pathOf('{fresh}') }],
    ['-last', last],
  ]
  const pages = pageCells.map(([word, number, more]): Cell => {
    const work = page('', [], 'd.name', offset(number))
    return { name: `zones-page50${word}`, path: pathOf(number), bare: () => work, ...more }
  })
  const orders: [string, string, string][] = [
    ['name', 'name', 'd.name'],
    ['name-desc', 'name:desc', 'd.name desc'],
    ['type-name', 'type,name', 'd.type, d.name'],
    ['id-desc', 'id:desc', 'd.id desc'],
  ]
  const sorted = orders.map(([word, sort, order], i): Cell => {
    // Pages that the cells above did not request: the default order is by name, too.
    const fresh = pagesBefore(middle, 1 + i)
    const work = page('', [], order, offset(middle))
    return {
      name: `zones-page50-sort-${word}`,
      path: pathOf('{fresh}', sort),
      bare: () => work,
      fresh,
    }
  })

  const some = await bare.rows([
    'select name from domains where id >= ? order by id limit 11',
    Math.floor((scene.first + scene.last) / 2),
  ])
  const labels = some.map((row) => String(row.name).split('.')[0])
  const [rare] = labels
  const texts: [string, string[]][] = [
    ['', labels],
    ['-all', partsOf('.bench.invalid').next('bench')],
    ['-2-letters', 'or be nc va li id so ma de qu to'.split(' ')],
  ]
  const searched = texts.map(([word, fresh]): Cell => {
    const work = page('where d.name like ?', [`%${fresh[0]}%`], 'd.name', 0)
    return { name: `zones-q${word}`, path: `${pathOf(1)}&q={fresh}`, fresh, bare: () => work }
  })
  const trees = ['forward', 'ipv4'].map((tree) => {
    return { name: `zones-tree-${tree}`, path: `${pathOf(1)}&tree=${tree}` }
  })
  const listed = await bare.rows(['select name from domains order by id limit 500'])
  const names = listed.map((row) => String(row.name))
  const owned = (table: string, column: string, id: number) => {
    const mine = `join ${table} o on o.zone_id = d.id where o.${column} = ?`
    const work = page(mine, [id], 'd.name', 0)
    return () => work
  }
  return [
    ...pages,
    ...sorted,
    ...searched,
    ...trees,
    {
      name: 'zones-name',
      path: '/api/v2/zones?name={name}',
      values: async () => ({ name: names }),
      bare: (n) => [[`select ${COLUMNS} from domains d where d.name = ?`, names[n % names.length]]],
    },
    {
      name: 'zones-page50-owner-1000',
      as: 'owner',
      path: pathOf(1),
      bare: owned('zw_zone_owners', 'user_id', scene.owner.id),
    },
    {
      name: 'zones-page50-owner-1000-last-sort-name-desc',
      as: 'owner',
      path: pathOf(Math.ceil(Math.min(zones - 1, 1000) / PAGE), 'name:desc'),
    },
    { name: 'zones-page50-owner-1000-q', as: 'owner', path: `${pathOf(1)}&q=${rare.slice(0, 4)}` },
    {
      name: 'zones-page50-group-1000',
      as: 'member',
      path: pathOf(1),
      bare: owned('zw_zone_groups', 'group_id', scene.group),
    },
    { name: 'zones-walk', path: `/api/v2/zones?per_page=1000`, walk: true, rows: 1000 },
    {
      name: 'zones-all',
      path: '/api/v2/zones',
      whole: true,
      bare: () => [[`select ${COLUMNS} from domains d order by d.name`]],
    },
    {
      name: 'group-zones-page50',
      as: 'member',
      path: `/api/v2/groups/${scene.group}/zones?per_page=${PAGE}`,
    },
  ]
}

/** Lists of accounts, of objects created with the zones, and short lists. */
export function accountCells({ scene }: Setting): Cell[] {
  const lists: [name: string, path: string][] = [
    ['users', '/users?per_page=50'],
    ['users-q', '/users?per_page=50&q=person%2077%20of'],
    ['users-sort', '/users?per_page=50&page=10&sort=username:desc'],
    ['users-sort-fullname', '/users?per_page=50&page=10&sort=fullname,email:desc'],
    ['user', `/users/${scene.owner.id}`],
    ['users-username', '/users?username=bench-owner'],
    ['users-email', '/users?email=bench-owner@bench.invalid'],
    ['groups', '/groups?per_page=50'],
    ['groups-q', '/groups?per_page=50&q=name7'],
    ['groups-sort-zone-count', '/groups?per_page=50&sort=zone_count:desc'],
    ['group', `/groups/${scene.group}`],
    ['group-members-q', `/groups/${scene.group}/members?per_page=50&q=bench`],
    ['group-members', `/groups/${scene.group}/members?per_page=50`],
    ['group-zones-q', `/groups/${scene.group}/zones?per_page=50&q=shop`],
    ['permissions', '/permissions'],
    ['permission', '/permissions/43'],
    ['permissions-q', '/permissions?q=zone'],
    ['permission-templates', '/permission-templates'],
    ['permission-templates-q', '/permission-templates?type=user&q=edit'],
    ['zone-templates', '/zone-templates?per_page=50'],
    ['zone-templates-q', '/zone-templates?per_page=50&q=template7'],
    ['zone-template-drift', `/zone-templates/${scene.template}/drift?per_page=50`],
    ['zone-templates-sort-zones-linked', '/zone-templates?per_page=50&sort=zones_linked:desc'],
    ['zone-template-records', `/zone-templates/${scene.template}/records?per_page=50`],
    ['zone-template-records-content', `/zone-templates/${scene.template}/records?content=0.1.`],
    ['autoprimaries', '/autoprimaries?per_page=50'],
    ['autoprimaries-q', '/autoprimaries?per_page=50&q=ns7&sort=nameserver:desc'],
    ['webhooks', '/webhooks'],
    ['webhook-deliveries', `/webhooks/${scene.webhook}/deliveries?per_page=50`],
    ['jobs', '/jobs'],
    ['job-runs', '/jobs/history:prune/runs?per_page=50'],
    ['api-keys', '/api-keys?per_page=50'],
    ['api-keys-q', '/api-keys?per_page=50&q=bench'],
    ['api-keys-user', `/api-keys?per_page=50&user_id=${scene.owner.id}`],
    ['tokens-user', `/dynamic-dns/tokens?per_page=50&user_id=${scene.owner.id}`],
    ['tokens', '/dynamic-dns/tokens?per_page=50'],
    ['tokens-q', '/dynamic-dns/tokens?per_page=50&q=web'],
    ['trash', '/trash?per_page=50'],
  ]
  const cells = lists.map(([name, path]): Cell => ({ name, path: `/api/v2${path}` }))
  return [...cells, { name: 'trash-owner', as: 'owner', path: '/api/v2/trash?per_page=50' }]
}

/** Lists of the audit log and other logs. Measured last, when they have entries. */
export function logCells({ scene }: Setting): Cell[] {
  const { id } = scene.large
  const since = 'since=2026-01-01T00:00:00Z'
  const audit: [name: string, query: string][] = [
    ['', ''],
    ['-zone', `object=zone:${id}`],
    ['-user', 'user=bench-admin'],
    ['-action', 'action=zone'],
    ['-since', since],
  ]
  const history: [name: string, query: string][] = [
    ['', ''],
    ['-changes', 'include=changes'],
    ['-type', 'type=A'],
    ['-user', 'user=bench-admin'],
    ['-channel', 'channel=outside'],
    ['-action', 'action=bulk'],
    ['-since', since],
  ]
  const clients: [name: string, query: string][] = [
    ['', ''],
    ['-code', 'last_code=good'],
    ['-q', 'q=web'],
  ]
  const lists = (name: string, path: string, queries: [string, string][]) =>
    queries.map(([word, query]) => ({
      name: `${name}${word}`,
      path: `/api/v2${path}${query && `&${query}`}`,
    }))
  return [
    ...lists('audit', '/audit?per_page=100', audit),
    ...lists('history', `/zones/${id}/history?per_page=100`, history),
    { name: 'history-entry', path: `/api/v2/zones/${id}/history/1`, rows: 1 },
    ...lists('clients', '/dynamic-dns/clients?per_page=50', clients),
  ]
}

/** Pages of the web interface, requested by a signed-in browser. */
export function webCells({ scene, zones }: Setting): Cell[] {
  const middle = Math.ceil(zones / PAGE / 2)
  const pages: [name: string, path: string][] = [
    ['web-zones', '/zones'],
    ['web-zones-middle', `/zones?page=${middle}`],
    ['web-zones-sort-serial', '/zones?sort=serial'],
    ['web-zones-sort-serial-middle', `/zones?sort=serial&page=${middle}`],
    ['web-zones-sort-changed-desc', '/zones?sort=changed:desc'],
    [
      'web-zones-sort-records-desc-tree-middle',
      `/zones?sort=records:desc&tree=forward&page=${middle}`,
    ],
    ['web-zone', `/zones/${scene.first}`],
    [`web-zone-${sizeInWords(scene.large.records)}`, `/zones/${scene.large.id}`],
  ]
  return pages.map(([name, path]) => ({ name, as: 'browser', path, rows: 1 }))
}

/** Cells of the global search. */
export function searchCells({ scene }: Setting): Cell[] {
  const words: [name: string, q: string][] = [
    ['search-rare', scene.large.name.split('.')[0]],
    ['search-all', 'bench'],
    ['search-address', 'content:10.0.0.'],
    ['search-grammar', 'type:MX name:mail*'],
  ]
  return words.map(([name, q]) => ({
    name,
    path: `/api/v2/search?per_page=50&q=${encodeURIComponent(q)}`,
    optional: true,
  }))
}
