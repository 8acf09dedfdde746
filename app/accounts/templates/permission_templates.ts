import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { ShownPermission } from '#accounts/templates/permission_list'
import { isRowId } from '#database/rows/row_ids'
import { notFound } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { listInMemory, withStoredNames } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'

/** Kind of holders of a template. */
export type TemplateType = 'user' | 'group'

export const TEMPLATE_TYPES: readonly TemplateType[] = ['user', 'group']

/** A stored permission template. */
export interface TemplateRow {
  id: number
  name: string
  description: string
  template_type: TemplateType
}

/** A permission template with the names of its permissions. */
export interface TemplateDetail extends TemplateRow {
  permissions: ShownPermission[]
}

/** Columns and filters of the list. */
export const TEMPLATE_LIST = defineList({
  sort: { id: 'number', name: 'natural', template_type: 'natural' },
  filters: { type: TEMPLATE_TYPES },
  search: ['name', 'description'],
  defaultOrder: [{ field: 'stored_name' }, { field: 'id' }],
  shortReason: 'administrators create templates one by one',
})

type TemplateQuery = ListQuery<
  keyof typeof TEMPLATE_LIST.sort,
  keyof typeof TEMPLATE_LIST.filters & string
>

/** Lists permission templates. Throws a 403 `Refusal` if the actor may not edit them. */
export async function listTemplates(
  actor: Actor,
  query: TemplateQuery
): Promise<ListResult<TemplateRow>> {
  demand(actor, { action: 'template.view' })
  const rows: TemplateRow[] = await db.from('zw_permission_templates')
  const filterable = rows.map((row) => ({ ...row, type: row.template_type }))
  return listInMemory(TEMPLATE_LIST, query, withStoredNames(filterable))
}

/** Returns one template. Throws as `listTemplates`, and a 404 for a missing one. */
export async function findTemplate(actor: Actor, id: number): Promise<TemplateDetail> {
  demand(actor, { action: 'template.view' })
  return loadTemplate(db.connection(), id)
}

/** Returns a template with its permissions. Throws a 404 `Refusal` if it does not exist. */
export async function loadTemplate(
  client: QueryClientContract,
  id: number
): Promise<TemplateDetail> {
  const row: TemplateRow | null = isRowId(id)
    ? await client.from('zw_permission_templates').where('id', id).first()
    : null
  if (!row) {
    throw notFound('Permission template not found')
  }
  const permissions: ShownPermission[] = await client
    .from('zw_permission_template_items as i')
    .join('zw_permissions as p', 'p.id', 'i.permission_id')
    .where('i.template_id', id)
    .orderBy('p.name')
    .select('p.id', 'p.name', 'p.description')
  return { ...row, permissions }
}
