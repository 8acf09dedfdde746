// @databases
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { UserSortKeys } from '#background/user_sort_keys'
import { caller, dataOf, expectStatus, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  permissionTemplate,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'
import { assertRefused } from '#tests/support/app/people/all_account_rows'
import { statementsOf } from '#tests/support/app/database/statements'

let admin: Person

interface Listed {
  user_id: number
  username: string
}

/** Creates users that `q` finds by a unique word. Their names contain the given members. */
async function createUsers(client: ApiClient, ...users: Record<string, unknown>[]) {
  const word = unique('crowd')
  const ids: number[] = []
  for (const [index, user] of users.entries()) {
    const input = { username: `${word}-${index}`, password: 'Secret123', description: word }
    ids.push(await dataOf(caller(client, admin).post('/users', { ...input, ...user }), 'user_id'))
  }
  const list = async (query: string): Promise<Listed[]> =>
    dataOf(caller(client, admin).get(`/users?q=${word}&${query}`), 'users')
  const idsInOrder = async (query: string) => {
    const found = await list(query)
    return found.map((user) => ids.indexOf(user.user_id))
  }
  return { word, ids, order: idsInOrder, list }
}

test.group('List of users', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('a row has template, groups by name, zones and whether the user is an administrator', async ({
    client,
    assert,
  }) => {
    const root = caller(client, admin)
    const [second, first] = [await createTeam([]), await createTeam(['user_is_ueberuser'])]
    const owner = await person({ template: 'Editor', groups: [second.name, first.name] })
    await createZone(root, { name: zoneNamed(), owner_user_id: owner.id })
    await createZone(root, { name: zoneNamed(), owner_user_id: owner.id })
    await createZone(root, { name: zoneNamed(), owner_user_id: null, group_ids: [first.id] })
    const groups = [first, second].sort((one, otherTeam) => (one.name < otherTeam.name ? -1 : 1))
    const users = await dataOf(root.get(`/users?q=${owner.username}`), 'users')
    assert.deepEqual(users, [
      {
        user_id: owner.id,
        username: owner.username,
        fullname: '',
        email: '',
        description: '',
        active: true,
        locked: false,
        use_ldap: false,
        perm_templ: 3,
        perm_templ_name: 'Editor',
        zone_count: 2,
        is_admin: true,
        groups,
      },
    ])
  })

  test('zones that another tool deleted are not counted', async ({ client, assert }) => {
    const owner = await person()
    const root = caller(client, admin)
    const zone = await createZone(root, { name: zoneNamed(), owner_user_id: owner.id })
    await db.from('domains').where('id', zone.id).delete()
    const count = await dataOf(root.get(`/users?username=${owner.username}`), 'users.0.zone_count')
    assert.equal(count, 0)
  })

  test('a template for groups has no name here', async ({ client, assert }) => {
    const template = await permissionTemplate('group', [])
    const someone = await person()
    await db
      .from('zw_users')
      .where('id', someone.id)
      .update({ permission_template_id: template.id })
    const root = caller(client, admin)
    const [listed] = await dataOf(root.get(`/users?username=${someone.username}`), 'users')
    const detail = await dataOf(root.get(`/users/${someone.id}`), 'user')
    for (const user of [listed, detail]) {
      assert.equal(user.perm_templ, template.id)
      assert.isNull(user.perm_templ_name)
    }
  })

  test('without sort the order is by id', async ({ client, assert }) => {
    const { order: idsInOrder } = await createUsers(
      client,
      { fullname: 'c' },
      { fullname: 'a' },
      { fullname: 'b' }
    )
    assert.deepEqual(await idsInOrder(''), [0, 1, 2])
  })

  for (const [query, expected] of [
    ['sort=id:desc', [3, 2, 1, 0]],
    // Case-insensitive, by characters: x10 before x9.
    ['sort=fullname', [3, 0, 1, 2]],
    ['sort=fullname:desc', [2, 1, 0, 3]],
    [' sort = Fullname : DESC '.replaceAll(' ', ''), [2, 1, 0, 3]],
    // A missing address sorts first.
    ['sort=email', [1, 3, 2, 0]],
    ['sort=email:desc', [0, 2, 1, 3]],
    ['sort=email:desc,id:desc', [0, 2, 3, 1]],
  ] as const) {
    test(`${query} sorts without natural order, ties by id`, async ({ client, assert }) => {
      const at = unique('mail')
      const { order: idsInOrder } = await createUsers(
        client,
        { fullname: 'X10', email: `C${at}` },
        { fullname: 'x9' },
        { fullname: 'Ärger', email: `b${at}` },
        { fullname: 'B' }
      )
      assert.deepEqual(await idsInOrder(query), expected)
    })
  }

  test('the order follows changes, and the database reads it from an index', async ({
    client,
    assert,
  }) => {
    const { ids, order: idsInOrder } = await createUsers(
      client,
      { fullname: 'b' },
      { fullname: 'C' }
    )
    await expectStatus(caller(client, admin).put(`/users/${ids[0]}`, { fullname: 'Östlich' }), 200)
    assert.deepEqual(await idsInOrder('sort=fullname'), [1, 0])
    for (const field of ['username', 'fullname', 'email']) {
      const page = caller(client, admin).get(`/users?sort=${field}:desc&per_page=5`)
      const statements = await statementsOf(() => page)
      const sorted = statements.filter((sql) => sql.includes(' order by '))
      assert.match(sorted[0], new RegExp(`order by .zw_users.\\..${field}_key. desc`))
    }
  })

  test('users that another tool wrote are sorted correctly after the next run of the task', async ({
    client,
    assert,
  }) => {
    const { ids, order: idsInOrder } = await createUsers(
      client,
      { fullname: 'b' },
      { fullname: 'c' }
    )
    await db.from('zw_users').where('id', ids[0]).update({ fullname: 'Österreich' })
    await db.from('zw_users').where('id', ids[1]).update({ fullname: 'D', fullname_key: '' })
    const task = new UserSortKeys({ warn() {} })
    await task.runOnce()
    assert.deepEqual(await idsInOrder('sort=fullname'), [1, 0])
    assert.deepEqual(await idsInOrder('sort=fullname:desc'), [0, 1])
    const changes = (sql: string) => /^update/i.test(sql)
    const statements = await statementsOf(() => task.runOnce())
    assert.isEmpty(statements.filter(changes))
  })

  for (const [query, words] of [
    ['sort=password', /id, username, fullname, email/],
    ['sort=active', /id, username, fullname, email/],
    ['sort=id,id', /twice.*id, username, fullname, email/],
    ['sort=id:up', /must be asc or desc.*id, username, fullname, email/],
    ['sort=id,username,fullname,email,id,id', /at most 5/],
    ['sort=id:asc:desc', /must be asc or desc/],
    ['q[]=a', /must be a single value/],
    ['username=admin&sort=password', /id, username, fullname, email/],
  ] as const) {
    test(`${query} gets 400 with the allowed values`, async ({ client, assert }) => {
      await assertRefused(assert, caller(client, admin).get(`/users?${query}`), 400, words)
    })
  }

  test('q searches user name, full name, address and description, case-insensitively', async ({
    client,
    assert,
  }) => {
    const root = caller(client, admin)
    for (const field of ['username', 'fullname', 'email', 'description']) {
      const word = unique('WÖRD_%')
      const id = await dataOf(
        root.post('/users', { username: unique('u'), password: 'x', [field]: `a${word}z` }),
        'user_id'
      )
      for (const q of [word, word.toLowerCase(), word.slice(2)]) {
        const users = await dataOf(root.get(`/users?q=${encodeURIComponent(q)}`), 'users')
        assert.deepEqual(
          users.map((user: Listed) => user.user_id),
          [id],
          `${field}: ${q}`
        )
      }
      const other = word.replace('_', 'x').replace('%', 'y')
      const nobody = await dataOf(root.get(`/users?q=${encodeURIComponent(other)}`), 'users')
      assert.deepEqual(nobody, [])
    }
  })

  test('the pagination counts the rows that match q', async ({ client, assert }) => {
    const { word, order: idsInOrder } = await createUsers(client, {}, {}, {})
    assert.deepEqual(await idsInOrder('per_page=2'), [0, 1])
    assert.deepEqual(await idsInOrder('per_page=2&page=2&sort=id:desc'), [0])
    const response = await caller(client, admin).get(`/users?q=${word}&per_page=2&page=9`)
    assert.deepEqual(response.body().data.users, [])
    assert.deepEqual(response.body().pagination, {
      current_page: 9,
      per_page: 2,
      total: 3,
      last_page: 2,
    })
  })

  test('an exact name or address looks up one user and ignores page, per_page and q', async ({
    client,
    assert,
  }) => {
    const mail = `${unique('mail')}@example.com`
    const { ids, list, word } = await createUsers(client, { email: mail }, {})
    const lookup = async (query: string) => {
      const response = await caller(client, admin).get(`/users?${query}`)
      response.assertStatus(200)
      assert.deepEqual(Object.keys(response.body()), ['success', 'data', 'message'])
      return response.body().data.users.map((user: Listed) => user.user_id)
    }
    const [name, other] = [`${word}-0`, `${word}-1`]
    assert.deepEqual(await lookup(`username=${name}`), [ids[0]])
    assert.deepEqual(await lookup(`email=${mail}`), [ids[0]])
    const rest = 'page=7&per_page=1&q=nothing&sort=id:desc'
    assert.deepEqual(await lookup(`username=${name}&${rest}`), [ids[0]])
    assert.deepEqual(await lookup(`username=${other}&email=${mail}`), [ids[1]])
    assert.deepEqual(await lookup(`username=${unique('free')}&email=${mail}`), [])
    for (const wrong of [name.toUpperCase(), `${name}%20`, name.slice(0, -1), `${word}%25`]) {
      assert.deepEqual(await lookup(`username=${wrong}`), [], wrong)
    }
    assert.deepEqual(await lookup(`email=${mail.toUpperCase()}`), [])
    // A blank name matches no user. It does not disable the filter.
    for (const blank of ['username=%20', 'email=%20', `username=%09%20&email=${mail}`]) {
      assert.deepEqual(await lookup(blank), [], blank)
    }
    assert.deepEqual(await lookup(`username=&email=${mail}`), [ids[0]])
    assert.lengthOf(await list('username='), 2)
  })

  test('the list takes the same number of statements for two users and for twenty', async ({
    client,
    assert,
  }) => {
    const many = await createUsers(
      client,
      ...Array.from({ length: 20 }, () => ({ groups: [3, 4] }))
    )
    const few = await createUsers(client, {}, {})
    const root = caller(client, admin)
    // The number of queries on the trigram index depends on its content.
    const ofIndex = (statement: string) => /zw_text_|_grams/.test(statement)
    for (const query of ['', '&per_page=50', '&sort=fullname,email']) {
      const [cheap, dear] = [
        await statementsOf(() => root.get(`/users?q=${few.word}${query}`)),
        await statementsOf(() => root.get(`/users?q=${many.word}${query}`)),
      ]
      const others = dear.filter((statement) => !ofIndex(statement))
      assert.lengthOf(
        cheap.filter((statement) => !ofIndex(statement)),
        others.length,
        query
      )
      assert.isAtMost(others.length, 8)
      assert.isAtLeast(others.length, 4)
      assert.isAtMost(dear.length - others.length, 4)
    }
  })

  test('a key for single zones lists users with all their zones counted', async ({
    client,
    assert,
  }) => {
    const root = caller(client, admin)
    const owner = await person()
    const zone = await createZone(root, { name: zoneNamed(), owner_user_id: owner.id })
    await createZone(root, { name: zoneNamed(), owner_user_id: owner.id })
    const asLimitedKey = caller(client, await keyFor(admin, { zones: [zone] }))
    const count = await dataOf(
      asLimitedKey.get(`/users?username=${owner.username}`),
      'users.0.zone_count'
    )
    assert.equal(count, 2)
  })

  test('no response about users contains a password or hash', async ({ client, assert }) => {
    const root = caller(client, admin)
    for (const path of ['/users?per_page=3', `/users/${admin.id}`, `/users?q=${admin.username}`]) {
      const response = await root.get(path)
      assert.notMatch(JSON.stringify(response.body().data), /password|scrypt|argon|\$/i)
    }
  })
})

test.group('One user', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('permissions are the union of the template and the groups, by name', async ({
    client,
    assert,
  }) => {
    const { name } = await createTeam(['search', 'zone_delete_own'])
    const someone = await person({
      permissions: ['zone_master_add', 'search', 'api_manage_keys'],
      groups: [name],
    })
    const user = await dataOf(caller(client, admin).get(`/users/${someone.id}`), 'user')
    assert.deepEqual(user.permissions, [
      'api_manage_keys',
      'search',
      'zone_delete_own',
      'zone_master_add',
    ])
    assert.isFalse(user.is_admin)
    assert.notProperty(user, 'zone_count')
  })

  test('an administrator has the one permission that includes all, also through a group', async ({
    client,
    assert,
  }) => {
    const { name } = await createTeam(['user_is_ueberuser', 'search'])
    const byGroup = await person({ permissions: ['search'], groups: [name] })
    for (const { id } of [admin, byGroup]) {
      const user = await dataOf(caller(client, admin).get(`/users/${id}`), 'user')
      assert.deepEqual(user.permissions, ['user_is_ueberuser'])
      assert.isTrue(user.is_admin)
    }
  })

  test('users who see other users see their memberships, and a guest sees only themselves', async ({
    client,
    assert,
  }) => {
    const { id, name } = await createTeam([])
    const member = await person({ groups: [name] })
    const viewer = caller(client, await person({ permissions: ['user_view_others'] }))
    const groups = await dataOf(viewer.get(`/users/${member.id}`), 'user.groups')
    assert.deepEqual(groups, [{ id, name }])
    const guest = caller(client, member)
    assert.equal(await dataOf(guest.get(`/users/${member.id}`), 'user.user_id'), member.id)
    await assertRefused(assert, guest.get('/users'), 403, /permission to list users/)
    const words = new Set<string>()
    for (const other of [admin.id, 2_147_483_647, 0]) {
      words.add(await assertRefused(assert, guest.get(`/users/${other}`), 403))
    }
    assert.equal(words.size, 1)
  })

  for (const id of ['0', '2147483647', '2147483648', '99999999999999999999']) {
    test(`id ${id} gets 404 for every method`, async ({ client, assert }) => {
      const root = caller(client, admin)
      await assertRefused(assert, root.get(`/users/${id}`), 404, /^User not found$/)
      await assertRefused(assert, root.put(`/users/${id}`, {}), 404)
      await assertRefused(assert, root.patch(`/users/${id}`, {}), 404)
      await assertRefused(assert, root.delete(`/users/${id}`), 404)
    })
  }

  for (const id of ['x', '-1', '01', '1.5', '1/']) {
    test(`/users/${id} is an unknown path`, async ({ client, assert }) => {
      const response = await caller(client, admin).get(`/users/${id}`)
      assert.equal(response.status(), 404)
      assert.match(response.body().message, /requested resource/)
    })
  }
})
