// @process
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { caller, dataOf, expectStatus } from '#tests/support/app/api'
import { ace } from '#tests/support/app/commands'
import { administrator, createTeam } from '#tests/support/app/people/people'
import { entriesOf } from '#tests/support/faults/zone_history'

const LIMIT = 60_000

test.group('node ace bench:seed', () => {
  test('bench:seed creates zones like those of regular writes', async ({ assert, client }) => {
    const { code, stdout, stderr } = await ace(['bench:seed', '--zones=3', '--records=25'])
    assert.equal(code, 0, stderr)
    const { zones, records, first_zone_id: first, last_zone_id: last } = JSON.parse(stdout)
    assert.deepEqual([zones, records], [3, 25])
    const domains = await db.from('domains').whereBetween('id', [first, last]).orderBy('id')
    assert.lengthOf(domains, 3)

    const manager = await app.container.make(BackendManager)
    const backend = manager.use()
    const api = caller(client, await administrator())
    for (const { id, name } of domains) {
      const zone = await backend.findZone(Number(id))
      assert.isFalse(await backend.hasExternalChanges(zone!), `${name} looks changed by others`)
      assert.lengthOf(await db.from('records').where('domain_id', id), 26)
      assert.isNotNull(await db.from('zw_zones').where({ id, name }).first())
      const sortRow = await db.from('zw_zone_sort_keys').where('zone_id', id).firstOrFail()
      assert.deepEqual([Number(sortRow.serial), sortRow.records], [2026010100 + (id % 90), 26])
      const record = { name: 'new', type: 'A', content: '192.0.2.1' }
      await expectStatus(api.post(`/zones/${id}/records`, record), 201)
      const entries = await entriesOf(Number(id))
      assert.lengthOf(entries, 1, 'the first write is the first entry')
    }
    const rows: { ordername: string; name: string; type: string }[] = await db
      .from('records')
      .where({ domain_id: first })
    const { name: apex } = domains[0]
    const below = rows.filter(({ name }) => name !== apex)
    assert.isTrue(below.every(({ name, ordername }) => name === `${ordername}.${apex}`))
    assert.isAbove(new Set(rows.map(({ name }) => name)).size, 10)
    assert.includeMembers(
      rows.map(({ type }) => type),
      ['SOA', 'NS', 'A', 'AAAA', 'CNAME', 'MX', 'TXT']
    )
  }).timeout(LIMIT)

  test('the records of bench:seed break no rule', async ({ assert, client }) => {
    const { stdout } = await ace(['bench:seed', '--records=40'])
    const { first_zone_id: id } = JSON.parse(stdout)
    const api = caller(client, await administrator())
    const body = { name: '@', type: 'TXT', content: '"one more"' }
    const answer = await dataOf(api.post(`/zones/${id}/records`, body))
    assert.equal(answer.record.type, 'TXT')
    assert.notProperty(answer, 'warnings')
    const rows: { name: string; type: string }[] = await db.from('records').where('domain_id', id)
    for (const { name } of rows.filter(({ type }) => type === 'CNAME')) {
      assert.lengthOf(
        rows.filter((row) => row.name === name),
        1,
        `${name} is an alias and more`
      )
    }
  }).timeout(LIMIT)

  test('bench:seed assigns zones to a user and to a group, evenly distributed', async ({
    assert,
  }) => {
    const { id: userId, username } = await administrator()
    const { id: groupId, name: group } = await createTeam([])
    const names = [`--user=${username}`, `--group=${group}`]
    const { code, stdout, stderr } = await ace(['bench:seed', '--zones=6', '--owned=3', ...names])
    assert.equal(code, 0, stderr)
    const { first_zone_id: first } = JSON.parse(stdout)
    const positionsOf = async (table: string, owner: object) => {
      const rows: { zone_id: number }[] = await db.from(table).where(owner).orderBy('zone_id')
      return rows.map((row) => row.zone_id - first)
    }
    assert.deepEqual(await positionsOf('zw_zone_owners', { user_id: userId }), [0, 2, 4])
    assert.deepEqual(await positionsOf('zw_zone_groups', { group_id: groupId }), [1, 3, 5])
  }).timeout(LIMIT)

  test('bench:seed creates users with keys, change requests and deleted zones', async ({
    assert,
  }) => {
    const { id: groupId, name: group } = await createTeam([])
    const count = async (rows: ReturnType<typeof db.from>) => {
      const [{ total }] = await rows.count('* as total')
      return Number(total)
    }
    const counts = async () => [
      await count(db.from('zw_users')),
      await count(db.from('zw_api_keys')),
      await count(db.from('zw_trash')),
      await count(db.from('zw_group_members').where('group_id', groupId)),
    ]
    const before = await counts()
    const { code, stdout, stderr } = await ace([
      'bench:seed',
      '--zones=2',
      '--users=3',
      '--requests=4',
      '--deleted=5',
      `--group=${group}`,
    ])
    assert.equal(code, 0, stderr)
    const after = await counts()
    assert.deepEqual(
      after.map((total, at) => total - before[at]),
      [3, 3, 5, 3]
    )
    const { first_zone_id: first, last_zone_id: last } = JSON.parse(stdout)
    const filed = await db
      .from('zw_change_requests as r')
      .join('zw_change_request_zones as z', 'z.request_id', 'r.id')
      .join('zw_change_request_actions as a', 'a.request_id', 'r.id')
      .whereBetween('z.zone_id', [first, last])
      .orderBy('r.id')
      .select('r.status', 'z.zone_id')
    assert.deepEqual(
      filed.map((row) => [row.status, row.zone_id - first]),
      [
        ['pending', 0],
        ['approved', 0],
        ['pending', 1],
        ['rejected', 1],
      ]
    )
  }).timeout(LIMIT)

  for (const [words, told] of [
    [['--users=-1'], '--users'],
    [['--requests=0.5'], '--requests'],
    [['--deleted=-1'], '--deleted'],
    [['--zones=0'], '--zones'],
    [['--zones=1.5'], '--zones'],
    [['--records=-1'], '--records'],
    [['--owned=0'], '--owned'],
    [['--user=nobody-of-this-name'], '--user'],
    [['--group=none-of-this-name'], '--group'],
  ] as const) {
    test(`bench:seed refuses ${words.join(' ')} and creates nothing`, async ({ assert }) => {
      const before = await db.from('domains').count('* as total')
      const { code, stdout, stderr } = await ace(['bench:seed', ...words])
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.include(stderr, told)
      assert.deepEqual(await db.from('domains').count('* as total'), before)
    }).timeout(LIMIT)
  }

  test('bench:seed refuses to run in production without --force', async ({ assert }) => {
    const variables = { NODE_ENV: 'production' }
    const refused = await ace(['bench:seed'], { variables })
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, '--force')
    const forced = await ace(['bench:seed', '--force', '--records=1'], { variables })
    assert.equal(forced.code, 0, forced.stderr)
  }).timeout(LIMIT)
})
