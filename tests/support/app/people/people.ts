import db from '@adonisjs/lucid/services/db'
import { maintainer } from '#access/actor'
import { PERMISSIONS, type Permission } from '#access/permissions'
import { createApiKey, type NewApiKey } from '#accounts/keys/api_keys'
import { commandOptions } from '#accounts/terms'
import { seedIdentity } from '#accounts/seed'
import { createUser } from '#accounts/users/named_users'
import { unique } from '#tests/support/app/names'

/** A user who calls the API. */
export interface Person {
  id: number
  username: string
  password: string
  /** An unrestricted API key. */
  key: string
  keyId: number
}

/** Rights of a person: a seeded template by name, or exactly these permissions. */
export interface PersonOptions {
  template?: string
  permissions?: Permission[]
  /** Names of groups. */
  groups?: string[]
}

/** A group and its permissions. */
export interface Team {
  id: number
  name: string
}

/** Restrictions of a key; none by default. */
export type Restrictions = Partial<
  Pick<
    NewApiKey,
    'readOnly' | 'operations' | 'zones' | 'expiresAt' | 'patterns' | 'networks' | 'idleDays'
  >
>

/** Creates a user with a key; without rights by default. */
export async function person(options: PersonOptions = {}): Promise<Person> {
  await seedIdentity()
  const { name: template } = options.permissions
    ? await permissionTemplate('user', options.permissions)
    : { name: options.template ?? 'Guest' }
  const username = unique('user')
  const password = unique('password')
  const { id } = await createUser(
    {
      username,
      password,
      email: null,
      active: true,
      template,
      groups: options.groups ?? [],
    },
    maintainer()
  )
  const { id: keyId, key } = await keyFor({ username })
  return { id, username, password, key, keyId }
}

/** Creates a user with all permissions. */
export function administrator(): Promise<Person> {
  return person({ template: 'Administrator' })
}

/** Creates another key of a user. */
export function keyFor(
  { username }: Pick<Person, 'username'>,
  restrictions: Restrictions = {}
): Promise<{ id: number; key: string }> {
  return createApiKey(
    {
      username,
      name: unique('key'),
      readOnly: false,
      operations: [],
      zones: [],
      expiresAt: null,
      ...restrictions,
    },
    commandOptions(maintainer())
  )
}

/** Creates a group whose members have exactly these permissions on its zones. */
export async function createTeam(permissions: Permission[]): Promise<Team> {
  await seedIdentity()
  const template = await permissionTemplate('group', permissions)
  const name = unique('group')
  const now = new Date().toISOString()
  await db.table('zw_groups').insert({
    name,
    description: '',
    permission_template_id: template.id,
    created_by: null,
    created_at: now,
    updated_at: now,
  })
  return { id: await idOf('zw_groups', name), name }
}

/** Creates a template of exactly these permissions. */
export async function permissionTemplate(type: 'user' | 'group', permissions: Permission[]) {
  await seedIdentity()
  const name = unique('template')
  await db.table('zw_permission_templates').insert({ name, description: '', template_type: type })
  const id = await idOf('zw_permission_templates', name)
  const items = permissions.map((permission) => ({
    template_id: id,
    permission_id: PERMISSIONS[permission].id,
  }))
  if (items.length > 0) {
    await db.table('zw_permission_template_items').multiInsert(items)
  }
  return { id, name }
}

async function idOf(table: string, name: string): Promise<number> {
  const row: { id: number } = await db.from(table).where('name', name).select('id').firstOrFail()
  return row.id
}
