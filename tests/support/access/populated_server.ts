import db from '@adonisjs/lucid/services/db'
import type { ApiClient } from '@japa/api-client'
import { findActorOfKey } from '#accounts/authenticate'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { updateUserSortKeys } from '#database/user_sort_keys'
import type { Stage } from '#tests/support/access/users'
import { powerOf, type Measure } from '#tests/support/access/effective_rights'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  keyFor,
  person,
  createTeam,
  permissionTemplate,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'

/** Ids of seeded permission templates. */
const [ADMINISTRATOR, ZONE_MANAGER, GUEST] = [1, 2, 5]

/** A user who tries to extend their rights. */
export interface Climber {
  name: string
  permissions: Permission[]
  /** Permissions of the climber's group. The group is an owner of the climber's zone. */
  group?: Permission[]
  /** The group owns no zone. Its permissions then reach no zone. */
  groupOwnsNothing?: boolean
  /** Restrictions of the climber's key. `onlyOwnZone` restricts the key to the climber's zone. */
  key?: Omit<Restrictions, 'zones'> & { onlyOwnZone?: boolean }
}

/** A small installation, created for each tested path. */
export interface World {
  as: Caller
  /** The climber and the climber's key. */
  self: Person
  selfTemplate: { id: number; permissions: Permission[] }
  administrator: Person
  /** Owner of the foreign zone, with all permissions on it. */
  owner: Person
  /** A user without rights and without zones. */
  colleague: Person
  own: Stage
  foreign: Stage
  /** A group of zone managers that owns the foreign zone. */
  foreignGroup: number
  /** A group of the climber. */
  ownGroup: number
  /** A user template with one harmless permission, assigned to no user. */
  unassignedTemplate: number
  templates: { administrator: number; manager: number; administrators: number }
  /** Keys from responses and created users. The climber can act with all of them. */
  obtained: { keys: string[]; users: { username: string }[] }
}

let root: { as: Caller; key: string } | undefined

/** Creates a world for the climber. */
export async function createWorld(client: ApiClient, climber: Climber): Promise<World> {
  root ??= await rootOf(client)
  const managing = await createTeam(climberFree(['zone_content_view_own', 'zone_content_edit_own']))
  const mine = await createTeam(climber.group ?? [])
  const { id: template } = await permissionTemplate('user', climber.permissions)
  const self = await createUser(template, [mine.id])
  const owner = await createUser(ZONE_MANAGER, [managing.id])
  const colleague = await createUser(GUEST)
  const ownZone = await createZone(root.as, {
    name: zoneNamed('own'),
    owner_user_id: self.id,
    ...(climber.group && !climber.groupOwnsNothing ? { group_ids: [mine.id] } : {}),
  })
  const foreignZone = await createZone(root.as, {
    name: zoneNamed('foreign'),
    owner_user_id: owner.id,
    group_ids: [managing.id],
  })
  const { onlyOwnZone, ...restrictions } = climber.key ?? {}
  const { key, id: keyId } = await keyFor(self, {
    ...restrictions,
    ...(onlyOwnZone ? { zones: [ownZone] } : {}),
  })
  return {
    as: caller(client, { key }),
    self: { ...self, key, keyId },
    selfTemplate: { id: template, permissions: climber.permissions },
    administrator: await createUser(ADMINISTRATOR),
    owner,
    colleague,
    own: ownZone,
    foreign: foreignZone,
    foreignGroup: managing.id,
    ownGroup: mine.id,
    unassignedTemplate: await spareTemplate(),
    templates: { administrator: ADMINISTRATOR, manager: ZONE_MANAGER, administrators: 6 },
    obtained: { keys: [], users: [] },
  }
}

/** Returns the powers of the climber and of all other users and keys in the world, by name. */
export async function powers(fixtures: World): Promise<Map<string, Set<string>>> {
  const result = new Map<string, Set<string>>()
  const add = async (name: string, key: string) => {
    result.set(name, await powerBy(key, fixtures))
  }
  await add('self', fixtures.self.key)
  await add('owner', fixtures.owner.key)
  await add('colleague', fixtures.colleague.key)
  for (const [index, key] of fixtures.obtained.keys.entries()) await add(`key ${index}`, key)
  for (const user of fixtures.obtained.users) {
    const { key, id } = await keyFor(user)
    await add(`user ${user.username}`, key)
    await db.from('zw_api_keys').where('id', id).delete()
  }
  return result
}

/** Returns the powers of the climber. */
export function powerOfClimber(fixtures: World): Promise<Set<string>> {
  return powerBy(fixtures.self.key, fixtures)
}

async function powerBy(key: string, { own, foreign, administrator }: World): Promise<Set<string>> {
  const measure: Measure = { zones: [own, foreign], bystander: administrator.id + 1_000_000 }
  const actor = await findActorOfKey(key, '127.0.0.1', 'api')
  return actor ? powerOf(actor, measure) : new Set()
}

/** Returns the ids of permissions as the API uses them. */
export function ids(...permissions: Permission[]): number[] {
  return permissions.map((permission) => PERMISSIONS[permission].id)
}

async function rootOf(client: ApiClient) {
  const { key } = await person({ template: 'Administrator' })
  return { key, as: caller(client, { key }) }
}

function climberFree(permissions: Permission[]): Permission[] {
  return [...permissions, 'zone_meta_edit_own', 'zone_delete_own']
}

/** Creates a user with a key and without a password, because hashing hundreds of passwords takes minutes. */
async function createUser(template: number, groups: number[] = []): Promise<Person> {
  const username = unique('someone')
  const now = new Date().toISOString()
  await db.table('zw_users').insert({
    username,
    password: null,
    fullname: '',
    email: null,
    description: '',
    permission_template_id: template,
    active: true,
    auth_method: 'local',
    created_at: now,
    updated_at: now,
  })
  const { id }: { id: number } = await db.from('zw_users').where({ username }).firstOrFail()
  await updateUserSortKeys(db.connection(), [id])
  for (const group of groups) {
    await db.table('zw_group_members').insert({ group_id: group, user_id: id, joined_at: now })
  }
  const { id: keyId, key } = await keyFor({ username })
  return { id, username, password: '', key, keyId }
}

async function spareTemplate(): Promise<number> {
  const name = unique('spare')
  await db.table('zw_permission_templates').insert({ name, description: '', template_type: 'user' })
  const { id }: { id: number } = await db
    .from('zw_permission_templates')
    .where('name', name)
    .firstOrFail()
  await db
    .table('zw_permission_template_items')
    .insert({ template_id: id, permission_id: PERMISSIONS.search.id })
  return id
}
