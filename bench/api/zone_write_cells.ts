import type { Cell, Setting } from './cell.ts'
import { zoneIds } from './record_cells.ts'

/** Writes of zone properties, and of all records of a zone at once. */
export async function zoneWriteCells(setting: Setting): Promise<Cell[]> {
  const { bare, scene } = setting
  const ids = await zoneIds(setting)
  const zone = async () => ({ zone: ids })
  const kind = '/api/v2/zones/{zone}/metadata/X-BENCH'
  const file = `$ORIGIN {name}.\nfile 300 IN A {ip}\n`
  const among = ids.join(', ')
  const rows = await bare.rows([`select name from domains where id in (${among}) order by id`])
  const linked = `select zone_uid from zw_zone_template_links where template_id = ${scene.smallTemplate}`
  /** Rows to change, read when the cell is measured. */
  const found = (name: string, select: string) => async () => {
    const selected = await bare.rows([select])
    return { [name]: selected.map((row) => Number(row[name])) }
  }
  const template = (step: string, how: object, values: Cell['values']): Cell => ({
    name: `zone-template-${step}`,
    method: 'POST',
    path: `/api/v2/zone-templates/${scene.smallTemplate}/${step}`,
    body: JSON.stringify({ zones: ['{zone}'], ...how }).replace('"{zone}"', '{zone}'),
    values,
    once: true,
    rows: 1,
  })
  return [
    {
      name: 'zone-put',
      method: 'PUT',
      path: '/api/v2/zones/{zone}',
      body: JSON.stringify({ description: 'number {n}' }),
      values: zone,
      rows: 1,
    },
    {
      name: 'metadata-put',
      method: 'PUT',
      path: kind,
      body: JSON.stringify({ values: ['{n}'] }),
      values: zone,
      rows: 1,
    },
    { name: 'metadata', path: '/api/v2/zones/{zone}/metadata', values: zone },
    {
      name: 'metadata-delete',
      method: 'DELETE',
      path: kind,
      values: found(
        'zone',
        `select domain_id as zone from domainmetadata where kind = 'X-BENCH' order by domain_id`
      ),
      once: true,
      rows: 1,
    },
    {
      name: 'import',
      method: 'POST',
      path: '/api/v2/zones/{zone}/import',
      body: JSON.stringify({ zone_file: file, mode: 'merge' }),
      values: async () => ({ zone: ids, name: rows.map((row) => String(row.name)) }),
      rows: 1,
    },
    { name: 'export', path: '/api/v2/zones/{zone}/export', values: zone, rows: 10 },
    {
      name: 'zone-clone',
      method: 'POST',
      path: '/api/v2/zones/{zone}/clone',
      body: JSON.stringify({ name: 'clone-{n}.cloned.bench.invalid' }),
      status: 201,
      values: zone,
      rows: 1,
    },
    // Zones without this template: synchronised zones would not change.
    template(
      'sync',
      { link: true },
      found(
        'zone',
        `select z.id as zone from zw_zones z where z.id in (${among}) and z.uid not in (${linked}) order by z.id`
      )
    ),
    template(
      'unlink',
      {},
      found(
        'zone',
        `select z.id as zone from zw_zones z where z.uid in (${linked}) order by z.id limit 200`
      )
    ),
    {
      name: 'save-template',
      method: 'POST',
      path: '/api/v2/zones/{zone}/save-template',
      body: JSON.stringify({ name: 'saved-{n}', description: '' }),
      status: 201,
      values: zone,
      rows: 1,
    },
    {
      name: 'rrset-delete',
      method: 'DELETE',
      path: '/api/v2/zones/{zone}/rrsets/set/A',
      status: 204,
      values: found(
        'zone',
        `select distinct domain_id as zone from records where type = 'A' and name like 'set.%' order by domain_id`
      ),
      once: true,
      rows: 2,
    },
  ]
}
