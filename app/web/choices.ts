import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { findUser } from '#accounts/users/named_users'
import { invalid } from '#exceptions/refusal'
import { visibleTemplates } from '#zones/templates/zone_templates'

/** Groups that a form offers. */
const MOST_GROUPS = 200

/** Groups that somebody may give zones to when they make them: all for administrators, own ones for others. */
export async function groupChoices(actor: Actor): Promise<{ id: number; name: string }[]> {
  if (!authorize(actor, { action: 'group.manage' }).allowed) {
    return actor.groups.map(({ id, name }) => ({ id, name }))
  }
  const rows: { id: number; name: string }[] = await db
    .from('zw_groups')
    .orderBy('name')
    .limit(MOST_GROUPS)
    .select('id', 'name')
  return rows
}

/** Id of the user of that name. Throws a 400 `Refusal` where there is none. */
export async function userNamed(name: string): Promise<number> {
  const user = name.length > 255 ? null : await findUser(name.trim())
  if (!user) {
    throw invalid(`There is no user named '${name.slice(0, 100)}'`)
  }
  return user.id
}

/** Zone templates that somebody may use, by name. */
export async function templateChoices(actor: Actor): Promise<{ id: number; name: string }[]> {
  if (!authorize(actor, { action: 'zone_template.view', template: null }).allowed) {
    return []
  }
  const templates = await visibleTemplates(db.connection(), actor)
  return templates
    .map(({ id, name }) => ({ id, name }))
    .sort((one, other) => one.name.localeCompare(other.name))
}
