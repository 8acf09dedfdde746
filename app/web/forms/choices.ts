import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { findReferencedGroups } from '#accounts/groups/references'
import { demandManageOthersKeys } from '#accounts/keys/access'
import { findUser } from '#accounts/users/named_users'
import { rowIdIn } from '#database/rows/row_ids'
import { whereLike } from '#database/trigram_index/like'
import { invalid } from '#exceptions/refusal'
import { visibleTemplates } from '#zones/templates/zone_templates'

/** Maximum number of groups in a form. */
const MAX_GROUPS = 200
/** Maximum number of names that a field suggests. */
export const MAX_CHOICES = 50
const MAX_SUGGESTED = 10

/** Maximum number of groups as checkboxes. If there are more, the user enters a name. */
export const MAX_TICKS = 20

/** Objects whose names fields suggest. `heirs` are users and groups, as `user: name` and `group: name`. */
export const NAMED_KINDS = ['users', 'groups', 'heirs'] as const
export type NamedKind = (typeof NAMED_KINDS)[number]

/**
 * Groups to which the actor may assign new zones: the first of all for administrators, own groups for others.
 *
 * @param chosen ids of groups that are always included
 */
export async function groupChoices(
  actor: Actor,
  chosen: number[] = []
): Promise<{ id: number; name: string }[]> {
  if (!authorize(actor, { action: 'group.manage' }).allowed) {
    return actor.groups.map(({ id, name }) => ({ id, name }))
  }
  const groups = () => db.from('zw_groups').orderBy('name').limit(MAX_GROUPS).select('id', 'name')
  const rows: { id: number; name: string }[] = await groups()
  const listedIds = new Set(rows.map(({ id }) => id))
  const missingIds = chosen.filter((id) => Number.isInteger(id) && !listedIds.has(id))
  const namedGroups: { id: number; name: string }[] =
    missingIds.length > 0 ? await groups().whereIn('id', missingIds.slice(0, MAX_GROUPS)) : []
  return [...rows, ...namedGroups]
}

/** Returns the first names of groups, for a field with suggestions. */
export async function groupNames(actor: Actor): Promise<string[]> {
  const groups = await groupChoices(actor)
  return groups.slice(0, MAX_CHOICES).map(({ name }) => name)
}

/** Permission templates of a type. Only for actors who may assign or view templates. */
export async function permissionTemplateNames(
  type: 'user' | 'group'
): Promise<{ id: number; name: string }[]> {
  const rows: { id: number; name: string }[] = await db
    .from('zw_permission_templates')
    .where('template_type', type)
    .orderBy('name')
    .select('id', 'name')
  return rows
}

/** User names that a field suggests; empty if the actor may not list users. */
export async function userChoices(actor: Actor, except = 0): Promise<string[]> {
  if (!authorize(actor, { action: 'user.list' }).allowed) {
    return []
  }
  const rows: { username: string }[] = await db
    .from('zw_users')
    .whereNot('id', except)
    .orderBy('username')
    .limit(MAX_CHOICES)
    .select('username')
  return rows.map(({ username }) => username)
}

/**
 * Returns the first names that contain a text: of users if the actor may list them, of groups as
 * `groupChoices`.
 */
export async function namesLike(actor: Actor, kind: NamedKind, text: string): Promise<string[]> {
  const word = text.trim()
  if (word === '') {
    return []
  }
  if (kind === 'heirs') {
    const name = word.replace(/^(?:user|group):\s*/u, '')
    const users = word.startsWith('group:') ? [] : await namesLike(actor, 'users', name)
    const managesGroups = authorize(actor, { action: 'group.manage' }).allowed
    const offersGroups = managesGroups && !word.startsWith('user:')
    const groups = offersGroups ? await namesLike(actor, 'groups', name) : []
    return [...users.map((one) => `user: ${one}`), ...groups.map((one) => `group: ${one}`)]
  }
  if (kind === 'users') {
    const mayList = authorize(actor, { action: 'user.list' }).allowed
    return mayList ? namesIn('zw_users', 'username', word) : []
  }
  if (authorize(actor, { action: 'group.manage' }).allowed) {
    return namesIn('zw_groups', 'name', word)
  }
  const ownGroupNames = actor.groups.map(({ name }) => name)
  return ownGroupNames.filter((name) => name.toLowerCase().includes(word.toLowerCase()))
}

async function namesIn(table: string, column: string, word: string): Promise<string[]> {
  const rows = db.from(table).orderBy(column).limit(MAX_SUGGESTED).select(`${column} as name`)
  whereLike(rows, [column], [`%${word.replaceAll(/[!%_]/g, '!$&')}%`])
  const namedRows = (await rows) as { name: string }[]
  return namedRows.map(({ name }) => name)
}

/** Returns the id of a group by its exact name, otherwise by digits of the id. Throws a 400 `Refusal` for a missing group. */
export async function groupNamed(word: string): Promise<number> {
  const name = word.trim().slice(0, 300)
  const rows: { id: number; name: string }[] = await db
    .from('zw_groups')
    .where('name', name)
    .select('id', 'name')
  const found = rows.find((row) => row.name === name)
  if (found) {
    return found.id
  }
  const isId = /^[1-9]\d{0,8}$/.test(name)
  const [group] = await findReferencedGroups(db.connection(), [isId ? Number(name) : name])
  return group.id
}

/** Users and groups that can become owners, as `user: name` and `group: name`. */
export async function recipientChoices(actor: Actor, except: number): Promise<string[]> {
  const users = await userChoices(actor, except)
  const groups = authorize(actor, { action: 'group.manage' }).allowed
    ? await groupChoices(actor)
    : []
  return [
    ...users.map((username) => `user: ${username}`),
    ...groups.slice(0, MAX_CHOICES).map(({ name }) => `group: ${name}`),
  ]
}

/** Returns whether the actor manages groups and may look them up by name. */
export function canAssignGroups(actor: Actor): boolean {
  return authorize(actor, { action: 'group.manage' }).allowed
}

/** Returns the id of the user with that name. Throws a 400 `Refusal` for a missing user. */
export async function userNamed(name: string): Promise<number> {
  const user = name.length > 255 ? null : await findUser(name.trim())
  if (!user) {
    throw invalid(`There is no user named '${name.slice(0, 100)}'`)
  }
  return user.id
}

/**
 * Returns the id of the user with that name, whose keys or host tokens the actor manages. Actors who manage only their own get
 * the same 404 for every name. Throws a 400 `Refusal` for a missing user.
 */
export async function keyOwnerNamed(
  actor: Actor,
  name: string,
  isHostToken = false
): Promise<number> {
  demandManageOthersKeys(actor, isHostToken)
  return userNamed(name)
}

/**
 * Returns the id of the zone template of a form: by id, or by name if there are too many to list; undefined without one.
 * Throws a 400 `Refusal` for a missing name.
 */
export async function templateIn(
  actor: Actor,
  { template = '', template_name: typed = '' }: { template?: string; template_name?: string }
): Promise<number | undefined> {
  const name = typed.trim()
  if (name === '') {
    return template === '' ? undefined : rowIdIn(template)
  }
  const templates = await templateChoices(actor)
  const found = templates.find((one) => one.name === name)
  if (!found) {
    throw invalid(`There is no zone template named '${name.slice(0, 100)}'`)
  }
  return found.id
}

/** Names of zone templates that the actor may use. */
export async function templateChoices(actor: Actor): Promise<{ id: number; name: string }[]> {
  if (!authorize(actor, { action: 'zone_template.view', template: null }).allowed) {
    return []
  }
  const templates = await visibleTemplates(db.connection(), actor)
  return templates
    .map(({ id, name }) => ({ id, name }))
    .sort((one, other) => one.name.localeCompare(other.name))
}
