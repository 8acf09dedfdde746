import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { PERMISSIONS } from '#access/permissions'
import { keyUses } from '#accounts/keys/last_used'
import { updateUserSortKeys } from '#database/user_sort_keys'
import { caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import {
  administrator,
  permissionTemplate,
  person,
  type Person,
} from '#tests/support/app/people/people'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import type { ReferenceRow } from '#tests/support/lists/reference'
import { REFERENCE } from '#tests/support/lists/tables'
import { timestampOf, textOf, TEXTS } from '#tests/support/lists/texts'
import type { Random } from '#tests/support/random'

type Stored = Record<string, string | number | null>

/** Users, API keys, groups and their members, templates, permissions: each with random rows in its tables. */
export async function accountLists(client: ApiClient, random: Random): Promise<ListUnderTest[]> {
  const admin = await administrator()
  const root = caller(client, admin)
  const users = await addUsers(random, 30)
  const groups = await addGroups(random, users)
  const member = await memberOf(groups)
  await addKeys(random, users.slice(0, 8))
  await addTemplates(random)
  await addAutoprimaries(random)
  // Writes the pending uses of keys of other tests now, and not during this test.
  await keyUses.flush()
  const single = { key: 'id', foldedBy: 'server' as const, words: [] }
  return [
    {
      ...single,
      as: root,
      path: '/users',
      member: 'users',
      key: 'user_id',
      reference: REFERENCE.users,
      foldedBy: 'database',
      rows: () => rowsOf('zw_users'),
      words: TEXTS.filter(Boolean),
    },
    {
      ...single,
      as: root,
      path: '/api-keys',
      member: 'api_keys',
      reference: REFERENCE.keys,
      foldedBy: 'database',
      rows: keyRows,
    },
    {
      ...single,
      as: root,
      path: '/dynamic-dns/tokens',
      member: 'tokens',
      reference: REFERENCE.keys,
      foldedBy: 'database',
      rows: async () => {
        const keys = await keyRows()
        return keys.filter(({ cells }) => cells.purpose === 'dyndns')
      },
    },
    {
      ...single,
      as: caller(client, member),
      path: '/groups',
      member: 'groups',
      reference: REFERENCE.groups,
      rows: () => groupRows(groups),
    },
    {
      ...single,
      as: root,
      path: `/groups/${groups[0]}/members`,
      member: 'members',
      key: 'user_id',
      reference: REFERENCE.members,
      foldedBy: 'database',
      rows: () => memberRows(groups[0]),
    },
    {
      ...single,
      as: root,
      path: '/permission-templates',
      member: 'templates',
      reference: REFERENCE.templates,
      rows: async () => {
        const rows = await rowsOf('zw_permission_templates')
        return rows.map(({ id, cells }) => ({ id, cells: { ...cells, type: cells.template_type } }))
      },
    },
    {
      ...single,
      as: root,
      path: '/autoprimaries',
      member: 'autoprimaries',
      key: 'id',
      reference: REFERENCE.autoprimaries,
      rows: async () => {
        const rows: Stored[] = await db.from('supermasters')
        const keyed = rows.map((cells) => ({ id: `${cells.ip}/${cells.nameserver}`, cells }))
        // By UTF-16 code units, as the application compares values outside the fields of `sort`.
        keyed.sort((one, other) => (one.id < other.id ? -1 : 1))
        return keyed.map(({ id, cells }, position) => ({
          id,
          cells: { ...cells, place: position },
        }))
      },
    },
    {
      ...single,
      as: root,
      path: '/permissions',
      member: 'permissions',
      reference: REFERENCE.permissions,
      rows: async () =>
        Object.entries(PERMISSIONS).map(([name, { id, meaning }]) => ({
          id,
          cells: { id, name, description: meaning },
        })),
    },
  ]
}

/** Adds users to the table, with every text in each of their columns. Returns their ids. */
export async function addUsers(random: Random, count: number): Promise<number[]> {
  const word = unique('u').slice(0, 9)
  const template = await permissionTemplate('user', [])
  const users = Array.from({ length: count }, (_, index) => ({
    username: `${word}${textOf(random)}-${index}`,
    password: null,
    fullname: textOf(random),
    email: random.chance(0.3) ? null : `${textOf(random)}${word}@${index % 12}.${index}`,
    description: textOf(random),
    permission_template_id: template.id,
    created_at: timestampOf(random),
    updated_at: timestampOf(random),
  }))
  await db.table('zw_users').multiInsert(users)
  await updateUserSortKeys(db.connection(), null)
  const rows: { id: number }[] = await db
    .from('zw_users')
    .where('permission_template_id', template.id)
    .orderBy('id')
    .select('id')
  return rows.map(({ id }) => id)
}

async function addGroups(random: Random, users: number[]): Promise<number[]> {
  const word = unique('g')
  const template = await permissionTemplate('group', ['zone_content_view_own'])
  const ids: number[] = []
  for (const [index, text] of TEXTS.entries()) {
    const now = timestampOf(random)
    await db.table('zw_groups').insert({
      name: `${word}${text}${random.chance(0.5) ? '' : `-${index}`}`,
      description: textOf(random),
      permission_template_id: template.id,
      created_at: now,
      updated_at: now,
    })
  }
  const rows: { id: number }[] = await db
    .from('zw_groups')
    .where('permission_template_id', template.id)
    .orderBy('id')
    .select('id')
  ids.push(...rows.map(({ id }) => id))
  for (const [index, group] of ids.entries()) {
    const some = users.filter(() => random.chance(index === 0 ? 0.9 : 0.1))
    for (const user of some) {
      const membership = { group_id: group, user_id: user, joined_at: timestampOf(random) }
      await db.table('zw_group_members').insert(membership)
    }
  }
  return ids
}

/** Creates a member of all these groups, who sees only these groups. */
async function memberOf(groups: number[]): Promise<Person> {
  const someone = await person()
  const rows = groups.map((group) => {
    return { group_id: group, user_id: someone.id, joined_at: '2020-01-02T10:00:00.000Z' }
  })
  await db.table('zw_group_members').multiInsert(rows)
  return someone
}

async function addKeys(random: Random, users: number[]): Promise<void> {
  const keys = Array.from({ length: 30 }, (_, index) => ({
    name: `${textOf(random)}${random.chance(0.5) ? '' : index}`,
    user_id: random.pick(users),
    secret_hash: unique('hash').padEnd(64, String(index % 10)),
    prefix: random.pick(['zw_AbCd', 'zw_x_y', 'zw_X%Y', 'zw_é']),
    created_at: timestampOf(random),
    last_used_at: random.chance(0.4) ? null : timestampOf(random),
    expires_at: random.chance(0.4) ? null : timestampOf(random),
    purpose: random.chance(0.5) ? null : 'dyndns',
  }))
  await db.table('zw_api_keys').multiInsert(keys)
}

async function addTemplates(random: Random): Promise<void> {
  const word = unique('t')
  const templates = TEXTS.map((text, index) => ({
    name: `${word}${text}${random.chance(0.3) ? '' : `-${index % 5}-${index}`}`,
    description: textOf(random),
    template_type: random.pick(['user', 'group']),
  }))
  await db.table('zw_permission_templates').multiInsert(templates)
}

async function addAutoprimaries(random: Random): Promise<void> {
  const word = unique('ns')
  const rows = TEXTS.map((text, index) => ({
    ip: random.pick(['192.0.2.', '198.51.100.', '2001:db8::']) + String(index + 1),
    nameserver: `${word}-${index % 4}.example`,
    account: text.replace(/[^ -~]/g, '').slice(0, 40),
  }))
  await db.table('supermasters').multiInsert(rows)
}

async function rowsOf(table: string): Promise<ReferenceRow[]> {
  const rows: Stored[] = await db.from(table)
  return rows.map((cells) => ({ id: cells.id, cells }))
}

async function keyRows(): Promise<ReferenceRow[]> {
  const [keys, users] = [await rowsOf('zw_api_keys'), await rowsOf('zw_users')]
  const names = new Map(users.map(({ id, cells }) => [id, cells.username]))
  return keys.map(({ id, cells }) => ({
    id,
    cells: { ...cells, owner: names.get(cells.user_id) ?? null },
  }))
}

async function groupRows(ids: number[]): Promise<ReferenceRow[]> {
  const members: Stored[] = await db.from('zw_group_members')
  const zones: Stored[] = await db.from('zw_zone_groups')
  const groups = await rowsOf('zw_groups')
  return groups
    .filter(({ id }) => ids.includes(Number(id)))
    .map(({ id, cells }) => ({
      id,
      cells: {
        ...cells,
        member_count: members.filter(({ group_id: group }) => group === id).length,
        zone_count: zones.filter(({ group_id: group }) => group === id).length,
      },
    }))
}

async function memberRows(group: number): Promise<ReferenceRow[]> {
  const memberships: Stored[] = await db.from('zw_group_members').where('group_id', group)
  const users = await rowsOf('zw_users')
  return memberships.map(({ user_id: id, joined_at: joinedAt }) => {
    const { cells } = users.find((user) => user.id === id)!
    // A user without an address is shown with an empty one.
    return { id, cells: { ...cells, email: cells.email ?? '', user_id: id, joined_at: joinedAt } }
  })
}
