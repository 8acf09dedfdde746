import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isSuperUser, type Actor } from '#access/actor'
import { demand } from '#access/demand'
import { isRowId } from '#database/rows/row_ids'
import { notFound } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { listInMemory, withStoredNames } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'

/** A stored group. */
export interface GroupRow {
  id: number
  name: string
  description: string
  permission_template_id: number
  /** ISO 8601. */
  created_at: string
  updated_at: string
}

/** A group in a list. */
export interface ListedGroup extends GroupRow {
  member_count: number
  /** Counts only zones that the actor may view. */
  zone_count: number
}

/** Counts the visible zones of each group; groups without any are absent. */
export type ZoneCounts = (groupIds: number[]) => Promise<Map<number, number>>

/** Columns and filters of the list. */
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
  shortReason: 'administrators create groups one by one',
})

/** Counts that a list can contain. */
const COUNT_FIELDS = ['member_count', 'zone_count'] as const
const ZERO_COUNTS = { member_count: 0, zone_count: 0 }

type CountField = (typeof COUNT_FIELDS)[number]
type GroupQuery = ListQuery<keyof typeof GROUP_LIST.sort, never>

/**
 * Lists the groups that the actor may view: administrators all, others their groups. Throws a 403
 * `Refusal` for API keys with patterns.
 */
export async function listGroups(
  actor: Actor,
  query: GroupQuery,
  zoneCounts: ZoneCounts
): Promise<ListResult<ListedGroup>> {
  demand(actor, { action: 'group.list' })
  const groups = db.from('zw_groups').select('zw_groups.*')
  if (!isSuperUser(actor)) {
    groups.whereIn('id', [0, ...actor.groups.map(({ id }) => id)])
  }
  const rows = (await groups) as GroupRow[]
  // Only a sort by a count needs the count of every group.
  const sortedCounts = COUNT_FIELDS.filter((count) =>
    query.sort.some(({ field }) => field === count)
  )
  const rowsWithoutCounts = withStoredNames(rows.map((row) => ({ ...row, ...ZERO_COUNTS })))
  const rowsForSort = await withCounts(rowsWithoutCounts, sortedCounts, zoneCounts)
  const { rows: shown, ...pageInfo } = listInMemory(GROUP_LIST, query, rowsForSort)
  const otherCounts = COUNT_FIELDS.filter((count) => !sortedCounts.includes(count))
  return { rows: await withCounts(shown, otherCounts, zoneCounts), ...pageInfo }
}

/** Returns a group with its counts. Throws as `viewGroup`. */
export async function findGroup(
  actor: Actor,
  id: number,
  zoneCounts: ZoneCounts
): Promise<ListedGroup> {
  const group = await viewGroup(actor, id)
  const [found] = await withCounts([{ ...group, ...ZERO_COUNTS }], COUNT_FIELDS, zoneCounts)
  return found
}

/**
 * Returns the group if the actor may view it. Throws a 403 `Refusal` for actors who are no members,
 * also for a missing group, and otherwise a 404.
 */
export async function viewGroup(actor: Actor, id: number): Promise<GroupRow> {
  demand(actor, { action: 'group.view', groupId: id })
  return findGroupRow(db.connection(), id)
}

/** Returns the row of a group. Throws a 404 `Refusal` if it does not exist. */
export async function findGroupRow(client: QueryClientContract, id: number): Promise<GroupRow> {
  const row: GroupRow | null = isRowId(id)
    ? await client.from('zw_groups').where('id', id).first()
    : null
  if (!row) {
    throw notFound('Group not found')
  }
  return row
}

/**
 * Returns the group if the actor may edit groups. Throws a 403 `Refusal`, then a 404 for a missing
 * group.
 */
export async function openGroup(actor: Actor, id: number): Promise<GroupRow> {
  demand(actor, { action: 'group.manage' })
  return findGroupRow(db.connection(), id)
}

/** Adds the given counts; other counts stay. */
async function withCounts<Row extends ListedGroup>(
  rows: Row[],
  counts: readonly CountField[],
  zoneCounts: ZoneCounts
): Promise<Row[]> {
  const ids = rows.map(({ id }) => id)
  let found = rows
  for (const count of counts) {
    const numbers = await (count === 'member_count' ? memberCounts(ids) : zoneCounts(ids))
    found = found.map((row) => ({ ...row, [count]: numbers.get(row.id) ?? 0 }))
  }
  return found
}

async function memberCounts(groupIds: number[]): Promise<Map<number, number>> {
  const rows: { group_id: number; total: number | string }[] = await db
    .from('zw_group_members')
    .whereIn('group_id', [0, ...groupIds])
    .groupBy('group_id')
    .select('group_id')
    .count('* as total')
  return new Map(rows.map((row) => [row.group_id, Number(row.total)]))
}
