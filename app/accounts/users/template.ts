import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { UserFacts } from '#access/rules/account_rules'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { isPermission, type Permission } from '#access/permissions'
import { isRowId } from '#database/rows/row_ids'
import { invalid } from '#exceptions/refusal'

const NO_PERMISSIONS = new Set<Permission>()

/**
 * Throws unless the actor may assign the template to the user (null: a new user). A 403 before the
 * template is read, a 400 if it is no user template, and a 403 if the actor may not assign it.
 */
export async function demandTemplateAssignment(
  client: QueryClientContract,
  actor: Actor,
  user: UserFacts | null,
  templateId: number | null
): Promise<void> {
  demand(actor, { action: 'user.assign_template', user, template: NO_PERMISSIONS })
  const template = templateId === null ? null : await findTemplatePermissions(client, templateId)
  if (!template) {
    throw invalid(`Permission template not found: there is no user template ${templateId}`)
  }
  demand(actor, { action: 'user.assign_template', user, template })
}

/**
 * Returns the user templates that the actor may assign to the user (null: a new user), by name;
 * empty without the right.
 */
export async function findAssignableTemplates(
  actor: Actor,
  user: UserFacts | null
): Promise<{ id: number; name: string }[]> {
  const isAllowed = (template: ReadonlySet<Permission>) =>
    authorize(actor, { action: 'user.assign_template', user, template }).allowed
  if (!isAllowed(NO_PERMISSIONS)) {
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
    return isAllowed(new Set(names.filter(isPermission)))
  })
}

/** Returns the permissions of a user template; null if it does not exist. */
export async function findTemplatePermissions(
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
 * Returns the id of the user template with the fewest permissions, then by name, without
 * administrator rights. Throws a 400 if there is none.
 */
export async function requireLeastPrivilegedTemplate(client: QueryClientContract): Promise<number> {
  const least = await findLeastPrivileged(client, 'user')
  if (least === null) {
    throw invalid('No permission template available to assign: specify an existing one')
  }
  return least
}

/** The same for templates of users or groups; null if there is none. */
export async function findLeastPrivileged(
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
