// @databases
import hash from '@adonisjs/core/services/hash'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { baseUrl, caller, dataOf } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  permissionTemplate,
  person,
  createTeam,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'
import { assertRefused, userRow } from '#tests/support/app/people/all_account_rows'

let admin: Person

const account = (members: object = {}) => ({
  username: unique('new'),
  password: 'Secret123',
  ...members,
})
const GUEST = 5
const ADMINISTRATOR = 1
const GROUP_TEMPLATE = 6

const membersOf = async (userId: number) => {
  const rows: { group_id: number }[] = await db
    .from('zw_group_members')
    .where('user_id', userId)
    .orderBy('group_id')
  return rows.map((row) => row.group_id)
}

test.group('New users', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('members are stored, the password as a hash', async ({ client, assert }) => {
    const mail = `${unique('mail')}@example.com`
    const input = account({
      fullname: 'Jöe',
      email: mail,
      description: 'two\nlines',
      active: 0,
      perm_templ: '4',
    })
    const id = await dataOf(caller(client, admin).post('/users', input), 'user_id')
    const row = await userRow(id)
    assert.equal(row.username, input.username)
    assert.equal(row.fullname, 'Jöe')
    assert.equal(row.email, mail)
    assert.equal(row.description, 'two\nlines')
    assert.isFalse(Boolean(row.active))
    assert.equal(row.permission_template_id, 4)
    assert.equal(row.auth_method, 'local')
    assert.isTrue(await hash.verify(row.password, 'Secret123'))
  })

  test('a user of LDAP requires a password, which is not stored', async ({ client, assert }) => {
    const root = caller(client, admin)
    const input = account({ use_ldap: true })
    const id = await dataOf(root.post('/users', input), 'user_id')
    const row = await userRow(id)
    assert.deepEqual([row.auth_method, row.password], ['ldap', null])
    assert.isTrue(await dataOf(root.get(`/users/${id}`), 'user.use_ldap'))
    for (const [useLdap, count] of [
      [true, 1],
      ['1', 1],
      [false, 0],
      ['0', 0],
      [null, 0],
      [undefined, 0],
    ] as const) {
      const data = await dataOf(root.post('/users', account({ use_ldap: useLdap })))
      assert.lengthOf(data.warnings ?? [], count)
    }
    const changed = await dataOf(root.put(`/users/${id}`, { use_ldap: true }))
    assert.match(changed.warnings[0], /'use_ldap': sign-in through LDAP is not supported yet/)
    const without = { username: unique('new'), use_ldap: true }
    await assertRefused(assert, root.post('/users', without), 400, /^Password is required/)
  })

  test('a form is accepted', async ({ assert }) => {
    const { username, password } = account()
    const form = new URLSearchParams({ username, password, 'groups[]': 'Viewers', 'active': '0' })
    const response = await fetch(`${baseUrl()}/api/v2/users`, {
      method: 'POST',
      headers: { 'x-api-key': admin.key },
      body: form,
    })
    assert.equal(response.status, 201)
    const user = await db.from('zw_users').where('username', username).firstOrFail()
    assert.isFalse(Boolean(user.active))
    assert.lengthOf(await membersOf(user.id), 1)
  })

  for (const [what, members, words] of [
    ['no name', { username: undefined }, /^Username is required/],
    ['null as name', { username: null }, /^Username is required/],
    ['an empty name', { username: '' }, /^Username is required/],
    ['a number as name', { username: 5 }, /'username' must be a JSON string/],
    ['a name of the service', { username: 'Maintainer' }, /'username': "Maintainer" looks like/],
    ['a name of it in Cyrillic', { username: 'ѕystem' }, /'username'/],
    ['a blank at the end', { username: 'joe ' }, /'username': "joe " must have 1 to 64/],
    ['a line break', { username: 'jo\ne' }, /'username'/],
    ['65 characters', { username: 'x'.repeat(65) }, /'username'.*1 to 64/],
    ['no password', { password: undefined }, /^Password is required/],
    ['an empty password', { password: '' }, /^Password is required/],
    ['a number as password', { password: 12_345_678 }, /^Field 'password' must be a JSON string$/],
    ['a long full name', { fullname: 'x'.repeat(256) }, /'fullname' must have at most 255/],
    [
      'two addresses',
      { email: 'a@example.com, b@example.com' },
      /'email'.*is not an email address/,
    ],
    ['an address with a name', { email: 'Ann <a@example.com>' }, /'email'/],
    ['a long address', { email: 'x'.repeat(256) }, /'email' must have at most 255/],
    [
      'a long description',
      { description: 'x'.repeat(1025) },
      /'description' must have at most 1024/,
    ],
    ['a word as state', { active: 'yes' }, /'active' must be true or false/],
    ['a word for LDAP', { use_ldap: 2 }, /'use_ldap' must be true or false/],
    ['no template', { perm_templ: 0 }, /^Permission template not found/],
    ['an unknown template', { perm_templ: 2_147_483_648 }, /^Permission template not found/],
    ['a template for groups', { perm_templ: GROUP_TEMPLATE }, /^Permission template not found/],
    ['a word as template', { perm_templ: '2foo' }, /'perm_templ' must be a whole number/],
    ['half a template', { perm_templ: 1.5 }, /'perm_templ' must be a whole number/],
    ['groups that are no list', { groups: 'Viewers' }, /'groups' must be a list/],
    ['groups as object', { groups: { 0: 'Viewers' } }, /'groups' must be a list/],
    ['half a group', { groups: [3.5] }, /'groups.0' must be the id .* or the name/],
    ['a truth as group', { groups: [true] }, /'groups.0' must be the id .* or the name/],
    ['no group', { groups: [null] }, /'groups.0'/],
    ['51 groups', { groups: Array.from({ length: 51 }, () => 4) }, /at most 50 entries/],
    ['unknown ones', { groups: [4, 2_147_483_647, 'No'] }, /^Group not found: 2147483647, No$/],
    ['an impossible id', { groups: [99_999_999_999] }, /^Group not found: 99999999999$/],
    ['a negative id', { groups: [-1] }, /^Group not found: -1$/],
    ['a number as text', { groups: ['4'] }, /^Group not found: 4$/],
    ['another case', { groups: ['viewers'] }, /^Group not found: viewers$/],
    ['another accent', { groups: ['Viewérs'] }, /^Group not found/],
    ['a blank more', { groups: ['Viewers '] }, /^Group not found: Viewers $/],
    ['an empty name of a group', { groups: [''] }, /^Group not found/],
  ] as const) {
    test(`${what} gets 400 and creates no user`, async ({ client, assert }) => {
      const message = await assertRefused(
        assert,
        caller(client, admin).post('/users', account(members)),
        400,
        words
      )
      assert.notInclude(message, '12345678')
    })
  }

  test('taken names and addresses get 409, regardless of case', async ({ client, assert }) => {
    const root = caller(client, admin)
    const email = `${unique('mail')}@example.com`
    const { username, password } = account()
    await root.post('/users', { username, password, email })
    await assertRefused(
      assert,
      root.post('/users', account({ username })),
      409,
      /^Username already exists/
    )
    await assertRefused(
      assert,
      root.post('/users', account({ email })),
      409,
      /^Email already exists/
    )
    await assertRefused(
      assert,
      root.post('/users', account({ username: username.toUpperCase() })),
      409,
      /^Username already exists.*looks like/
    )
    for (const empty of ['', null]) {
      const response = await root.post('/users', account({ email: empty }))
      response.assertStatus(201)
    }
  })

  test('a concurrently taken name gets 409, never 500', async ({ client, assert }) => {
    const root = caller(client, admin)
    const input = account({ email: `${unique('mail')}@example.com` })
    const sameName = () => ({ ...input, email: '' })
    const sameMail = () => ({ ...input, username: unique('new') })
    for (const body of [sameName, sameMail]) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => root.post('/users', body()))
      )
      const statuses = answers.map((answer) => answer.status()).sort((a, b) => a - b)
      assert.deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)])
      for (const answer of answers.filter((one) => one.status() === 409)) {
        assert.match(answer.body().message, /^(Username|Email) already exists: /)
      }
    }
  })

  test('a repeated request with the same Idempotency-Key creates no second user', async ({
    client,
    assert,
  }) => {
    const input = account()
    const send = () =>
      caller(client, admin).post('/users', input).header('idempotency-key', input.username)
    const [first, secondResponse] = [await send(), await send()]
    assert.equal(first.status(), 201)
    assert.deepEqual(secondResponse.body(), first.body())
    assert.equal(secondResponse.header('idempotent-replay'), 'true')
  })

  test('a dry run validates everything and creates no user', async ({ client, assert }) => {
    const root = caller(client, admin)
    const input = account({ dry_run: true, groups: ['Viewers'] })
    const response = await root.post('/users', input)
    response.assertStatus(200)
    assert.deepEqual(response.body().data.plan.zones, [])
    assert.isNull(await db.from('zw_users').where('username', input.username).first())
    await assertRefused(
      assert,
      root.post('/users?dry_run=true', account({ username: admin.username })),
      409
    )
  })

  test('preconditions are refused because users have no entity tag', async ({ client, assert }) => {
    const call = caller(client, admin).post('/users', account()).header('if-none-match', '*')
    await assertRefused(assert, call, 400, /If-None-Match/)
  })
})

test.group('Template of a new user', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('without perm_templ the user gets the template with the fewest rights, whoever creates the user', async ({
    client,
    assert,
  }) => {
    const creator = await person({ permissions: ['user_add_new'] })
    for (const user of [admin, creator]) {
      for (const members of [{}, { perm_templ: null }]) {
        const id = await dataOf(caller(client, user).post('/users', account(members)), 'user_id')
        const row = await userRow(id)
        const { n } = await db
          .from('zw_permission_template_items')
          .where('template_id', row.permission_template_id)
          .count('* as n')
          .first()
        assert.equal(Number(n), 0)
      }
    }
  })

  test('without a harmless template no user is created', async ({ client, assert }) => {
    const others: { id: number }[] = await db
      .from('zw_permission_templates')
      .where('template_type', 'user')
      .whereNot('id', ADMINISTRATOR)
      .select('id')
    const ids = others.map(({ id }) => id)
    const retype = (type: string) =>
      db.from('zw_permission_templates').whereIn('id', ids).update({ template_type: type })
    await retype('none')
    try {
      await assertRefused(
        assert,
        caller(client, admin).post('/users', account()),
        400,
        /^No permission template available to assign/
      )
    } finally {
      await retype('user')
    }
  })

  test('user_edit_templ_perm allows every harmless template', async ({ client, assert }) => {
    const as = caller(
      client,
      await person({ permissions: ['user_add_new', 'user_edit_templ_perm'] })
    )
    const strong = await permissionTemplate('user', ['zone_content_edit_others', 'search'])
    const id = await dataOf(as.post('/users', account({ perm_templ: strong.id })), 'user_id')
    const row = await userRow(id)
    assert.equal(row.permission_template_id, strong.id)
    const hidden = await permissionTemplate('user', ['search', 'user_is_ueberuser'])
    for (const perm of [ADMINISTRATOR, hidden.id]) {
      await assertRefused(assert, as.post('/users', account({ perm_templ: perm })), 403)
    }
    await assertRefused(assert, as.post('/users', account({ perm_templ: 2_147_483_647 })), 400)
  })

  test('without this permission perm_templ gets the same 403 for existing and missing templates', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await person({ permissions: ['user_add_new', 'user_edit_others'] }))
    const messages = new Set<string>()
    for (const perm of [GUEST, ADMINISTRATOR, GROUP_TEMPLATE, 2_147_483_647, 0, '2foo', 3.5, []]) {
      messages.add(
        await assertRefused(assert, as.post('/users', account({ perm_templ: perm })), 403)
      )
    }
    assert.equal(messages.size, 1)
  })
})

test.group('Groups of a new user', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('groups are ids or names without duplicates, and the response has the memberships', async ({
    client,
    assert,
  }) => {
    const [one, otherTeam] = [await createTeam([]), await createTeam([])]
    const groups = [otherTeam.id, one.name, otherTeam.name, one.id, otherTeam.id]
    const response = await caller(client, admin).post('/users', account({ groups }))
    response.assertStatus(201)
    const { user_id: id, groups: created } = response.body().data
    assert.deepEqual(created, [
      { id: otherTeam.id, name: otherTeam.name },
      { id: one.id, name: one.name },
    ])
    assert.deepEqual(await membersOf(id), [one.id, otherTeam.id])
  })

  test('a group name of digits is a name', async ({ client, assert }) => {
    const { id } = await createTeam([])
    const digits = String(Date.now()) + String(id)
    await db.from('zw_groups').where('id', id).update({ name: digits })
    const user = await dataOf(
      caller(client, admin).post('/users', account({ groups: [digits] })),
      ''
    )
    assert.deepEqual(user.groups, [{ id, name: digits }])
  })

  test('50 groups are allowed, and an empty list means none', async ({ client, assert }) => {
    const { id } = await createTeam([])
    const root = caller(client, admin)
    const fifty = Array.from({ length: 50 }, () => id)
    for (const [groups, expected] of [
      [fifty, [id]],
      [[], []],
      [null, []],
    ]) {
      const user = await dataOf(root.post('/users', account({ groups })), 'user_id')
      assert.deepEqual(await membersOf(user), expected)
    }
  })

  test('only administrators may send groups, with any value', async ({ client, assert }) => {
    const helpdesk = await person({
      permissions: ['user_add_new', 'user_edit_others', 'user_edit_templ_perm'],
    })
    const as = caller(client, helpdesk)
    const messages = new Set<string>()
    const many = Array.from({ length: 51 }, () => 4)
    for (const groups of [['Viewers'], [unique('none')], [], [2_147_483_647], [3.5], 'x', many]) {
      messages.add(await assertRefused(assert, as.post('/users', account({ groups })), 403))
    }
    assert.equal(messages.size, 1)
    const response = await as.post('/users', account({ groups: null }))
    response.assertStatus(201)
  })
})

test.group('Order of checks of new users', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('the permission is checked before the body, forbidden members before types, types before values', async ({
    client,
    assert,
  }) => {
    const guest = caller(client, await person())
    await assertRefused(assert, guest.post('/users', {}), 403, /permission to create users/)
    const creator = caller(client, await person({ permissions: ['user_add_new'] }))
    await assertRefused(assert, creator.post('/users', {}), 400, /Invalid JSON/)
    const wrongShape = { perm_templ: 1, username: 5 }
    await assertRefused(assert, creator.post('/users', wrongShape), 403)
    await assertRefused(assert, creator.post('/users', { username: 5 }), 400)
    await assertRefused(assert, creator.post('/users', { perm_templ: 1 }), 403)
    await assertRefused(assert, creator.post('/users', { groups: [1] }), 403)
    const taken = account({ username: admin.username, perm_templ: 0 })
    await assertRefused(assert, caller(client, admin).post('/users', taken), 400)
  })

  test('the operations of a key are checked before the permissions of its owner', async ({
    client,
    assert,
  }) => {
    const narrowed: Restrictions[] = [{ readOnly: true }, { operations: ['view', 'update'] }]
    for (const restrictions of narrowed) {
      const key = await keyFor(admin, restrictions)
      const call = caller(client, key).post('/users', account())
      await assertRefused(assert, call, 403, /not permitted to perform/)
    }
  })
})
