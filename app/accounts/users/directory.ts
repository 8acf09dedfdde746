import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { UserFacts } from '#access/rules/account_rules'
import type { Permission } from '#access/permissions'
import type { GroupName } from '#accounts/groups/references'
import { rightsOf } from '#accounts/rights'
import { lockout } from '#accounts/sign_in/lockout'
import { administratorIds } from '#accounts/users/last_administrator'
import { groupsOf, narrowTo } from '#accounts/users/memberships'
import { findUserById, userFromRow, USER_COLUMNS, type UserRow } from '#accounts/users/row'
import { USER_TEXTS } from '#database/trigram_index/source'
import { userKey, type KEYED_COLUMNS } from '#database/user_sort_keys'
import { defineList } from '#lists/declaration'
import { fewHits } from '#lists/sql/small_match'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import type { Listed } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'

/** A user with what belongs to them. */
export interface ListedUser extends UserRow {
  /** Name of their template; null where that is none for users. */
  templateName: string | null
  isAdministrator: boolean
  /** Whether wrong passwords keep them from signing in now, at least from some network. */
  isLocked: boolean
  /** By name. */
  groups: GroupName[]
}

/** One user, with all that they hold. */
export interface UserDetail extends ListedUser {
  /** By name; `user_is_ueberuser` alone of an administrator. */
  permissions: Permission[]
  facts: UserFacts
}

/** What the list of users can be asked for. `username` and `email` look up one user. */
export const USERS = defineList({
  sort: { id: 'number', username: 'caseless', fullname: 'caseless', email: 'caseless' },
  filters: { username: 'exact', email: 'exact' },
  search: ['username', 'fullname', 'email', 'description'],
  defaultOrder: [{ field: 'id' }],
})

type Field = keyof typeof USERS.sort
type Lookup = keyof typeof USERS.filters
type Column = (typeof USERS.search)[number] | 'id'
type UserQuery = ListQuery<Field, Lookup>

/** What the list answers: users, and where its page lies; null where one was looked up. */
export interface UserListing {
  users: ListedUser[]
  listed: Pick<Listed<unknown>, 'total' | 'next'> | null
}

const keyed = (column: (typeof KEYED_COLUMNS)[number]) => ({
  column: `zw_users.${column}`,
  sortKey: `zw_users.${userKey(column)}`,
  indexed: [''],
})

const COLUMNS = {
  id: { column: 'zw_users.id', unique: true },
  username: keyed('username'),
  fullname: keyed('fullname'),
  email: keyed('email'),
  description: 'zw_users.description',
}

const SOURCE: ListSource<Field | Column | Lookup> = {
  columns: COLUMNS,
  matching: () => db.from('zw_users'),
  select: withTemplate,
  search: async (q) => {
    const ids = await fewHits(db.connection(), USER_TEXTS, [q])
    return ids && ((rows) => void rows.whereIn('zw_users.id', ids))
  },
}

/**
 * The query with the look-ups that the parameters ask for. Lists take no notice of a filter of nothing but blanks; here
 * it looks up a user of that name, who is nobody, and never all of them. An empty one is none.
 */
export function withLookups(query: UserQuery, parameters: Record<string, unknown>): UserQuery {
  const filters: UserQuery['filters'] = {}
  for (const name of Object.keys(USERS.filters) as Lookup[]) {
    const value = parameters[name]
    if (typeof value === 'string' && value !== '') filters[name] = value
  }
  return { ...query, filters }
}

/**
 * The users, for the actor. With `username` or `email` (the name goes first) it is the one user of exactly
 * that name or address, or nobody; text, order and page do not count then. Costs a fixed number of queries.
 * Throws a 403 where the actor may not list users.
 */
export async function listUsers(actor: Actor, query: UserQuery): Promise<UserListing> {
  demand(actor, { action: 'user.list' })
  const field = query.filters.username === undefined ? 'email' : 'username'
  const wanted = query.filters[field]
  if (wanted?.trim() === '') {
    // MariaDB would find all those without one.
    return { users: [], listed: null }
  }
  const listed = await listInDatabase<StoredUser, Field, Column, Lookup>(
    USERS,
    isLookup(query) ? { sort: [], filters: { [field]: wanted }, q: null, page: null } : query,
    SOURCE
  )
  if (isLookup(query)) {
    // Databases find more than what is meant: MariaDB takes no notice of blanks at the end.
    const found = listed.rows.filter((row) => row[field] === wanted)
    return { users: await described(found), listed: null }
  }
  return { users: await described(listed.rows), listed }
}

/** Whether a query looks up one user. */
export function isLookup({ filters }: UserQuery): boolean {
  return filters.username !== undefined || filters.email !== undefined
}

/** As `listUsers`, all that a query without a page asks for, in batches; not for look-ups of one user. */
export async function* userBatches(
  actor: Actor,
  query: UserQuery
): AsyncGenerator<ListedUser[], void> {
  demand(actor, { action: 'user.list' })
  const batches = batchesInDatabase<StoredUser, Field, Column, Lookup>(USERS, query, SOURCE)
  for await (const rows of batches) {
    yield await described(rows)
  }
}

/**
 * One user, for the actor. Throws a 403 where the actor may not see users of this id, a 404 where there is
 * none.
 */
export async function showUser(actor: Actor, id: number): Promise<UserDetail> {
  demand(actor, { action: 'user.view', userId: id })
  const client = db.connection()
  const found = await findUserById(client, id)
  const template: { name: string } | null = await client
    .from('zw_permission_templates')
    .where({ id: found.permission_template_id, template_type: 'user' })
    .select('name')
    .first()
  const { isSuperUser } = found.facts
  const permissions: Permission[] = isSuperUser ? ['user_is_ueberuser'] : await heldBy(found)
  const groups = await groupsOf(client, [id])
  const locked = await lockout.lockedAmong([found.username])
  const templateName = template?.name ?? null
  return {
    ...found,
    templateName,
    isAdministrator: isSuperUser,
    isLocked: locked.has(found.username),
    groups: groups.get(id) ?? [],
    permissions,
  }
}

/** All permissions that a user holds, from their template and from groups, by name. */
async function heldBy(user: UserRow): Promise<Permission[]> {
  const { permissions, groups } = await rightsOf(user.id, user.permission_template_id)
  const all = [permissions, ...groups.map((group) => group.permissions)]
  return [...new Set(all.flatMap((some) => [...some]))].sort()
}

type StoredUser = UserRow & { template: string | null; template_type: string | null }

function withTemplate(users: ReturnType<typeof db.from>) {
  return users
    .leftJoin('zw_permission_templates as t', 't.id', 'zw_users.permission_template_id')
    .select(...USER_COLUMNS, 't.name as template', 't.template_type')
}

async function described(rows: StoredUser[]): Promise<ListedUser[]> {
  const client = db.connection()
  const ids = narrowTo(rows)
  const groups = await groupsOf(client, ids)
  const administrators = await administratorIds(client, ids)
  const locked = await lockout.lockedAmong(rows.map(({ username }) => username))
  return rows.map(({ template, template_type: type, ...row }) => ({
    ...userFromRow(row),
    templateName: type === 'user' ? template : null,
    isAdministrator: administrators.has(row.id),
    isLocked: locked.has(row.username),
    groups: groups.get(row.id) ?? [],
  }))
}
