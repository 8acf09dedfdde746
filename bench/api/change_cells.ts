import type { Cell, Setting } from './cell.ts'
import { zoneIds } from './record_cells.ts'

/** Dynamic DNS updates with and without a change: by host token, by password and over the API. */
export async function dynamicCells({ scene, bare }: Setting): Promise<Cell[]> {
  const names = scene.hosts.map(({ name }) => `'${name}'`).join(', ')
  const hosts = {
    host: scene.hosts.map(({ name }) => name),
    token: scene.hosts.map(({ token }) => token),
  }
  /** The current address of each host. */
  const same = async () => {
    const rows = await bare.rows([
      `select name, content from records where type = 'A' and name in (${names})`,
    ])
    const known = new Map(rows.map((row) => [String(row.name), String(row.content)]))
    return { ...hosts, address: hosts.host.map((name) => String(known.get(name))) }
  }
  const update = '/nic/update'
  return [
    {
      name: 'ddns-same',
      as: 'router',
      path: `${update}/{token}?hostname={host}&myip={address}`,
      answer: 'nochg',
      values: same,
      rows: 0,
    },
    {
      name: 'ddns-same-password',
      as: 'router with a password',
      path: `${update}?hostname={host}&myip={address}`,
      answer: 'nochg',
      values: same,
      rows: 0,
    },
    {
      name: 'ddns-change',
      as: 'router',
      path: `${update}/{token}?hostname={host}&myip={ip}`,
      answer: 'good',
      values: async () => hosts,
      rows: 1,
    },
    {
      name: 'ddns-change-api',
      as: 'owner',
      method: 'POST',
      path: '/api/v2/dynamic-dns',
      body: JSON.stringify({ hostname: '{host}', ipv4: '{ip}' }),
      values: async () => hosts,
      rows: 1,
    },
  ]
}

/** Changes of two zones at once, undo of single entries, and restore of zones. */
export async function changeCells(setting: Setting): Promise<Cell[]> {
  const { bare } = setting
  const ids = await zoneIds(setting)
  const among = ids.join(', ')
  const zones = await bare.rows([`select name from domains where id in (${among}) order by id`])
  const names = zones.map((row) => String(row.name))
  const shifted = [...names.slice(1), names[0]]
  const set = (name: string) => ({
    op: 'set',
    name: `both.${name}`,
    type: 'A',
    ttl: 300,
    records: [{ content: '{ip}' }],
  })
  /** The last entry of each of these zones, and the entry before it. */
  const entries = async () => {
    const rows = await bare.rows([
      `select zone_id, max(entry) as entry from zw_journal where zone_id in (${among}) group by zone_id
       having max(entry) > 1 order by zone_id`,
    ])
    const numbers = (name: string) => rows.map((row) => Number(row[name]))
    return {
      zone: numbers('zone_id'),
      entry: numbers('entry'),
      before: numbers('entry').map((entry) => entry - 1),
    }
  }
  return [
    {
      name: 'changes-2-zones',
      method: 'POST',
      path: '/api/v2/changes',
      body: JSON.stringify({ actions: [set('{name}'), set('{other}')] }),
      status: 201,
      values: async () => ({ name: names, other: shifted }),
      rows: 2,
    },
    {
      name: 'undo',
      method: 'POST',
      path: '/api/v2/zones/{zone}/history/{entry}/undo',
      body: '{}',
      values: entries,
      once: true,
      rows: 1,
    },
    {
      name: 'restore',
      method: 'POST',
      path: '/api/v2/zones/{zone}/restore',
      body: '{"entry":{before}}',
      values: entries,
      once: true,
      rows: 1,
    },
  ]
}

/** Restores zones that were deleted by other cells. */
export function trashCells({ bare }: Setting, parent: string): Cell[] {
  return [
    {
      name: 'trash-restore',
      method: 'POST',
      path: '/api/v2/trash/{trash}/restore',
      body: '{}',
      status: 201,
      values: async () => {
        const rows = await bare.rows([
          'select id from zw_trash where zone_name like ? order by id',
          `%.${parent}`,
        ])
        return { trash: rows.map((row) => Number(row.id)) }
      },
      once: true,
      rows: 1,
    },
  ]
}
