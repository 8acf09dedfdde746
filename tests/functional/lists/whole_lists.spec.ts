import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { LISTS } from '#controllers/api/docs/lists'
import { caller, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, permissionTemplate, createTeam } from '#tests/support/app/people/people'
import { addUsers } from '#tests/support/lists/account_lists'
import { addDeletedZones } from '#tests/support/lists/trash_lists'
import { Random } from '#tests/support/random'

/** More than one statement of a complete list. */
const ROWS = 2_050

/** Long lists that other tests read completely: large_lists.spec.ts, owned_pages.spec.ts, change_requests_size.spec.ts. */
const ELSEWHERE = [
  '/change-requests',
  '/groups/{id}/zones',
  '/zones',
  '/zones/{id}/records',
  '/zones/{id}/rrsets',
]

interface Long {
  path: string
  member: string
  key: string
  /** Orders to request, in addition to the default order. */
  sorts: string[]
}

async function insert(table: string, rows: object[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 500) {
    await db.table(table).multiInsert(rows.slice(at, at + 500))
  }
}

/** Adds many rows to every other long list. Returns the lists by their declarations. */
async function fill(zone: { id: number; name: string }): Promise<Record<string, Long>> {
  const random = new Random(1)
  const users = await addUsers(random, 1)
  const template = await permissionTemplate('user', [])
  const word = unique('w').slice(0, 9)
  const now = '2026-01-02T03:04:05.678Z'
  const created = { created_at: now, updated_at: now }
  await insert(
    'zw_users',
    Array.from({ length: ROWS }, (_, index) => ({
      username: `${word}-${index}`,
      fullname: '',
      description: '',
      permission_template_id: template.id,
      ...created,
    }))
  )
  const rows: { id: number }[] = await db
    .from('zw_users')
    .where('permission_template_id', template.id)
    .select('id')
  const { id: group } = await createTeam([])
  await insert(
    'zw_group_members',
    rows.map(({ id }) => ({ group_id: group, user_id: id, joined_at: now }))
  )
  await insert(
    'zw_api_keys',
    rows.map(({ id }, index) => ({
      name: `${word} ${index}`,
      user_id: users[0],
      secret_hash: `${word}.${id}.`.padEnd(64, '0'),
      prefix: 'zw_xxxx',
      created_at: now,
      purpose: 'dyndns',
    }))
  )
  await insert(
    'zw_dyndns_clients',
    rows.map((_, index) => ({
      hostname: `h${index}.${zone.name}`,
      zone_id: zone.id,
      zone_name: zone.name,
      first_seen_at: now,
      last_seen_at: now,
      last_code: 'good',
      user_agent: 'x/1',
      channel: 'dyndns',
      requests: 1,
      changes: 0,
      recent_changes: '[]',
    }))
  )
  await addDeletedZones(random, ROWS)
  return {
    '/users': { path: '/users', member: 'users', key: 'user_id', sorts: ['username:desc'] },
    '/groups/{id}/members': {
      path: `/groups/${group}/members`,
      member: 'members',
      key: 'user_id',
      sorts: ['user_id'],
    },
    '/api-keys': { path: '/api-keys', member: 'api_keys', key: 'id', sorts: ['name'] },
    '/dynamic-dns/tokens': {
      path: '/dynamic-dns/tokens',
      member: 'tokens',
      key: 'id',
      sorts: ['last_used_at:desc,name'],
    },
    '/dynamic-dns/clients': {
      path: '/dynamic-dns/clients',
      member: 'clients',
      key: 'hostname',
      sorts: ['hostname'],
    },
    '/trash': { path: '/trash', member: 'zones', key: 'id', sorts: [] },
  }
}

test.group('Complete lists', (group) => {
  group.each.timeout(120_000)

  test('complete lists are streamed and equal their pages', async ({ client, assert, cleanup }) => {
    const root = caller(client, await administrator())
    const zone = await createZone(root, { name: zoneNamed() })
    cleanup(async () => {
      await db.from('zw_trash').where('zone_id', '>=', 800_000_000).delete()
      await db.from('zw_dyndns_clients').where('zone_id', zone.id).delete()
      await db.from('zw_api_keys').where('prefix', 'zw_xxxx').delete()
      await db.from('zw_users').where('created_at', '2026-01-02T03:04:05.678Z').delete()
    })
    const lists = await fill(zone)
    const long = Object.entries(LISTS).filter(([, { shortReason }]) => shortReason === undefined)
    assert.sameMembers(
      long.map(([path]) => path),
      [...Object.keys(lists), ...ELSEWHERE]
    )
    for (const [name, { path, member, key, sorts }] of Object.entries(lists)) {
      for (const sort of ['', ...sorts]) {
        const query = sort && `&sort=${sort}`
        const wholeResponse = await root.get(`${path}?per_page=0${query}`)
        wholeResponse.assertStatus(200)
        assert.equal(wholeResponse.header('transfer-encoding'), 'chunked', name)
        assert.isUndefined(wholeResponse.header('content-length'), name)
        const { data, pagination } = wholeResponse.body()
        assert.isUndefined(pagination, name)
        const ids = (rows: Record<string, unknown>[]) => rows.map((item) => item[key])
        assert.isAtLeast(data[member].length, ROWS, name)
        const page = await root.get(`${path}?per_page=10000${query}`)
        assert.equal(page.body().pagination.total, data[member].length, name)
        const title = `${name} by ${sort || 'default'}`
        assert.deepEqual(ids(data[member]), ids(page.body().data[member]), title)
      }
    }
  })
})
