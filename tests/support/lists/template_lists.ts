import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { caller, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import { REFERENCE } from '#tests/support/lists/tables'
import { timestampOf, textOf, TEXTS } from '#tests/support/lists/texts'
import type { Random } from '#tests/support/random'

type Stored = Record<string, string | number | null>

/** Zone templates and their records, each with random rows in its tables. */
export async function templateLists(client: ApiClient, random: Random): Promise<ListUnderTest[]> {
  const root = caller(client, await administrator())
  await addTemplates(random)
  const template = await createZoneTemplate(root)
  await addRecords(random, template)
  for (let i = 0; i < 3; i++) {
    const { id } = await createZone(root, { name: zoneNamed() })
    const { uid } = await db.from('zw_zones').where('id', id).firstOrFail()
    const now = timestampOf(random)
    await db.table('zw_zone_template_links').insert({
      zone_uid: String(uid),
      template_id: template,
      linked_at: now,
      synced_at: now,
      given: '[]',
    })
  }
  const single = { key: 'id', foldedBy: 'server' as const, words: [] }
  return [
    {
      ...single,
      as: root,
      path: '/zone-templates',
      member: 'templates',
      reference: REFERENCE.zoneTemplates,
      rows: async () => {
        const rows: Stored[] = await db.from('zw_zone_templates')
        const links: Stored[] = await db
          .from('zw_zone_template_links as l')
          .join('zw_zones as z', 'z.uid', 'l.zone_uid')
          .whereNotNull('z.kind')
          .select('l.template_id')
        return rows.map((cells) => ({
          id: cells.id,
          cells: {
            ...cells,
            zones_linked: links.filter((link) => link.template_id === cells.id).length,
          },
        }))
      },
    },
    {
      ...single,
      as: root,
      path: `/zone-templates/${template}/records`,
      member: 'records',
      reference: REFERENCE.templateRecords,
      rows: async () => {
        const rows: Stored[] = await db
          .from('zw_zone_template_records')
          .where('template_id', template)
        return rows.map((cells) => ({ id: cells.id, cells }))
      },
    },
  ]
}

async function addTemplates(random: Random): Promise<void> {
  const word = unique('zt')
  const now = timestampOf(random)
  const templates = TEXTS.map((text, index) => ({
    name: `${word}${text}${random.chance(0.3) ? '' : `-${index % 5}`}-${index}`,
    description: textOf(random),
    is_global: random.chance(0.5),
    created_at: now,
    updated_at: now,
  }))
  await db.table('zw_zone_templates').multiInsert(templates)
}

/** Adds records whose contents are shown as they are stored. */
async function addRecords(random: Random, template: number): Promise<void> {
  const records = TEXTS.map((text, index) => ({
    template_id: template,
    name: random.pick(['[ZONE]', 'www.[ZONE]', 'host2', 'host10', 'WWW', `a${text}`]),
    type: random.pick(['A', 'MX', 'CNAME', 'AAAA']),
    content: random.pick([`192.0.2.${index}`, 'mail.[ZONE]', `h${text}`, 'x10', 'x9']),
    ttl: random.pick([0, 60, 3600]),
    priority: random.pick([0, 10, 20]),
  }))
  await db.table('zw_zone_template_records').multiInsert(records)
}
