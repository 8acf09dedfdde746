import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'

/** Users and groups with a permission template. */
export interface TemplateHolders {
  users: number
  groups: number
  /** Some of them by name, users first, if the actor may list them. */
  namedHolders: { kind: 'user' | 'group'; id: number; name: string }[]
}

/** Maximum number of names, per kind. */
const MAX_NAMED_HOLDERS = 20

/**
 * Returns the holders of a template. Throws a 403 `Refusal` if the actor may not view templates.
 */
export async function findHolders(actor: Actor, id: number): Promise<TemplateHolders> {
  demand(actor, { action: 'template.view' })
  const users = await readHolders('zw_users', 'username', id)
  const groups = await readHolders('zw_groups', 'name', id)
  const canListUsers = authorize(actor, { action: 'user.list' }).allowed
  const canListGroups = authorize(actor, { action: 'group.manage' }).allowed
  return {
    users: users.total,
    groups: groups.total,
    namedHolders: [
      ...(canListUsers ? users.rows.map((row) => ({ kind: 'user' as const, ...row })) : []),
      ...(canListGroups ? groups.rows.map((row) => ({ kind: 'group' as const, ...row })) : []),
    ],
  }
}

/** Counts the users and groups of each template, by id; unused templates are absent. */
export async function holderCounts(actor: Actor): Promise<Map<number, number>> {
  demand(actor, { action: 'template.view' })
  const counts = new Map<number, number>()
  for (const table of ['zw_users', 'zw_groups']) {
    const rows: { id: number; total: number | string }[] = await db
      .from(table)
      .groupBy('permission_template_id')
      .select('permission_template_id as id')
      .count('* as total')
    for (const { id, total } of rows) counts.set(id, (counts.get(id) ?? 0) + Number(total))
  }
  return counts
}

async function readHolders(table: string, name: string, id: number) {
  const holdersQuery = () => db.from(table).where('permission_template_id', id)
  const [{ total }] = (await holdersQuery().count('* as total')) as [{ total: number | string }]
  const rows: { id: number; name: string }[] = await holdersQuery()
    .orderBy(name)
    .limit(MAX_NAMED_HOLDERS)
    .select('id', `${name} as name`)
  return { total: Number(total), rows }
}
