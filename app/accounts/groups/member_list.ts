import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { isSuperUser, type Actor } from '#access/actor'
import { demand } from '#access/demand'
import { findGroupRow } from '#accounts/groups/groups'
import { USER_TEXTS } from '#database/trigram_index/source'
import { defineList } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import { findSmallMatch } from '#lists/sql/small_match'
import { scanSorted } from '#lists/memory/scan'
import type { ListResult } from '#lists/list_result'
import { countRows } from '#lists/sql/filters'
import type { ListQuery } from '#lists/query'
import { sortedBatches, type RowSerializer } from '#lists/memory/sorted_stream'
import { columnOf, containsCondition } from '#lists/sql/columns'
import type { ListSource } from '#lists/source'

/** A member of a group. */
export interface GroupMember {
  user_id: number
  username: string
  fullname: string
  /** Empty without an address. */
  email: string
  /** ISO 8601. */
  joined_at: string
}

/** Columns and filters of the list. */
export const MEMBER_LIST = defineList({
  sort: {
    user_id: 'number',
    username: 'natural',
    fullname: 'natural',
    email: 'natural',
    joined_at: 'plain',
  },
  search: ['username', 'fullname', 'email'],
  defaultOrder: [
    { field: 'joined_at', descending: true },
    { field: 'user_id', descending: true },
  ],
})

type Field = keyof typeof MEMBER_LIST.sort
type MemberQuery = ListQuery<Field, never>
type Row = Omit<GroupMember, 'email'> & { email: string | null }

/** Members per read if no index has the order. */
const READ_BATCH_SIZE = 2_000

/** Serializes members for an external sort. */
const MEMBER_SERIALIZER: RowSerializer<GroupMember> = {
  pack: (member) => member,
  unpack: (packed) => packed as GroupMember,
}

/**
 * Lists the members of a group for administrators, newest first. Throws a 403 `Refusal` for others,
 * and a 404 for a missing group.
 */
export async function listMembers(
  actor: Actor,
  groupId: number,
  query: MemberQuery
): Promise<ListResult<GroupMember>> {
  await demandMembers(actor, groupId)
  if (isNatural(query)) {
    return scanSorted(MEMBER_LIST, { ...query, q: null }, () => scanMembers(groupId, query))
  }
  const source = sourceOf(groupId)
  const { rows, ...pageInfo } = await listInDatabase<Row, Field, Field, never>(
    MEMBER_LIST,
    query,
    source
  )
  return { rows: rows.map(memberFromRow), ...pageInfo }
}

/** As `listMembers`, without paging, in batches. */
export async function* memberBatches(
  actor: Actor,
  groupId: number,
  query: MemberQuery
): AsyncGenerator<GroupMember[], void> {
  await demandMembers(actor, groupId)
  if (isNatural(query)) {
    const readMembers = () => scanMembers(groupId, query)
    yield* sortedBatches(MEMBER_LIST, { ...query, q: null }, readMembers, MEMBER_SERIALIZER)
    return
  }
  const source = sourceOf(groupId)
  const batches = batchesInDatabase<Row, Field, Field, never>(MEMBER_LIST, query, source)
  for await (const rows of batches) {
    yield rows.map(memberFromRow)
  }
}

/** Returns the members by name for administrators, and none for other actors. */
export async function listVisibleMembers(actor: Actor, groupId: number): Promise<GroupMember[]> {
  if (!isSuperUser(actor)) {
    return []
  }
  const rows = (await selectColumns(membersOf(groupId)).orderBy('zw_users.username')) as Row[]
  return rows.map(memberFromRow)
}

/** Returns the ids of all members. Throws as `listMembers`. */
export async function memberIds(actor: Actor, groupId: number): Promise<Set<number>> {
  await demandMembers(actor, groupId)
  const rows: { user_id: number }[] = await db
    .from('zw_group_members')
    .where('group_id', groupId)
    .select('user_id')
  return new Set(rows.map((row) => row.user_id))
}

async function demandMembers(actor: Actor, groupId: number): Promise<void> {
  demand(actor, { action: 'group.view_members' })
  await findGroupRow(db.connection(), groupId)
}

/** Returns whether the order is the natural one, for which the database has no sort keys. */
function isNatural({ sort }: MemberQuery): boolean {
  return sort.some(({ field }) => MEMBER_LIST.sort[field] === 'natural')
}

const COLUMNS: ListSource<Field>['columns'] = {
  user_id: { column: 'zw_group_members.user_id', unique: true },
  username: 'zw_users.username',
  fullname: 'zw_users.fullname',
  email: { column: 'zw_users.email', nullable: true },
  joined_at: 'zw_group_members.joined_at',
}

function sourceOf(groupId: number): ListSource<Field> {
  return {
    columns: COLUMNS,
    createQuery: () => membersOf(groupId),
    select: selectColumns,
    // Every row has a user.
    count: (most) => countRows(db.from('zw_group_members').where('group_id', groupId), most),
    search: async (q) => {
      const ids = await findSmallMatch(db.connection(), USER_TEXTS, [q], MEMBER_LIST.search)
      return ids && ((rows) => void rows.whereIn('zw_group_members.user_id', ids))
    },
  }
}

/** Yields all members that match the text of a query, by id. */
async function* scanMembers(
  groupId: number,
  { q }: MemberQuery
): AsyncGenerator<GroupMember[], void> {
  for (let after = 0; ;) {
    const members = membersOf(groupId)
    if (q !== null) {
      members.where((condition) => {
        MEMBER_LIST.search.forEach((field) => {
          condition.orWhereRaw(...containsCondition(members.client, columnOf(COLUMNS[field]), q))
        })
      })
    }
    const rows = (await selectColumns(members)
      .where('zw_group_members.user_id', '>', after)
      .orderBy('zw_group_members.user_id')
      .limit(READ_BATCH_SIZE)) as Row[]
    yield rows.map(memberFromRow)
    if (rows.length < READ_BATCH_SIZE) {
      return
    }
    after = rows[rows.length - 1].user_id
    // The SQLite driver is synchronous: this lets other requests run between batches.
    await turn()
  }
}

function membersOf(groupId: number) {
  return db
    .from('zw_group_members')
    .join('zw_users', 'zw_users.id', 'zw_group_members.user_id')
    .where('zw_group_members.group_id', groupId)
}

function selectColumns(members: ReturnType<typeof membersOf>) {
  return members.select(
    'zw_group_members.user_id',
    'zw_users.username',
    'zw_users.fullname',
    'zw_users.email',
    'zw_group_members.joined_at'
  )
}

function memberFromRow({ user_id, username, fullname, email, joined_at }: Row): GroupMember {
  return { user_id, username, fullname, email: email ?? '', joined_at }
}
