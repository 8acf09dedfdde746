import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { UserFacts } from '#access/rules/account_rules'
import type { Permission } from '#access/permissions'
import type { GroupName } from '#accounts/groups/references'
import { loadRights } from '#accounts/rights'
import { lockout } from '#accounts/sign_in/lockout'
import { findAdministratorIds } from '#accounts/users/last_administrator'
import { loadGroupsByUser, userIdsOrAll } from '#accounts/users/memberships'
import { findUserById, userFromRow, USER_COLUMNS, type UserRow } from '#accounts/users/row'
import { USER_TEXTS } from '#database/trigram_index/source'
import { userKey, type KEYED_COLUMNS } from '#database/user_sort_keys'
import { defineList } from '#lists/declaration'
import { findSmallMatch } from '#lists/sql/small_match'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'

/** A user with related data. */
export interface ListedUser extends UserRow {
  /** Name of the template; null if it is no user template. */
  templateName: string | null
  isAdministrator: boolean
  /** Whether wrong passwords lock the user at present, at least from one network. */
  isLocked: boolean
  /** By name. */
  groups: GroupName[]
}

/** A user with all permissions. */
export interface UserDetail extends ListedUser {
  /** By name; only `user_is_ueberuser` for administrators. */
  permissions: Permission[]
  facts: UserFacts
}

/** Columns and filters of the list. `username` and `email` find a single user. */
export const USER_LIST = defineList({
  sort: { id: 'number', username: 'caseless', fullname: 'caseless', email: 'caseless' },
  filters: { username: 'exact', email: 'exact' },
  search: ['username', 'fullname', 'email', 'description'],
  defaultOrder: [{ field: 'id' }],
})

type Field = keyof typeof USER_LIST.sort
type Lookup = keyof typeof USER_LIST.filters
type Column = (typeof USER_LIST.search)[number] | 'id'
type UserQuery = ListQuery<Field, Lookup>

/** A page of users; `pageInfo` is null for a lookup of one user. */
export interface UserListing {
  users: ListedUser[]
  pageInfo: Pick<ListResult<unknown>, 'total' | 'next'> | null
}

const keyedColumn = (column: (typeof KEYED_COLUMNS)[number]) => ({
  column: `zw_users.${column}`,
  sortKey: `zw_users.${userKey(column)}`,
  indexed: [''],
})

const USER_LIST_COLUMNS = {
  id: { column: 'zw_users.id', unique: true },
  username: keyedColumn('username'),
  fullname: keyedColumn('fullname'),
  email: keyedColumn('email'),
  description: 'zw_users.description',
}

const USER_SOURCE: ListSource<Field | Column | Lookup> = {
  columns: USER_LIST_COLUMNS,
  createQuery: () => db.from('zw_users'),
  select: withTemplate,
  search: async (q) => {
    const ids = await findSmallMatch(db.connection(), USER_TEXTS, [q])
    return ids && ((rows) => void rows.whereIn('zw_users.id', ids))
  },
}

/**
 * Adds lookup parameters to the query. Lists ignore a filter of spaces only; as a lookup it finds
 * nobody, and must not return all users. An empty parameter is ignored.
 */
export function withLookups(query: UserQuery, parameters: Record<string, unknown>): UserQuery {
  const filters: UserQuery['filters'] = {}
  for (const name of Object.keys(USER_LIST.filters) as Lookup[]) {
    const value = parameters[name]
    if (typeof value === 'string' && value !== '') filters[name] = value
  }
  return { ...query, filters }
}

/**
 * Lists users. With `username` or `email` (in this order) it finds the one exact match, and ignores
 * text, order and page. Constant number of queries. Throws a 403 if the actor may not list users.
 */
export async function listUsers(actor: Actor, query: UserQuery): Promise<UserListing> {
  demand(actor, { action: 'user.list' })
  const field = query.filters.username === undefined ? 'email' : 'username'
  const lookupValue = query.filters[field]
  if (lookupValue?.trim() === '') {
    // MariaDB would find all users without an address.
    return { users: [], pageInfo: null }
  }
  const pageInfo = await listInDatabase<StoredUser, Field, Column, Lookup>(
    USER_LIST,
    isLookup(query) ? { sort: [], filters: { [field]: lookupValue }, q: null, page: null } : query,
    USER_SOURCE
  )
  if (isLookup(query)) {
    // Compares again: MariaDB ignores spaces at the end.
    const found = pageInfo.rows.filter((row) => row[field] === lookupValue)
    return { users: await withDetails(found), pageInfo: null }
  }
  return { users: await withDetails(pageInfo.rows), pageInfo }
}

/** Returns whether a query looks up one user. */
export function isLookup({ filters }: UserQuery): boolean {
  return filters.username !== undefined || filters.email !== undefined
}

/** As `listUsers`, without paging, in batches; not for lookups. */
export async function* userBatches(
  actor: Actor,
  query: UserQuery
): AsyncGenerator<ListedUser[], void> {
  demand(actor, { action: 'user.list' })
  const batches = batchesInDatabase<StoredUser, Field, Column, Lookup>(
    USER_LIST,
    query,
    USER_SOURCE
  )
  for await (const rows of batches) {
    yield await withDetails(rows)
  }
}

/**
 * Returns one user. Throws a 403 if the actor may not view this user, and a 404 if it does not
 * exist.
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
  const permissions: Permission[] = isSuperUser
    ? ['user_is_ueberuser']
    : await loadPermissions(found)
  const groups = await loadGroupsByUser(client, [id])
  const lockedNames = await lockout.findLockedNames([found.username])
  const templateName = template?.name ?? null
  return {
    ...found,
    templateName,
    isAdministrator: isSuperUser,
    isLocked: lockedNames.has(found.username),
    groups: groups.get(id) ?? [],
    permissions,
  }
}

/** Returns all permissions of a user, from template and groups, by name. */
async function loadPermissions(user: UserRow): Promise<Permission[]> {
  const { permissions, groups } = await loadRights(user.id, user.permission_template_id)
  const all = [permissions, ...groups.map((group) => group.permissions)]
  return [...new Set(all.flatMap((some) => [...some]))].sort()
}

type StoredUser = UserRow & { template: string | null; template_type: string | null }

function withTemplate(users: ReturnType<typeof db.from>) {
  return users
    .leftJoin('zw_permission_templates as t', 't.id', 'zw_users.permission_template_id')
    .select(...USER_COLUMNS, 't.name as template', 't.template_type')
}

async function withDetails(rows: StoredUser[]): Promise<ListedUser[]> {
  const client = db.connection()
  const ids = userIdsOrAll(rows)
  const groups = await loadGroupsByUser(client, ids)
  const administrators = await findAdministratorIds(client, ids)
  const lockedNames = await lockout.findLockedNames(rows.map(({ username }) => username))
  return rows.map(({ template, template_type: type, ...row }) => ({
    ...userFromRow(row),
    templateName: type === 'user' ? template : null,
    isAdministrator: administrators.has(row.id),
    isLocked: lockedNames.has(row.username),
    groups: groups.get(row.id) ?? [],
  }))
}
