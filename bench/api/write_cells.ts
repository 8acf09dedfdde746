import type { Cell, Setting } from './cell.ts'
import { changeCells, dynamicCells, trashCells } from './change_cells.ts'
import { words, zoneIds } from './record_cells.ts'
import type { BareDatabase, Row, Statement } from './statements.ts'

/** Parent of the zones that cells create. */
const NEW_ZONES = 'made.bench.invalid'

/** The minimum transaction of a write: locks the SOA, writes the rows, updates the serial. */
function transaction(bare: BareDatabase, soa: Row, writes: Statement[]): Statement[] {
  const lock = bare.kind === 'sqlite' ? '' : ' for update'
  return [
    [bare.kind === 'sqlite' ? 'begin immediate' : 'begin'],
    [`select id, content from records where id = ?${lock}`, soa.id],
    ...writes,
    ['update records set content = ? where id = ?', soa.content, soa.id],
    ['commit'],
  ]
}

const INSERT = `insert into records (domain_id, name, type, content, ttl, prio, disabled, auth)
  values (?, ?, 'A', ?, 300, 0, false, true)`

/** Cells of all kinds of writes. Creations precede changes and deletions. */
export async function writeCells(setting: Setting): Promise<Cell[]> {
  const { bare, scene } = setting
  const ids = await zoneIds(setting)
  const zone = async () => ({ zone: ids })
  // Bare rows go into secondaries, which no other cell writes. Elsewhere they would be external changes.
  const soas = await bare.rows([
    `select r.id, r.domain_id, r.content from records r join domains d on d.id = r.domain_id
     where d.type = 'SLAVE' and r.type = 'SOA' and d.id between ? and ?`,
    scene.first,
    scene.last,
  ])
  const inserts = (id: unknown, n: number, count: number) =>
    Array.from({ length: count }, (_, i): Statement => [
      INSERT,
      id,
      `bare-${n}-${i}.bench.invalid`,
      '192.0.2.1',
    ])
  const inserting = (count: number) => (n: number) => {
    const soa = soas[n % soas.length]
    return transaction(bare, soa, inserts(soa.domain_id, n, count))
  }
  /** Records that the first cell created. */
  const createdRecords = async () => {
    const rows = await bare.rows([
      `select id, domain_id from records where domain_id in (${ids.join(', ')}) and name like ? order by id`,
      'new-%',
    ])
    return {
      zone: rows.map((row) => Number(row.domain_id)),
      record: rows.map((row) => Number(row.id)),
    }
  }
  const createdZones = async () => {
    const rows = await bare.rows(['select id from domains where name like ?', `%.${NEW_ZONES}`])
    return { zone: rows.map((row) => Number(row.id)) }
  }
  const operations = (count: number) =>
    JSON.stringify({
      operations: Array.from({ length: count }, (_, i) => ({
        action: 'create',
        name: `bulk-{n}-${i}`,
        type: 'A',
        content: '192.0.2.1',
        ttl: 300,
      })),
    })
  const post = (name: string, path: string): Cell => ({
    name,
    method: 'POST',
    path,
    body: JSON.stringify({ name: 'new-{n}', type: 'A', content: '{ip}', ttl: 300 }),
    status: 201,
    rows: 1,
  })
  const bulk = (count: number): Cell => ({
    name: `bulk-${count}`,
    method: 'POST',
    path: '/api/v2/zones/{zone}/records/bulk',
    body: operations(count),
    values: zone,
    connections: [1, 4],
    rows: count,
    bare: inserting(count),
  })
  const { large } = scene
  return [
    { ...post('record-post', '/api/v2/zones/{zone}/records'), values: zone, bare: inserting(1) },
    {
      ...post(`record-post-${words(large.records)}`, `/api/v2/zones/${large.id}/records`),
      family: 'record-post-large',
      bare: inserting(1),
    },
    {
      name: 'record-put',
      method: 'PUT',
      path: '/api/v2/zones/{zone}/records/{record}',
      body: JSON.stringify({ content: '{ip}', ttl: 600 }),
      values: createdRecords,
      rows: 1,
    },
    {
      name: 'rrset-put',
      method: 'PUT',
      path: '/api/v2/zones/{zone}/rrsets',
      body: JSON.stringify({
        name: 'set',
        type: 'A',
        ttl: 300,
        records: [{ content: '{ip}' }, { content: '192.0.2.1' }],
      }),
      values: zone,
      rows: 2,
    },
    {
      name: 'record-delete',
      method: 'DELETE',
      path: '/api/v2/zones/{zone}/records/{record}',
      status: 204,
      values: createdRecords,
      once: true,
      rows: 1,
    },
    ...(await changeCells(setting)),
    ...(await dynamicCells(setting)),
    bulk(100),
    bulk(1000),
    {
      name: 'zone-post',
      method: 'POST',
      path: '/api/v2/zones',
      body: JSON.stringify({ name: `zone-{n}.${NEW_ZONES}`, type: 'MASTER' }),
      status: 201,
      rows: 1,
    },
    {
      name: 'zone-delete',
      method: 'DELETE',
      path: '/api/v2/zones/{zone}',
      status: 204,
      values: createdZones,
      once: true,
      rows: 1,
    },
    ...trashCells(setting, NEW_ZONES),
  ]
}
