import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isSuperUser, type Actor } from '#access/actor'
import type { ZoneTemplateFacts } from '#access/authorize'
import { demand } from '#access/demand'
import { isRowId } from '#database/rows/row_ids'
import type { TemplateRecord } from '#dns/templates/template_record'
import { notFound } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { listInMemory, withStoredNames } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import { visibleZones } from '#zones/visibility'

export interface ZoneTemplate {
  id: number
  name: string
  description: string
  /** Id of the owner; null for a global template, and after the owner was deleted. */
  ownerId: number | null
  isGlobal: boolean
}

/** A zone template in a list. */
export interface ListedZoneTemplate extends ZoneTemplate {
  /** Number of visible zones that are linked to it. */
  zones_linked: number
}

/** A stored record of a zone template. */
export interface StoredTemplateRecord extends TemplateRecord {
  id: number
}

/** A zone template with its records, oldest first. */
export interface ZoneTemplateDetail extends ZoneTemplate {
  records: StoredTemplateRecord[]
}

/** Columns and filters of the list. */
export const ZONE_TEMPLATE_LIST = defineList({
  sort: { id: 'number', name: 'natural', zones_linked: 'number' },
  search: ['name', 'description'],
  defaultOrder: [{ field: 'stored_name' }, { field: 'id' }],
  shortReason: 'users create templates one by one',
})

type ZoneTemplateQuery = ListQuery<keyof typeof ZONE_TEMPLATE_LIST.sort, never>

interface TemplateRow {
  id: number
  name: string
  description: string
  user_id: number | null
  is_global: boolean | number
}

/** Lists visible templates: owned and global ones. Throws a 403 `Refusal`. */
export async function listZoneTemplates(
  actor: Actor,
  query: ZoneTemplateQuery
): Promise<ListResult<ListedZoneTemplate>> {
  demand(actor, { action: 'zone_template.view', template: null })
  const templates = await visibleTemplates(db.connection(), actor)
  // Only a sort by this count needs the count of every template.
  const isByNumber = query.sort.some(({ field }) => field === 'zones_linked')
  const uncounted = withStoredNames(templates.map((template) => ({ ...template, zones_linked: 0 })))
  const known = isByNumber ? await withLinkedCounts(actor, uncounted) : uncounted
  const { rows, ...pageInfo } = listInMemory(ZONE_TEMPLATE_LIST, query, known)
  return { rows: isByNumber ? rows : await withLinkedCounts(actor, rows), ...pageInfo }
}

/**
 * Returns a template with its records. Throws a 403 `Refusal` without the right, a 404 for a
 * missing one, and a 403 for a template of another user.
 */
export async function viewZoneTemplate(actor: Actor, id: number): Promise<ZoneTemplateDetail> {
  demand(actor, { action: 'zone_template.view', template: null })
  const template = await zoneTemplateOf(db.connection(), id)
  demand(actor, { action: 'zone_template.view', template })
  return template
}

/** Returns the template if the actor may edit it. Throws as `viewZoneTemplate`. */
export async function openZoneTemplate(actor: Actor, id: number): Promise<ZoneTemplateDetail> {
  demand(actor, { action: 'zone_template.edit', template: null })
  const template = await zoneTemplateOf(db.connection(), id)
  demand(actor, { action: 'zone_template.edit', template })
  return template
}

/** Returns a template with its records. Throws a 404 `Refusal` if it does not exist. */
export async function zoneTemplateOf(
  client: QueryClientContract,
  id: number
): Promise<ZoneTemplateDetail> {
  const row: TemplateRow | null = isRowId(id)
    ? await client.from('zw_zone_templates').where('id', id).first()
    : null
  if (!row) {
    throw missingTemplate()
  }
  const records: (StoredTemplateRecord & { template_id: number })[] = await client
    .from('zw_zone_template_records')
    .where('template_id', id)
    .orderBy('id')
  return {
    ...templateOf(row),
    records: records.map(({ template_id: _, ...record }) => record),
  }
}

/** Returns the visible templates, unsorted. */
export async function visibleTemplates(
  client: QueryClientContract,
  actor: Actor
): Promise<ZoneTemplate[]> {
  const rows = client.from('zw_zone_templates')
  if (!isSuperUser(actor)) {
    rows.where((some) => {
      some.where('is_global', true).orWhere('user_id', actor.userId ?? 0)
    })
  }
  const templateRows = (await rows) as TemplateRow[]
  return templateRows.map(templateOf)
}

/** The error for a missing template. */
export function missingTemplate() {
  return notFound('Zone template not found')
}

function templateOf(row: TemplateRow): ZoneTemplate & ZoneTemplateFacts {
  const { id, name, description, user_id: ownerId } = row
  return { id, name, description, ownerId, isGlobal: Boolean(row.is_global) }
}

async function withLinkedCounts<Row extends ListedZoneTemplate>(
  actor: Actor,
  rows: Row[]
): Promise<Row[]> {
  const linked = await linkedCounts(
    actor,
    rows.map(({ id }) => id)
  )
  return rows.map((row) => ({ ...row, zones_linked: linked.get(row.id) ?? 0 }))
}

/** Counts the visible zones that are linked to each template. */
async function linkedCounts(actor: Actor, ids: number[]): Promise<Map<number, number>> {
  const filterRows = await visibleZones(actor)
  const links = db
    .from('zw_zone_template_links')
    .join('zw_zones', 'zw_zones.uid', 'zw_zone_template_links.zone_uid')
    .whereNotNull('zw_zones.kind')
    .whereIn('zw_zone_template_links.template_id', [0, ...ids])
  filterRows(links)
  const rows = (await links
    .groupBy('zw_zone_template_links.template_id')
    .select('zw_zone_template_links.template_id')
    .count('* as total')) as { template_id: number; total: number | string }[]
  return new Map(rows.map((row) => [row.template_id, Number(row.total)]))
}
