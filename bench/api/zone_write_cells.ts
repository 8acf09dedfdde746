import type { Cell, Setting } from './cell.ts'
import { zoneIds } from './record_cells.ts'

/** Writes of a zone beside its records, and of all its records at once. */
export async function zoneWriteCells(setting: Setting): Promise<Cell[]> {
  const ids = await zoneIds(setting)
  const zone = async () => ({ zone: ids })
  const kind = '/api/v2/zones/{zone}/metadata/X-BENCH'
  const file = `$ORIGIN {name}.\nfile 300 IN A {ip}\n`
  const rows = await setting.bare.rows([
    `select name from domains where id in (${ids.join(', ')}) order by id`,
  ])
  const template = (step: string, how: object, values: Cell['values']): Cell => ({
    name: `zone-template-${step}`,
    method: 'POST',
    path: `/api/v2/zone-templates/${setting.scene.smallTemplate}/${step}`,
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
    { name: 'metadata-delete', method: 'DELETE', path: kind, values: zone, once: true, rows: 1 },
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
    template('sync', { link: true }, zone),
    template('unlink', {}, async () => {
      const found = await setting.bare.rows([
        `select z.id from zw_zone_template_links l join zw_zones z on z.uid = l.zone_uid
         where l.template_id = ? order by z.id limit 200`,
        setting.scene.smallTemplate,
      ])
      return { zone: found.map((row) => Number(row.id)) }
    }),
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
      values: async () => {
        const found = await setting.bare.rows([
          `select distinct domain_id from records where type = 'A' and name like 'set.%' order by domain_id`,
        ])
        return { zone: found.map((row) => Number(row.domain_id)) }
      },
      once: true,
      rows: 2,
    },
  ]
}
