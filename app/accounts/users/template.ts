import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { UserFacts } from '#access/rules/account_rules'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { isPermission, type Permission } from '#access/permissions'
import { isRowId } from '#database/rows/row_ids'
import { invalid } from '#exceptions/refusal'

const ANY = new Set<Permission>()

/**
 * Goes on only if the actor may give the user template to the user (null: to one that is yet to be made).
 * Throws a 403 before anything is said of the template, a 400 for one that is not there or is for groups,
 * and a 403 for one that the actor may not give.
 */
export async function demandTemplate(
  client: QueryClientContract,
  actor: Actor,
  user: UserFacts | null,
  templateId: number | null
): Promise<void> {
  demand(actor, { action: 'user.assign_template', user, template: ANY })
  const template = templateId === null ? null : await permissionsOfTemplate(client, templateId)
  if (!template) {
    throw invalid(`Permission template not found: there is no user template ${templateId}`)
  }
  demand(actor, { action: 'user.assign_template', user, template })
}

/**
 * The user templates that the actor may give to the user (null: to one that is yet to be made), by name; none where
 * they may assign none.
 */
export async function assignableTemplates(
  actor: Actor,
  user: UserFacts | null
): Promise<{ id: number; name: string }[]> {
  const may = (template: ReadonlySet<Permission>) =>
    authorize(actor, { action: 'user.assign_template', user, template }).allowed
  if (!may(ANY)) {
    return []
  }
  const client = db.connection()
  const rows: { id: number; name: string }[] = await client
    .from('zw_permission_templates')
    .where('template_type', 'user')
    .orderBy('name')
    .select('id', 'name')
  const items: { id: number; name: string }[] = await client
    .from('zw_permission_template_items as i')
    .join('zw_permissions as p', 'p.id', 'i.permission_id')
    .select('i.template_id as id', 'p.name')
  const granted = Map.groupBy(items, (item) => item.id)
  return rows.filter(({ id }) => {
    const names = (granted.get(id) ?? []).map(({ name }) => name)
    return may(new Set(names.filter(isPermission)))
  })
}

/** What a user template grants; null where there is no such one. */
export async function permissionsOfTemplate(
  client: QueryClientContract,
  id: number
): Promise<Set<Permission> | null> {
  if (!isRowId(id)) {
    return null
  }
  const rows: { name: string | null }[] = await client
    .from('zw_permission_templates as t')
    .leftJoin('zw_permission_template_items as i', 'i.template_id', 't.id')
    .leftJoin('zw_permissions as p', 'p.id', 'i.permission_id')
    .where({ 't.id': id, 't.template_type': 'user' })
    .select('p.name')
  const names = rows.flatMap(({ name }) => (name !== null && isPermission(name) ? [name] : []))
  return rows.length > 0 ? new Set(names) : null
}

/**
 * Id of the user template with the fewest permissions, then by name, that makes no administrator. Throws a
 * 400 where there is none.
 */
export async function leastPrivilegedTemplate(client: QueryClientContract): Promise<number> {
  const least = await leastOf(client, 'user')
  if (least === null) {
    throw invalid('No permission template available to assign: name one that exists')
  }
  return least
}

/** The same of templates for users or for groups; null where there is none. */
export async function leastOf(
  client: QueryClientContract,
  type: 'user' | 'group'
): Promise<number | null> {
  const rows: { id: number; admin: number | string | null }[] = await client
    .from('zw_permission_templates as t')
    .leftJoin('zw_permission_template_items as i', 'i.template_id', 't.id')
    .leftJoin('zw_permissions as p', 'p.id', 'i.permission_id')
    .where('t.template_type', type)
    .groupBy('t.id', 't.name')
    .orderByRaw('count(i.permission_id), t.name')
    .select(
      't.id',
      client.raw("max(case when p.name = 'user_is_ueberuser' then 1 else 0 end) as admin")
    )
  return rows.find((row) => Number(row.admin) === 0)?.id ?? null
}
