import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Ids in one statement, below the parameter limit of every database. */
const MAX_IDS_PER_STATEMENT = 10_000

/** Returns the groups of users, by name and user id; null for all users. One query. */
export async function loadGroupsByUser(
  client: QueryClientContract,
  ids: readonly number[] | null
): Promise<Map<number, { id: number; name: string }[]>> {
  const query = client
    .from('zw_group_members as m')
    .join('zw_groups as g', 'g.id', 'm.group_id')
    .select('m.user_id', 'g.id', 'g.name')
  if (ids) {
    query.whereIn('m.user_id', [...ids])
  }
  const rows: { user_id: number; id: number; name: string }[] = await query
  rows.sort((one, other) => compare(one.name, other.name))
  const groups = new Map<number, { id: number; name: string }[]>()
  for (const { user_id: userId, id, name } of rows) {
    groups.set(userId, [...(groups.get(userId) ?? []), { id, name }])
  }
  return groups
}

/** Returns the ids for a query about these users; null for all, if there are too many. */
export function userIdsOrAll(users: readonly { id: number }[]): number[] | null {
  return users.length > MAX_IDS_PER_STATEMENT ? null : users.map(({ id }) => id)
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}
