// @process
import { join } from 'node:path'
import hash from '@adonisjs/core/services/hash'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, expectStatus, createZone } from '#tests/support/app/api'
import { ace, NODES } from '#tests/support/app/commands'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { testFolder } from '#tests/support/app/server'

const LIMIT = 60_000
const KEY_JSON = /^\{"id":(\d+),"key":"(pwa_[0-9a-f]{64})"\}\n$/

const STACK = /^\s*(⁃ )?at .*[(:]/m

const userNamed = (username: string) => db.from('zw_users').where('username', username).first()

test.group('node ace setup', () => {
  for (const [which, node] of Object.entries(NODES)) {
    test(`setup fills an empty database, and a second run changes nothing, on ${which}`, async ({
      assert,
    }) => {
      const file = join(testFolder('setup'), 'new.sqlite3')
      const variables = { DB_CONNECTION: 'sqlite', DB_FILE: file, ADMIN_PASSWORD: '' }
      const first = await ace(['setup', '--admin=root'], { node, variables })
      assert.equal(first.code, 0, first.stderr)
      assert.match(first.stdout, /^Password of root: \S{16,}$/m)

      const key = await ace(['api-key:create', 'root'], { variables })
      assert.match(key.stdout, KEY_JSON)

      const second = await ace(['setup', '--admin=root'], { variables })
      assert.equal(second.code, 0, second.stderr)
      assert.notInclude(second.stdout, 'Password')
      const taken = await ace(['user:create', 'root'], { variables })
      assert.equal(taken.code, 1)
      assert.match(taken.stderr, /already exists/)
    }).timeout(LIMIT)
  }

  test("setup reads the administrator's password from ADMIN_PASSWORD and does not print it", async ({
    assert,
  }) => {
    const username = unique('root')
    const password = unique('password')
    const result = await ace(['setup', `--admin=${username}`], {
      variables: { ADMIN_PASSWORD: password },
    })
    assert.equal(result.code, 0, result.stderr)
    assert.notInclude(result.stdout + result.stderr, password)
    const user = await userNamed(username)
    assert.isTrue(await hash.verify(user.password, password))
    const template = await db
      .from('zw_permission_templates')
      .where('id', user.permission_template_id)
      .firstOrFail()
    assert.equal(template.name, 'Administrator')
  }).timeout(LIMIT)

  test('setup keeps changes of the operator', async ({ assert }) => {
    const { id } = await administrator()
    await db.from('zw_users').where('id', id).update({ description: 'changed' })
    const tables = ['zw_permissions', 'zw_permission_templates', 'zw_groups', 'zw_users']
    const stored = () => Promise.all(tables.map((table) => db.from(table).orderBy('id')))
    const before = await stored()
    const { code } = await ace(['setup'])
    assert.equal(code, 0)
    assert.deepEqual(await stored(), before)
  }).timeout(LIMIT)
})

test.group('A command inside the test process', () => {
  for (const [what, words] of [
    ['a command that is none', ['user:creat']],
    ['a flag that is none', ['user:list', '--nonsense']],
    ['an argument that is missing', ['user:password']],
    ['a refusal', ['zone:export', 'nothing.test']],
  ] as [string, string[]][]) {
    test(`the output equals that of a process of the build: ${what}`, async ({ assert }) => {
      const spawned = await ace(words, { spawned: true })
      assert.notEqual(spawned.code, 0)
      assert.deepEqual(await ace(words), spawned)
    }).timeout(LIMIT)
  }

  test('the output equals that of a process of the build: lines and exit code 0', async ({
    assert,
  }) => {
    await administrator()
    const words = ['user:list']
    const spawned = await ace(words, { spawned: true })
    assert.equal(spawned.code, 0)
    assert.deepEqual(await ace(words), spawned)
  }).timeout(LIMIT)
})

test.group('node ace user:create', (group) => {
  group.each.timeout(LIMIT)
  group.setup(async () => {
    await administrator()
  })

  for (const [which, node] of Object.entries(NODES)) {
    test(`user:create applies its flags, on ${which}`, async ({ assert }) => {
      const groups = [await createTeam([]), await createTeam([])]
      const username = unique('user')
      const password = 'pass word ü'
      const result = await ace(
        [
          'user:create',
          username,
          '--password-stdin',
          '--template=Zone Manager',
          `--email=${username}@example.net`,
          '--inactive',
          ...groups.map(({ name }) => `--group=${name}`),
        ],
        { node, input: `${password}\nsecond line\n` }
      )
      assert.equal(result.code, 0, result.stderr)
      assert.equal(result.stderr, '')
      const user = await userNamed(username)
      assert.equal(result.stdout, `{"id":${user.id}}\n`)
      assert.equal(user.email, `${username}@example.net`)
      assert.isFalse(Boolean(user.active))
      assert.isTrue(await hash.verify(user.password, password))
      const template = await db
        .from('zw_permission_templates')
        .where('id', user.permission_template_id)
        .firstOrFail()
      assert.equal(template.name, 'Zone Manager')
      const memberships = await db.from('zw_group_members').where('user_id', user.id)
      assert.sameMembers(
        memberships.map((row) => row.group_id),
        groups.map(({ id }) => id)
      )
    })
  }

  test('user:create without flags creates an active user with the fewest rights and prints a password once', async ({
    assert,
  }) => {
    const username = unique('user')
    const result = await ace(['user:create', username])
    assert.equal(result.code, 0, result.stderr)
    const { id, password } = JSON.parse(result.stdout)
    const user = await userNamed(username)
    assert.equal(user.id, id)
    assert.isTrue(Boolean(user.active))
    assert.isTrue(await hash.verify(user.password, password))
    const rights = await db
      .from('zw_permission_template_items')
      .where('template_id', user.permission_template_id)
    assert.lengthOf(rights, 0)
  })

  for (const [what, words, expectedText] of [
    ['a template that is none', ['--template=Nonsense'], /Nonsense/],
    ['a template for groups', ['--template=Viewers'], /Viewers/],
    ['a group that is none', ['--group=Nonsense'], /Nonsense/],
    ['an address that is none', ['--email=nonsense'], /nonsense/],
    ['an empty password', ['--password-stdin'], /password/],
  ] as [string, string[], RegExp][]) {
    test(`user:create refuses ${what} with exit code 1 and creates no user`, async ({ assert }) => {
      const username = unique('user')
      const result = await ace(['user:create', username, ...words], { input: '\n' })
      assert.equal(result.code, 1)
      assert.equal(result.stdout, '')
      assert.match(result.stderr, expectedText)
      assert.notMatch(result.stderr, STACK)
      assert.isNull(await userNamed(username))
    })
  }

  test('user:create refuses a taken name or address', async ({ assert }) => {
    const { username } = await person()
    const email = `${unique('user')}@example.net`
    await ace(['user:create', unique('user'), `--email=${email}`])
    for (const words of [[username], [unique('user'), `--email=${email}`]]) {
      const result = await ace(['user:create', ...words])
      assert.equal(result.code, 1)
      assert.equal(result.stdout, '')
      assert.match(result.stderr, /already exists/)
    }
  })

  for (const username of ['', ' ', 'x'.repeat(65)]) {
    test(`user:create refuses the name "${username.slice(0, 5)}" of ${username.length} characters`, async ({
      assert,
    }) => {
      const result = await ace(['user:create', username])
      assert.notEqual(result.code, 0)
      assert.notMatch(result.stderr + result.stdout, STACK)
    })
  }
})

test.group('node ace api-key:create', (group) => {
  let admin: Person
  group.each.timeout(LIMIT)
  group.setup(async () => {
    admin = await administrator()
  })

  test('api-key:create only prints the id and the key, as a process of the build', async ({
    client,
    assert,
  }) => {
    const result = await ace(['api-key:create', admin.username], { spawned: true })
    assert.equal(result.code, 0, result.stderr)
    assert.equal(result.stderr, '')
    const [, id, key] = KEY_JSON.exec(result.stdout) ?? assert.fail(result.stdout)
    const row = await db.from('zw_api_keys').where('id', id).firstOrFail()
    assert.equal(row.user_id, admin.id)
    assert.notInclude(JSON.stringify(row), key)
    await expectStatus(caller(client, { key }).get('/zones'), 200)
  })

  test('api-key:create applies the flags for name and restrictions', async ({ client, assert }) => {
    const root = caller(client, admin)
    const zones = [
      await createZone(root, { name: zoneNamed() }),
      await createZone(root, { name: zoneNamed() }),
    ]
    const otherZone = await createZone(root, { name: zoneNamed() })
    const result = await ace([
      'api-key:create',
      admin.username,
      '--name=for the router',
      '--operations=view,UPDATE',
      `--zones=${zones[0].name.toUpperCase()}.,${zones[1].name}`,
      '--expires=2999-12-31',
    ])
    assert.equal(result.code, 0, result.stderr)
    const { id, key } = JSON.parse(result.stdout)
    const row = await db.from('zw_api_keys').where('id', id).firstOrFail()
    assert.containsSubset(row, {
      name: 'for the router',
      allowed_operations: 'view,update',
      expires_at: '2999-12-31T00:00:00.000Z',
    })
    const as = caller(client, { key })
    await expectStatus(as.put(`/zones/${zones[0].id}`, { description: 'x' }), 200)
    await expectStatus(as.get(`/zones/${zones[1].id}`), 200)
    await expectStatus(as.delete(`/zones/${zones[0].id}`), 403)
    await expectStatus(as.get(`/zones/${otherZone.id}`), 403)
  })

  test('api-key:create creates a read-only key', async ({ client, assert }) => {
    const result = await ace(['api-key:create', admin.username, '--read-only'])
    const as = caller(client, JSON.parse(result.stdout))
    await expectStatus(as.get('/zones'), 200)
    await expectStatus(as.post('/zones', { name: zoneNamed() }), 403)
    assert.equal(result.code, 0)
  })

  for (const [what, words, expectedText] of [
    ['an operation that is none', ['--operations=view,fly'], /fly/],
    ['a zone that is none', ['--zones=nothing.test'], /nothing\.test/],
    ['a zone name that is none', ['--zones=bad name!'], /bad name!/],
    ['a date that is none', ['--expires=tomorrow'], /tomorrow/],
    ['a day that is none', ['--expires=2999-13-45'], /2999-13-45/],
    ['a moment that is over', ['--expires=2001-01-01'], /past/],
  ] as [string, string[], RegExp][]) {
    test(`api-key:create refuses ${what} with exit code 1 and creates no key`, async ({
      assert,
    }) => {
      const { id, username } = await person()
      const result = await ace(['api-key:create', username, ...words])
      assert.equal(result.code, 1)
      assert.equal(result.stdout, '')
      assert.match(result.stderr, expectedText)
      assert.notMatch(result.stderr, STACK)
      assert.lengthOf(await db.from('zw_api_keys').where('user_id', id), 1)
    })
  }

  test('api-key:create refuses an unknown or inactive owner', async ({ assert }) => {
    const inactive = await person()
    await db.from('zw_users').where('id', inactive.id).update({ active: false })
    for (const username of [unique('nobody'), inactive.username]) {
      const result = await ace(['api-key:create', username])
      assert.equal(result.code, 1)
      assert.equal(result.stdout, '')
      assert.include(result.stderr, username)
    }
  })
})
