import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { CLIMBS, ZONES, type Climb } from '#tests/support/access/escalations'
import { gainedRights } from '#tests/support/access/effective_rights'
import {
  createWorld,
  powerOfClimber,
  powers,
  type Climber,
  type World,
} from '#tests/support/access/populated_server'

/** Number of consecutive calls. The rules use no database: two calls show that other databases provide the same facts. */
const DEPTH = process.env.DB_CONNECTION === 'sqlite' ? 3 : 2

/** Depth for climbers with nearly all rights, because nearly every call branches. */
const SHALLOW = 2

/** Returns true if the climber may grant a right without holding it. */
type Delegation = (right: string, who: string) => boolean

const NEVER =
  /^(trash|user\.set_groups|group|zone\.create_for|assign user_is_ueberuser|template\.create user_is)/

/** The zones of a key do not restrict accounts (specification, Key restrictions), but they restrict keys. */
const onlyAccounts: Delegation = (_right, who) => who !== 'self' && !who.startsWith('key ')

const CLIMBERS: (Climber & { delegates?: Delegation; depth?: number })[] = [
  { name: 'somebody without rights', permissions: ['api_manage_keys', 'user_edit_own'] },
  { name: 'an owner who edits', permissions: [...ZONES, 'user_edit_own'] },
  {
    name: 'a client-level editor who may change owners',
    permissions: ['zone_content_view_own', 'zone_content_edit_own_as_client', 'zone_meta_edit_own'],
  },
  { name: 'an owner through a group', permissions: ['api_manage_keys'], group: ZONES },
  {
    name: 'an editor of own zones who changes the settings of all',
    permissions: [...ZONES, 'zone_meta_edit_others'],
  },
  {
    name: 'somebody who writes permission templates',
    permissions: ['templ_perm_add', 'templ_perm_edit', 'search'],
  },
  {
    name: 'an owner who writes permission templates and edits zones of a group',
    permissions: ['templ_perm_add', 'templ_perm_edit', 'zone_content_view_own'],
    group: ['zone_content_edit_own'],
    groupOwnsNothing: true,
  },
  {
    name: 'a user administrator who assigns and writes no permission templates',
    permissions: ['user_view_others', 'user_add_new', 'user_edit_own', 'user_passwd_edit_others'],
  },
  {
    name: 'somebody who assigns permission templates',
    permissions: ['user_view_others', 'user_edit_own', 'user_edit_templ_perm'],
    delegates: (right, who) => who !== 'self' && !NEVER.test(right),
  },
  {
    name: 'a manager of own zones who deletes and restores them',
    permissions: [...ZONES, 'zone_delete_own', 'zone_logs_view_own', 'zone_slave_add'],
  },
  {
    name: "an owner's key with networks, an expiry and idle days",
    permissions: ZONES,
    key: {
      networks: ['127.0.0.1/32'],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      idleDays: 3,
    },
  },
  {
    name: 'somebody who manages users',
    permissions: ['user_view_others', 'user_add_new', 'user_edit_others', 'search'],
  },
  {
    name: 'a user administrator',
    permissions: [
      'user_view_others',
      'user_add_new',
      'user_edit_others',
      'user_passwd_edit_others',
      'user_edit_templ_perm',
      'templ_perm_add',
      'templ_perm_edit',
    ],
    // The specification lets them assign every template without administrator rights (Users, perm_templ, 2).
    delegates: (right) => !NEVER.test(right),
  },
  {
    name: "an administrator's key for one zone",
    permissions: ['user_is_ueberuser'],
    key: { onlyOwnZone: true },
    delegates: onlyAccounts,
    depth: SHALLOW,
  },
  {
    name: "an administrator's key that may only make things",
    permissions: ['user_is_ueberuser'],
    key: { operations: ['view', 'create'] },
    delegates: onlyAccounts,
    depth: SHALLOW,
  },
]

/** Returns the world after the path, and the earlier rights of the climber, who may regain rights that they gave up. */
async function follow(client: ApiClient, climber: Climber, path: Climb[]) {
  const fixtures = await createWorld(client, climber)
  const atFirst = await powerOfClimber(fixtures)
  for (const climb of path) await step(fixtures, climb)
  return { world: fixtures, atFirst }
}

/** Makes the call and collects new keys and users. Returns true if the call succeeded. */
async function step(fixtures: World, climb: Climb): Promise<boolean> {
  const response = await climb.send(fixtures)
  const status = response.status()
  if (status >= 500) throw new Error(`${climb.name} answered ${status}`)
  if (status >= 400) return false
  const { data } = response.body()
  if (data?.key) fixtures.obtained.keys.push(data.key)
  if (data?.user_id && climb.createsUser) fixtures.obtained.users.push(await nameOf(data.user_id))
  const taken = climb.signsInAs?.(fixtures)
  if (taken) fixtures.obtained.users.push(taken)
  return true
}

async function nameOf(id: number): Promise<{ username: string }> {
  return db.from('zw_users').where('id', id).select('username').firstOrFail()
}

test.group('Privilege escalation', () => {
  for (const { delegates, depth = DEPTH, ...climber } of CLIMBERS) {
    test(`${climber.name}: up to ${depth} calls grant no right that the caller lacks`, async ({
      client,
      assert,
    }) => {
      const found: string[] = []
      let tried = 0
      const explore = async (path: Climb[]): Promise<void> => {
        let { world: fixtures, atFirst } = await follow(client, climber, path)
        let before = await powers(fixtures)
        for (const climb of CLIMBS) {
          tried += 1
          if (!(await step(fixtures, climb))) continue
          const after = await powers(fixtures)
          const held = before.get('self')!.union(atFirst)
          for (const [who, rights] of after) {
            const more = gainedRights(before.get(who) ?? new Set(), rights).filter(
              (right) => !held.has(right) && !delegates?.(right, who)
            )
            if (more.length > 0) {
              const way = [...path, climb].map(({ name }) => name).join(' > ')
              found.push(`${who} got ${more.slice(0, 5).join(', ')} by ${way}`)
            }
          }
          before = after
          if (path.length + 1 < depth) {
            await explore([...path, climb])
            ;({ world: fixtures, atFirst } = await follow(client, climber, path))
            before = await powers(fixtures)
          }
        }
      }
      await explore([])
      assert.isAtLeast(tried, CLIMBS.length)
      assert.deepEqual(found, [])
    }).timeout(600_000)
  }
})
