import type { Cell, Setting } from './cell.ts'
import { zoneIds } from './record_cells.ts'
import type { Statement } from './statements.ts'

const PAGE = 50

/** Cells of change requests: lists and actions. */
export async function requestCells(setting: Setting): Promise<Cell[]> {
  return [...(await requestLists(setting)), ...(await requestWrites(setting))]
}

/** Filtered lists of change requests, for reviewers and requesters. */
async function requestLists({ scene, bare }: Setting): Promise<Cell[]> {
  const [{ total }] = await bare.rows(['select count(*) as total from zw_change_requests'])
  const middle = Math.max(1, Math.floor(Number(total) / PAGE / 2))
  const zones = await bare.rows([
    'select zone_id from zw_change_request_zones order by request_id desc limit 200',
  ])
  /** A page of requests with their zones and actions, and the total count. */
  const page = (condition: string, offset = 0): Statement[] => {
    const rows = `from zw_change_requests r${condition}`
    const window = `order by r.id desc limit ${PAGE} offset ${offset}`
    const parts = (table: string): Statement => [
      `select p.* from zw_change_request_${table} p join (select r.id ${rows} ${window}) mine
       on mine.id = p.request_id`,
    ]
    return [
      [`select r.* ${rows} ${window}`],
      parts('zones'),
      parts('actions'),
      [`select count(*) as total ${rows}`],
    ]
  }
  const cell = (name: string, query: string, more: Partial<Cell> = {}): Cell => ({
    name: name ? `requests-${name}` : 'requests',
    path: `/api/v2/change-requests?per_page=${PAGE}${query}`,
    ...more,
  })
  return [
    cell('', '', { bare: () => page(` where r.status = 'pending'`) }),
    cell('rejected', '&status=rejected', { bare: () => page(` where r.status = 'rejected'`) }),
    cell('all', '&status=all', { bare: () => page('') }),
    cell('all-middle', `&status=all&page=${middle}`, {
      bare: () => page('', (middle - 1) * PAGE),
    }),
    cell('zone', '&zone_id={zone}', {
      values: async () => ({ zone: zones.map((row) => Number(row.zone_id)) }),
      rows: 1,
    }),
    cell('own', '&status=all', {
      as: 'owner',
      bare: () => page(` where r.requester_id = ${scene.owner.id}`),
    }),
    cell('walk', '&status=all', { walk: true, rows: PAGE }),
    { name: 'requests-whole', path: '/api/v2/change-requests?status=all', whole: true },
  ]
}

/** Submits, comments and decides change requests, in this order. */
async function requestWrites(setting: Setting): Promise<Cell[]> {
  const ids = await zoneIds(setting)
  /** Pending requests with this comment. */
  const filed = (remark: string) => async () => {
    const rows = await setting.bare.rows([
      `select id from zw_change_requests where request_comment = ? and status = 'pending' order by id`,
      remark,
    ])
    return { request: rows.map((row) => Number(row.id)) }
  }
  const file = (name: string, remark: string): Cell => ({
    name,
    method: 'POST',
    path: '/api/v2/zones/{zone}/change-requests',
    body: JSON.stringify({
      comment: remark,
      actions: [{ op: 'add', record: { name: 'wish-{n}', type: 'A', content: '{ip}', ttl: 300 } }],
    }),
    status: 201,
    values: async () => ({ zone: ids }),
    rows: 1,
  })
  const decide = (step: string, remark: string): Cell => ({
    name: `request-${step}`,
    method: 'POST',
    path: `/api/v2/change-requests/{request}/${step}`,
    body: '{}',
    values: filed(remark),
    once: true,
    rows: 1,
  })
  return [
    file('request-post', 'measured'),
    {
      name: 'request-get',
      path: '/api/v2/change-requests/{request}',
      values: filed('measured'),
      rows: 1,
    },
    {
      name: 'request-comment',
      method: 'POST',
      path: '/api/v2/change-requests/{request}/comments',
      body: JSON.stringify({ text: 'seen {n}' }),
      status: 201,
      values: filed('measured'),
      rows: 1,
    },
    {
      ...decide('rebase', 'measured'),
      // Pretends that the zones have changed. Otherwise the update would change nothing.
      values: async () => {
        const filedOnes = `select id from zw_change_requests where request_comment = 'measured'`
        await setting.bare.rows([
          `update zw_change_request_zones set base_serial = 1 where request_id in (${filedOnes})`,
        ])
        return filed('measured')()
      },
    },
    decide('approve', 'measured'),
    file('request-post-again', 'to be rejected'),
    decide('reject', 'to be rejected'),
    file('request-post-own', 'to be cancelled'),
    {
      name: 'request-delete',
      method: 'DELETE',
      path: '/api/v2/change-requests/{request}',
      values: filed('to be cancelled'),
      once: true,
      rows: 1,
    },
  ]
}
