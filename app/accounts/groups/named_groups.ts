import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { commandOptions } from '#accounts/terms'
import { addMember, removeMember } from '#accounts/groups/members'
import { createGroup, deleteGroup } from '#accounts/groups/writes'
import type { GroupRow } from '#accounts/groups/groups'
import { findUser } from '#accounts/users/named_users'
import { notFound } from '#exceptions/refusal'

/** A group in the output of `group:list`. */
export interface NamedGroup {
  id: number
  name: string
  description: string
  /** Name of its permission template. */
  template: string
  /** Names of users. */
  members: string[]
  /** Number of owned zones. */
  zones: number
}

/** Returns all groups by name, without a check of rights. */
export async function listGroupsByName(): Promise<NamedGroup[]> {
  const groups: Omit<NamedGroup, 'members' | 'zones'>[] = await db
    .from('zw_groups as g')
    .join('zw_permission_templates as t', 't.id', 'g.permission_template_id')
    .orderBy('g.name')
    .select('g.id', 'g.name', 'g.description', 't.name as template')
  const members: { group_id: number; username: string }[] = await db
    .from('zw_group_members as m')
    .join('zw_users as u', 'u.id', 'm.user_id')
    .orderBy('u.username')
    .select('m.group_id', 'u.username')
  const zones: { group_id: number; total: number | string }[] = await db
    .from('zw_zone_groups')
    .groupBy('group_id')
    .select('group_id')
    .count('* as total')
  const byGroup = Map.groupBy(members, (member) => member.group_id)
  const counts = new Map(zones.map((row) => [row.group_id, Number(row.total)]))
  return groups.map((group) => ({
    ...group,
    members: (byGroup.get(group.id) ?? []).map(({ username }) => username),
    zones: counts.get(group.id) ?? 0,
  }))
}

/**
 * Creates a group with a named template. Throws a 404 `Refusal` for a missing group template, and a
 * 400 for an existing name.
 */
export async function createNamedGroup(
  actor: Actor,
  input: { name: string; template: string; description: string }
): Promise<{ id: number }> {
  const templates: { id: number; name: string }[] = await db
    .from('zw_permission_templates')
    .where('template_type', 'group')
    .orderBy('id')
    .select('id', 'name')
  const template = templates.find(({ name }) => name === input.template)
  if (!template) {
    const names = templates.map(({ name }) => `'${name}'`).join(', ')
    throw notFound(`There is no group template named '${input.template}'; available: ${names}`)
  }
  const { name, description } = input
  const { id } = await createGroup(commandOptions(actor), {
    name,
    description,
    templateId: template.id,
  })
  return { id }
}

/**
 * Deletes a group by name. Throws a 404 `Refusal` if it does not exist, and a 409 as `deleteGroup`.
 */
export async function deleteNamedGroup(
  actor: Actor,
  name: string,
  confirmation: { isConfirmed: boolean }
): Promise<void> {
  const { id } = await findGroupByName(name)
  await deleteGroup(commandOptions(actor), id, confirmation)
}

/** Adds or removes a member, both by name. Throws a 404 `Refusal` for a missing user or group. */
export async function changeMembership(
  actor: Actor,
  change: { group: string; username: string; isMember: boolean }
): Promise<void> {
  const { id } = await findGroupByName(change.group)
  const user = await findUser(change.username)
  if (!user) {
    throw notFound(`There is no user named '${change.username}'`)
  }
  const write = change.isMember ? addMember : removeMember
  await write(commandOptions(actor), id, user.id)
}

async function findGroupByName(name: string): Promise<GroupRow> {
  const rows: GroupRow[] = await db.from('zw_groups').orderBy('name')
  const group = rows.find((row) => row.name === name)
  if (!group) {
    const names = rows.map((row) => `'${row.name}'`).join(', ')
    throw notFound(`There is no group named '${name}'; available: ${names}`)
  }
  return group
}
