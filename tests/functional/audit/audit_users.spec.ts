import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { createUser } from '#accounts/users/named_users'
import { createTemplate } from '#tests/support/app/people/accounts'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith, eventsBy } from '#tests/support/app/audit'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'

let admin: Person
let as: Caller

/** Returns the events of `work`, which the administrator does, in order. */
const eventsOf = (work: () => PromiseLike<unknown>) => eventsBy(admin, work)

const userAs = ({ id, username }: Pick<Person, 'id' | 'username'>) => `user:${id}:${username}`
const byName = (kind: string, { id, name }: { id: number; name: string }) => `${kind}:${id}:${name}`

test.group('Audit events of users', (tests) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup((t) => {
    as = caller(t.context.client, admin)
  })

  test('creating a user creates events with template, state and groups', async ({ assert }) => {
    const [one, otherTeam] = [await createTeam([]), await createTeam([])]
    const template = await createTemplate(as, ['user_view_others'])
    const username = unique('user')
    let id = 0
    const members = { username, password: 'Canary-1234', email: `${username}@x.test` }
    const auditEvents = await eventsOf(async () => {
      const groups = [otherTeam.id, one.name]
      const body = { ...members, perm_templ: template, groups, active: false }
      id = await dataOf(as.post('/users', body), 'user_id')
    })
    const member = { user_id: id, username }
    assert.deepEqual(auditEvents, [
      [
        'user.created',
        userAs({ id, username }),
        { active: false, template_id: template, group_ids: [otherTeam.id, one.id] },
      ],
      ['group.member_added', byName('group', otherTeam), member],
      ['group.member_added', byName('group', one), member],
    ])
  })

  test('the command creates the same events with the maintainer as actor', async ({ assert }) => {
    const joined = await createTeam([])
    const username = unique('user')
    const { id } = await createUser(
      {
        username,
        password: 'Canary-1234',
        email: null,
        active: true,
        template: null,
        groups: [joined.name],
      },
      maintainer()
    )
    const events = await eventsWith({ username: 'maintainer', channel: 'cli' })
    assert.deepEqual(
      events.slice(-2).map((event) => [event.action, event.object_id, event.user_id]),
      [
        ['user.created', id, null],
        ['group.member_added', joined.id, null],
      ]
    )
    assert.deepEqual(events.at(-1)?.detail, { user_id: id, username })
  })

  test('a change has the old and new values, and unchanged values are omitted', async ({
    assert,
  }) => {
    const user = await person()
    const row = await db.from('zw_users').where('id', user.id).firstOrFail()
    const name = unique('renamed')
    const members = { username: name, email: `${name}@x.test`, active: false, fullname: '' }
    const auditEvents = await eventsOf(() =>
      expectStatus(as.put(`/users/${user.id}`, members), 200)
    )
    assert.deepEqual(auditEvents, [
      [
        'user.updated',
        userAs({ id: user.id, username: name }),
        {
          before: { username: user.username, email: null, active: true },
          after: { username: name, email: `${name}@x.test`, active: false },
        },
      ],
    ])
    assert.deepEqual(
      await eventsOf(() => expectStatus(as.put(`/users/${user.id}`, members), 200)),
      []
    )
    const template = await createTemplate(as, [])
    const assigned = () =>
      expectStatus(as.patch(`/users/${user.id}`, { perm_templ: template }), 200)
    const [[action, , detail]] = await eventsOf(assigned)
    assert.equal(action, 'user.updated')
    assert.deepEqual(detail, {
      before: { template_id: row.permission_template_id },
      after: { template_id: template },
    })
    assert.deepEqual(await eventsOf(assigned), [])
  })

  test('an event only says that a password changed, or that it is stored elsewhere', async ({
    assert,
  }) => {
    const user = await person()
    const at = `/users/${user.id}`
    const object = userAs(user)
    const put = (members: object) => eventsOf(() => expectStatus(as.put(at, members), 200))
    assert.deepEqual(await put({ password: 'Canary-5678', fullname: 'Carol' }), [
      ['user.updated', object, { before: { fullname: '' }, after: { fullname: 'Carol' } }],
      ['user.password', object, {}],
    ])
    assert.deepEqual(await put({ password: 'Canary-5678' }), [['user.password', object, {}]])
    assert.deepEqual(await put({ use_ldap: true }), [
      [
        'user.updated',
        object,
        { before: { auth_method: 'local' }, after: { auth_method: 'ldap' } },
      ],
      ['user.password', object, { removed: true }],
    ])
  })

  test('deleting a user creates events for zones, memberships and keys, and last the user', async ({
    assert,
  }) => {
    const group = await createTeam([])
    const [user, newOwner] = [await person({ groups: [group.name] }), await person()]
    const secondKey = await keyFor(user)
    const ownZone = await createZone(as, { name: zoneNamed('a'), owner_user_id: user.id })
    const shared = await createZone(as, { name: zoneNamed('b'), owner_user_id: user.id })
    await expectStatus(as.post(`/zones/${shared.id}/owners`, { user_id: newOwner.id }), 201)
    const keys: { id: number; name: string }[] = await db
      .from('zw_api_keys')
      .where('user_id', user.id)
      .orderBy('id')
    assert.deepInclude(keys[1], { id: secondKey.id })
    const to = { transfer_to_user_id: newOwner.id }
    const auditEvents = await eventsOf(() => expectStatus(as.delete(`/users/${user.id}`, to), 200))
    const member = { user_id: user.id, username: user.username }
    assert.deepEqual(auditEvents, [
      ['zone.owner_added', byName('zone', ownZone), { user_id: newOwner.id }],
      ['zone.owner_removed', byName('zone', ownZone), { user_id: user.id }],
      ['zone.owner_removed', byName('zone', shared), { user_id: user.id }],
      ['group.member_removed', byName('group', group), member],
      ['key.revoked', byName('key', keys[0]), member],
      ['key.revoked', byName('key', keys[1]), member],
      [
        'user.deleted',
        userAs(user),
        {
          transferred_to: { user_id: newOwner.id, username: newOwner.username },
          zones: [ownZone.id, shared.id],
        },
      ],
    ])
    const plain = await person()
    const [, ...last] = await eventsOf(() => expectStatus(as.delete(`/users/${plain.id}`), 200))
    assert.deepEqual(last, [['user.deleted', userAs(plain), {}]])
  })

  test('the log never contains a password or a hash', async ({ assert }) => {
    const username = unique('user')
    const [first, second, third] = [1, 2, 3].map((n) => `${unique('Canary')}-${n}A`)
    const id = await dataOf(as.post('/users', { username, password: first }), 'user_id')
    const hashes: string[] = []
    const hashed = async () => {
      const { password } = await db.from('zw_users').where('id', id).firstOrFail()
      hashes.push(password)
    }
    await hashed()
    await expectStatus(as.put(`/users/${id}`, { password: second, fullname: 'x' }), 200)
    await hashed()
    await expectStatus(as.put(`/users/${id}?dry_run=true`, { password: third }), 200)
    await expectStatus(as.put(`/users/${id}`, { use_ldap: true }), 200)
    await expectStatus(as.put(`/users/${id}`, { password: third }), 400)
    await expectStatus(as.delete(`/users/${id}`), 200)
    const log = JSON.stringify(await eventsWith({}))
    for (const secret of [first, second, third, ...hashes]) {
      assert.isTrue(secret.length > 5)
      assert.notInclude(log, secret)
    }
    assert.notInclude(log, '$argon2')
  })

  test('a change is rolled back if its event cannot be written', async ({ assert }) => {
    const [user, group] = [await person(), await createTeam([])]
    const zone = await createZone(as, { name: zoneNamed() })
    const stored = () =>
      Promise.all(
        ['zw_users', 'zw_group_members', 'zw_zone_owners'].map((table) =>
          db.from(table).orderBy(table === 'zw_users' ? 'id' : 'user_id')
        )
      )
    const before = await stored()
    await db.connection().schema.renameTable('zw_audit', 'zw_audit_away')
    try {
      await expectStatus(as.put(`/users/${user.id}`, { fullname: 'x' }), 500)
      await expectStatus(as.delete(`/users/${user.id}`), 500)
      await expectStatus(as.post(`/groups/${group.id}/members`, { user_id: user.id }), 500)
      await expectStatus(as.post(`/zones/${zone.id}/owners`, { user_id: user.id }), 500)
    } finally {
      await db.connection().schema.renameTable('zw_audit_away', 'zw_audit')
    }
    assert.deepEqual(await stored(), before)
  })
})
