import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isSuperUser, type Actor } from '#access/actor'
import { demand } from '#access/demand'
import { isRowId } from '#database/row_ids'
import { notFound } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { listInMemory, stored } from '#lists/in_memory'
import type { Listed } from '#lists/listed'
import type { ListQuery } from '#lists/query'

/** A group as it is stored. */
export interface GroupRow {
  id: number
  name: string
  description: string
  permission_template_id: number
  /** Moments, ISO 8601. */
  created_at: string
  updated_at: string
}

/** A group in a list. */
export interface ListedGroup extends GroupRow {
  member_count: number
  /** Of those zones that the actor may know of. */
  zone_count: number
}

/** How many of the zones of each group the actor may know of; groups without any are absent. */
export type ZoneCounts = (groupIds: number[]) => Promise<Map<number, number>>

/** What the list of groups can be asked for. */
export const GROUP_LIST = defineList({
  sort: {
    id: 'number',
    name: 'natural',
    member_count: 'number',
    zone_count: 'number',
    created_at: 'plain',
  },
  search: ['name', 'description'],
  defaultOrder: [{ field: 'stored_name' }, { field: 'id' }],
})

type GroupQuery = ListQuery<keyof typeof GROUP_LIST.sort, never>

/**
 * The groups that the actor may know of: all of them for administrators, for others their own. Throws a 403
 * `Refusal` where the API key is for records only.
 */
export async function listGroups(
  actor: Actor,
  query: GroupQuery,
  zoneCounts: ZoneCounts
): Promise<Listed<ListedGroup>> {
  demand(actor, { action: 'group.list' })
  const groups = db.from('zw_groups').select('zw_groups.*')
  if (!isSuperUser(actor)) {
    groups.whereIn('id', [0, ...actor.groups.map(({ id }) => id)])
  }
  const rows = (await groups) as GroupRow[]
  return listInMemory(GROUP_LIST, query, stored(await counted(rows, zoneCounts)))
}

/** One group with its counts. Throws as `viewGroup`. */
export async function findGroup(
  actor: Actor,
  id: number,
  zoneCounts: ZoneCounts
): Promise<ListedGroup> {
  const [group] = await counted([await viewGroup(actor, id)], zoneCounts)
  return group
}

/**
 * Goes on only for whoever may know of the group. Throws a 403 `Refusal` for whoever is no member, so that
 * nobody learns which groups there are, and a 404 for one that is not there.
 */
export async function viewGroup(actor: Actor, id: number): Promise<GroupRow> {
  demand(actor, { action: 'group.view', groupId: id })
  return groupOf(db.connection(), id)
}

/** The row of a group. Throws a 404 `Refusal` when there is none. */
export async function groupOf(client: QueryClientContract, id: number): Promise<GroupRow> {
  const row: GroupRow | null = isRowId(id)
    ? await client.from('zw_groups').where('id', id).first()
    : null
  if (!row) {
    throw notFound('Group not found')
  }
  return row
}

/**
 * Goes on only for whoever may change groups, and with a group that there is. Throws a 403 `Refusal`, or else a
 * 404.
 */
export async function openGroup(actor: Actor, id: number): Promise<GroupRow> {
  demand(actor, { action: 'group.manage' })
  return groupOf(db.connection(), id)
}

async function counted(rows: GroupRow[], zoneCounts: ZoneCounts): Promise<ListedGroup[]> {
  const ids = rows.map(({ id }) => id)
  const members: { group_id: number; total: number | string }[] = await db
    .from('zw_group_members')
    .whereIn('group_id', [0, ...ids])
    .groupBy('group_id')
    .select('group_id')
    .count('* as total')
  const memberCounts = new Map(members.map((row) => [row.group_id, Number(row.total)]))
  const zones = await zoneCounts(ids)
  return rows.map((row) => ({
    ...row,
    member_count: memberCounts.get(row.id) ?? 0,
    zone_count: zones.get(row.id) ?? 0,
  }))
}
