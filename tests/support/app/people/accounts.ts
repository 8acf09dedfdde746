import db from '@adonisjs/lucid/services/db'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { caller, dataOf, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { createTeam, type Person, type Team } from '#tests/support/app/people/people'
import type { ApiClient } from '@japa/api-client'

/** An id that no row has. */
export const NOTHING = 2_147_483_647

/** Returns the ids of permissions by name. */
export function idsOf(...permissions: Permission[]): number[] {
  return permissions.map((name) => PERMISSIONS[name].id)
}

/** Creates a permission template over the API and returns its id. */
export function createTemplate(
  as: Caller,
  permissions: Permission[],
  members: object = {}
): Promise<number> {
  const body = { name: unique('template'), descr: '', permissions: idsOf(...permissions) }
  return dataOf(as.post('/permission-templates', { ...body, ...members }), 'id')
}

/** Creates a group over the API with a template of these permissions. Returns its id and name. */
export async function createGroup(
  as: Caller,
  permissions: Permission[] = [],
  members: object = {}
) {
  const template = await createTemplate(as, permissions, { template_type: 'group' })
  const body = { name: unique('group'), perm_templ_id: template, ...members }
  const group: { id: number; name: string } = await dataOf(as.post('/groups', body), 'group')
  return { ...group, template }
}

/** Adds users to a group directly in the database. */
export async function addToGroup({ id }: Pick<Team, 'id'>, ...people: Pick<Person, 'id'>[]) {
  const joined = new Date().toISOString()
  const rows = people.map((one) => ({ group_id: id, user_id: one.id, joined_at: joined }))
  await db.table('zw_group_members').multiInsert(rows)
}

/** Creates a foreign zone and a foreign group whose names must not appear in responses. */
export async function createForeignNames(client: ApiClient, admin: Person) {
  const group = await createTeam(['zone_content_view_own'])
  const name = `${unique('canary')}.test`
  const body = { name, owner_user_id: null, group_ids: [group.id] }
  const zone: number = await dataOf(caller(client, admin).post('/zones', body), 'zone_id')
  return { group, zone: { id: zone, name } }
}

/** Returns everything stored about groups and permission templates. Equal states mean that nothing changed. */
export async function accountState() {
  const tables = ['groups', 'group_members', 'permission_templates', 'permission_template_items']
  const owners = ['zone_groups', 'zone_owners']
  return Promise.all([...tables, ...owners].map((table) => db.from(`zw_${table}`)))
}

/** Makes the user the only active administrator, until the returned function is called. Tests share one database. */
export async function onlyAdministrator({ id }: Pick<Person, 'id'>): Promise<() => Promise<void>> {
  const rows: { id: number }[] = await db
    .from('zw_users')
    .where('active', true)
    .whereNot('id', id)
    .select('id')
  const others = rows.map((row) => row.id)
  await db.from('zw_users').whereIn('id', others).update({ active: false })
  return async () => {
    await db.from('zw_users').whereIn('id', others).update({ active: true })
  }
}
