// @databases
import hash from '@adonisjs/core/services/hash'
import db from '@adonisjs/lucid/services/db'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import type { Permission } from '#access/permissions'
import { nameSkeleton } from '#accounts/users/name_skeleton'
import { caller, expectStatus, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import {
  administrator,
  permissionTemplate,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'
import { accountState, assertRefused, userRow } from '#tests/support/app/people/all_account_rows'

let admin: Person

const HELPDESK: Permission[] = [
  'user_edit_others',
  'user_passwd_edit_others',
  'user_edit_templ_perm',
]
const [ADMINISTRATOR, EDITOR, VIEWER, GUEST, GROUP_TEMPLATE] = [1, 3, 4, 5, 6]

/** Asserts that the call succeeds without a change. */
async function changesNothing(call: ReturnType<Caller['put']>, assert: Assert) {
  const before = await accountState()
  const response = await call
  response.assertStatus(200)
  assert.deepEqual(await accountState(), before)
}

test.group('PUT /users/:id', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('given members change, and the others stay', async ({ client, assert }) => {
    const root = caller(client, admin)
    const someone = await person({ template: 'Viewer' })
    const before = await userRow(someone.id)
    const mail = `${unique('mail')}@example.com`
    const name = unique('renamed')
    const steps: [object, object][] = [
      [{ fullname: 'Ann B' }, { fullname: 'Ann B', fullname_key: 'ann b' }],
      [{ email: mail }, { email: mail, email_key: mail }],
      [{ description: 'x' }, { description: 'x' }],
      [
        { username: name },
        { username: name, username_key: name, username_skeleton: nameSkeleton(name) },
      ],
      [{ perm_templ: String(EDITOR) }, { permission_template_id: EDITOR }],
      [
        { email: '', fullname: '' },
        { email: null, email_key: '', fullname: '', fullname_key: '' },
      ],
    ]
    let expected = before
    for (const [members, columns] of steps) {
      await expectStatus(root.put(`/users/${someone.id}`, members), 200)
      const now = await userRow(someone.id)
      expected = { ...expected, ...columns, updated_at: now.updated_at }
      assert.deepEqual(now, expected)
    }
    assert.isAbove(Date.parse(expected.updated_at), Date.parse(before.updated_at))
  })

  test('a password is hashed, and an empty one is ignored', async ({ client, assert }) => {
    const root = caller(client, admin)
    const { id } = await person()
    await expectStatus(root.put(`/users/${id}`, { password: 'Another1' }), 200)
    const row = await userRow(id)
    assert.isTrue(await hash.verify(row.password, 'Another1'))
    await changesNothing(root.put(`/users/${id}`, { password: '' }), assert)
  })

  test('stored values, groups and read-only members change nothing', async ({ client, assert }) => {
    const root = caller(client, admin)
    const someone = await person({ template: 'Viewer' })
    const stored = {
      username: someone.username,
      fullname: '',
      email: '',
      description: '',
      active: 1,
      perm_templ: String(VIEWER),
      use_ldap: '0',
      groups: [1],
      is_admin: false,
      perm_templ_name: 'Viewer',
    }
    await changesNothing(root.put(`/users/${someone.id}`, stored), assert)
    const nulls = { username: null, fullname: null, active: null, use_ldap: null, password: null }
    await changesNothing(root.put(`/users/${someone.id}`, nulls), assert)
    await changesNothing(root.patch(`/users/${someone.id}`, { perm_templ: VIEWER }), assert)
  })

  for (const [what, members, words] of [
    ['an empty body', {}, /Invalid JSON/],
    ['an empty name', { username: '' }, /'username'/],
    ['a blank before a name', { username: ' joe' }, /'username'/],
    ['two addresses', { email: 'a@example.com,b@example.com' }, /'email'/],
    ['two words as address', { email: 'ann bob' }, /'email'.*is not an email address/],
    ['a long name', { username: 'x'.repeat(65) }, /'username'/],
    ['a word as state', { active: 'on' }, /'active'/],
    ['template 0', { perm_templ: 0 }, /^Permission template not found/],
    ['null as template', { perm_templ: null }, /^Permission template not found/],
    ['an unknown template', { perm_templ: 2_147_483_647 }, /^Permission template not found/],
    ['a template for groups', { perm_templ: GROUP_TEMPLATE }, /^Permission template not found/],
    ['a word as template', { perm_templ: '2foo' }, /'perm_templ'/],
    ['an unknown member', { shoe_size: 44 }, /^Field 'shoe_size' is unknown; allowed: /],
    ['two unknown members', { is_active: 0, templ: 1 }, /^Fields 'is_active', 'templ' are unknown/],
    ['a list as password', { password: ['x'] }, /^Field 'password' must be a JSON string$/],
  ] as const) {
    test(`${what} gets 400 and changes nothing`, async ({ client, assert }) => {
      const { id } = await person()
      const call = caller(client, admin).put(`/users/${id}`, { ...members })
      await assertRefused(assert, call, 400, words)
    })
  }

  test('names and addresses of other users get 409', async ({ client, assert }) => {
    const root = caller(client, admin)
    const [one, otherUser] = [await person(), await person()]
    const email = `${unique('mail')}@example.com`
    await expectStatus(root.put(`/users/${otherUser.id}`, { email }), 200)
    const at = `/users/${one.id}`
    await assertRefused(
      assert,
      root.put(at, { username: otherUser.username }),
      409,
      /^Username already/
    )
    await assertRefused(assert, root.put(at, { email }), 409, /^Email already/)
    await changesNothing(root.put(`/users/${otherUser.id}`, { email }), assert)
  })

  test('of concurrent renames to one name one succeeds', async ({ client, assert }) => {
    const root = caller(client, admin)
    const people = await Promise.all(Array.from({ length: 6 }, () => person()))
    const username = unique('wanted')
    const answers = await Promise.all(
      people.map(({ id }) => root.put(`/users/${id}`, { username }))
    )
    const statuses = answers.map((answer) => answer.status()).sort((a, b) => a - b)
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409])
  })

  test('a dry run validates everything and changes nothing', async ({ client, assert }) => {
    const root = caller(client, admin)
    const { id } = await person()
    const at = `/users/${id}`
    await changesNothing(root.put(at, { username: unique('new'), dry_run: true }), assert)
    await changesNothing(root.patch(`${at}?dry_run=true`, { perm_templ: EDITOR }), assert)
    await changesNothing(root.delete(`${at}?dry_run=true`), assert)
    await assertRefused(assert, root.put(at, { username: admin.username, dry_run: true }), 409)
    await assertRefused(assert, root.put(at, { fullname: 'x' }).header('if-match', '"x"'), 400)
  })

  test('no key of a deactivated user works until activation', async ({ client }) => {
    const root = caller(client, admin)
    const someone = await person({ template: 'Viewer' })
    const as = caller(client, someone)
    await expectStatus(as.get('/zones'), 200)
    await expectStatus(root.put(`/users/${someone.id}`, { active: false }), 200)
    await expectStatus(as.get('/zones'), 401)
    await expectStatus(root.put(`/users/${someone.id}`, { active: true }), 200)
    await expectStatus(as.get('/zones'), 200)
  })
})

test.group('Users of LDAP', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('a change to LDAP deletes the password, and a change from LDAP requires one', async ({
    client,
    assert,
  }) => {
    const root = caller(client, admin)
    const { id } = await person()
    const at = `/users/${id}`
    const signsIn = async () => {
      const row = await userRow(id)
      return [row.auth_method, row.password !== null]
    }
    await expectStatus(root.put(at, { use_ldap: true }), 200)
    assert.deepEqual(await signsIn(), ['ldap', false])
    await assertRefused(assert, root.put(at, { password: 'Secret123' }), 400, /LDAP/)
    await assertRefused(
      assert,
      root.put(at, { use_ldap: true, password: 'Secret123' }),
      400,
      /LDAP/
    )
    await changesNothing(root.put(at, { use_ldap: true, password: '' }), assert)
    for (const password of [undefined, '', null]) {
      await assertRefused(assert, root.put(at, { use_ldap: false, password }), 400, /password/)
    }
    await expectStatus(root.put(at, { use_ldap: false, password: 'Secret123' }), 200)
    assert.deepEqual(await signsIn(), ['local', true])
    await assertRefused(
      assert,
      root.put(at, { use_ldap: true, password: 'Secret123' }),
      400,
      /LDAP/
    )
  })

  test('users of single sign-on have no password', async ({ client, assert }) => {
    const root = caller(client, admin)
    const { id } = await person()
    await db.from('zw_users').where('id', id).update({ auth_method: 'oidc', password: null })
    const at = `/users/${id}`
    await assertRefused(assert, root.put(at, { password: 'Secret123' }), 400, /LDAP/)
    await changesNothing(root.put(at, { use_ldap: false }), assert)
  })
})

test.group('The own account', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('user_edit_own allows harmless members and the password', async ({ client, assert }) => {
    const self = await person({ permissions: ['user_edit_own'] })
    const as = caller(client, self)
    const members = { fullname: 'Me', email: '', description: 'mine', password: 'Mine1234' }
    await expectStatus(as.put(`/users/${self.id}`, members), 200)
    const row = await userRow(self.id)
    assert.equal(row.fullname, 'Me')
    assert.isTrue(await hash.verify(row.password, 'Mine1234'))
    await assertRefused(assert, as.put(`/users/${admin.id}`, { fullname: 'x' }), 403)
  })

  test('username, active and use_ldap cannot be changed', async ({ client, assert }) => {
    const self = await person({ permissions: ['user_edit_own', 'user_edit_templ_perm'] })
    const as = caller(client, self)
    const at = `/users/${self.id}`
    for (const stored of [
      { username: self.username },
      { active: true },
      { active: 1 },
      { use_ldap: false },
      { use_ldap: '0' },
    ]) {
      await changesNothing(as.put(at, stored), assert)
    }
    for (const [field, values] of [
      ['username', [unique('other'), self.username.toUpperCase(), '', null]],
      ['active', [false, 0, 'false', null]],
      ['use_ldap', [true, 1, 'true', null]],
    ] as const) {
      for (const value of values) {
        const words = new RegExp(`^Changing ${field} on your own account requires user_edit_others`)
        const call = as.put(at, { [field]: value, fullname: 'x', password: 'Secret123' })
        await assertRefused(assert, call, 403, words)
      }
    }
  })

  test('user_edit_others allows changes of these members too', async ({ client, assert }) => {
    const self = await person({ permissions: ['user_edit_others'] })
    const as = caller(client, self)
    const username = unique('renamed')
    await expectStatus(as.put(`/users/${self.id}`, { username }), 200)
    const row = await userRow(self.id)
    assert.equal(row.username, username)
  })

  test('a change without either permission is refused', async ({ client, assert }) => {
    const self = await person({ permissions: ['user_view_others', 'user_passwd_edit_others'] })
    const as = caller(client, self)
    await assertRefused(assert, as.put(`/users/${self.id}`, { fullname: 'x' }), 403)
    await assertRefused(assert, as.put(`/users/${self.id}`, { password: 'Secret123' }), 403)
  })

  test("the user's own template may be repeated, and changed only with user_edit_others", async ({
    client,
    assert,
  }) => {
    const permissions: Permission[] = ['user_edit_own', 'user_edit_templ_perm']
    const self = await person({ permissions })
    const as = caller(client, self)
    const at = `/users/${self.id}`
    const { permission_template_id: own } = await userRow(self.id)
    await changesNothing(as.put(at, { perm_templ: own }), assert)
    await changesNothing(as.patch(at, { perm_templ: own }), assert)
    for (const perm of [VIEWER, ADMINISTRATOR]) {
      await assertRefused(assert, as.put(at, { perm_templ: perm }), 403)
      await assertRefused(assert, as.patch(at, { perm_templ: perm }), 403)
    }
    const mightier = await person({ permissions: ['user_edit_others', 'user_edit_templ_perm'] })
    const call = caller(client, mightier).put(`/users/${mightier.id}`, { perm_templ: VIEWER })
    await expectStatus(call, 200)
  })
})

test.group('Other users', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('user_edit_others excludes password and template', async ({ client, assert }) => {
    const as = caller(client, await person({ permissions: ['user_edit_others'] }))
    const { id } = await person({ template: 'Viewer' })
    const at = `/users/${id}`
    await expectStatus(as.put(at, { username: unique('new'), active: false }), 200)
    await expectStatus(as.put(at, { active: true, perm_templ: VIEWER }), 200)
    await assertRefused(assert, as.put(at, { password: 'Secret123' }), 403, /passwords of other/)
    await changesNothing(as.put(at, { perm_templ: VIEWER }), assert)
    const messages = new Set<string>()
    for (const perm of [GUEST, ADMINISTRATOR, GROUP_TEMPLATE, 2_147_483_647, null, '2foo', 3.5]) {
      messages.add(await assertRefused(assert, as.put(at, { perm_templ: perm }), 403))
    }
    for (const perm of [GUEST, '2foo', []]) {
      messages.add(await assertRefused(assert, as.patch(at, { perm_templ: perm }), 403))
    }
    assert.equal(messages.size, 1)
  })

  test('user_passwd_edit_others additionally allows passwords', async ({ client }) => {
    const as = caller(
      client,
      await person({ permissions: ['user_edit_others', 'user_passwd_edit_others'] })
    )
    const { id } = await person()
    await expectStatus(as.put(`/users/${id}`, { password: 'Secret123' }), 200)
  })

  test('user_edit_templ_perm allows templates without administrator rights', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await person({ permissions: ['user_edit_templ_perm'] }))
    const { id } = await person()
    const at = `/users/${id}`
    await expectStatus(as.patch(at, { perm_templ: EDITOR }), 200)
    const row = await userRow(id)
    assert.equal(row.permission_template_id, EDITOR)
    const hidden = await permissionTemplate('user', ['search', 'user_is_ueberuser'])
    for (const perm of [ADMINISTRATOR, hidden.id]) {
      await assertRefused(
        assert,
        as.patch(at, { perm_templ: perm }),
        403,
        /a permission template with user_is_ueberuser/
      )
    }
    await assertRefused(assert, as.patch(at, { perm_templ: GROUP_TEMPLATE }), 400)
    await assertRefused(assert, as.put(at, { perm_templ: GUEST }), 403, /edit other users/)
  })

  for (const body of [{ fullname: 'x' }, { perm_templ: null }, { perm_templ: 'x' }, {}]) {
    test(`PATCH with ${JSON.stringify(body)} gets 400`, async ({ client, assert }) => {
      const { id } = await person()
      await assertRefused(assert, caller(client, admin).patch(`/users/${id}`, body), 400)
    })
  }

  test('only administrators change and delete administrators, whatever the source of their rights', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await person({ permissions: HELPDESK }))
    const { name } = await createTeam(['user_is_ueberuser'])
    const byGroup = await person({ groups: [name] })
    const inactive = await administrator()
    await db.from('zw_users').where('id', inactive.id).update({ active: false })
    for (const { id } of [admin, byGroup, inactive]) {
      const at = `/users/${id}`
      for (const call of [
        as.put(at, { fullname: 'x' }),
        as.put(at, { password: 'Secret123' }),
        as.put(at, { active: false }),
        as.patch(at, { perm_templ: GUEST }),
        as.delete(at),
      ]) {
        await assertRefused(assert, call, 403, /Only administrators/)
      }
    }
    await expectStatus(caller(client, admin).put(`/users/${byGroup.id}`, { fullname: 'x' }), 200)
  })

  test('a caller who may not change users gets the same 403 for all ids', async ({
    client,
    assert,
  }) => {
    const someone = await person()
    const as = caller(client, await person({ permissions: ['user_view_others', 'user_edit_own'] }))
    for (const [method, body] of [
      ['put', {}],
      ['patch', {}],
      ['delete', { transfer_to_user_id: 'x' }],
    ] as const) {
      const messages = new Set<string>()
      for (const id of [admin.id, someone.id, 2_147_483_647, 0]) {
        messages.add(await assertRefused(assert, as[method](`/users/${id}`, body), 403))
      }
      assert.equal(messages.size, 1, method)
    }
  })

  test('the permission is checked before the user, and the user before the body', async ({
    client,
    assert,
  }) => {
    const root = caller(client, admin)
    for (const method of ['put', 'patch'] as const) {
      await assertRefused(assert, root[method]('/users/2147483647', {}), 404, /^User not found$/)
    }
    const nobody = root.delete('/users/2147483647', { transfer_to_user_id: 'x' })
    await assertRefused(assert, nobody, 404)
    const { id } = await person()
    const wrong = root.delete(`/users/${id}`, { transfer_to_user_id: 'x' })
    await assertRefused(assert, wrong, 400, /'transfer_to_user_id' must be a whole number/)
  })
})
