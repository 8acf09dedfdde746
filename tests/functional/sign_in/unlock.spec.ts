import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { countFailure, readFailureCount } from '#accounts/sign_in/failures'
import { caller, dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { ace } from '#tests/support/app/commands'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { changeSettings } from '#tests/support/app/settings'
import { WebClient } from '#tests/support/web/client'

async function lock({ username }: Person, count = 3) {
  for (let i = 0; i < count; i++) await countFailure({ username, network: '192.0.2.1' }, 15)
}

const eventsOf = async ({ id }: Person) => {
  const rows: { action: string; username: string }[] = await db
    .from('zw_audit')
    .where({ object_id: id, object_kind: 'user', action: 'login.unlocked' })
    .select('action', 'username')
  return rows.map(({ username }) => username)
}

test.group('Locks of users', (group) => {
  let root: Caller
  let admin: Person
  let user: Person

  group.setup(() =>
    changeSettings({ security: { account_lockout: { enable_lockout: true, lockout_attempts: 3 } } })
  )
  group.each.setup(async (t) => {
    admin = await administrator()
    root = caller(t.context.client, admin)
    user = await person()
  })

  const isLocked = () => dataOf(root.get(`/users/${user.id}`), 'user.locked')

  test('a locked user is returned as locked, in the list and alone, until unlocked', async ({
    assert,
  }) => {
    assert.isFalse(await isLocked())
    await lock(user)
    assert.isTrue(await isLocked())
    const [listed] = await dataOf(root.get(`/users?username=${user.username}`), 'users')
    assert.isTrue(listed.locked)
    const page = await dataOf(root.get('/users?sort=id:desc&per_page=2'), 'users')
    assert.deepEqual(
      page.map((one: { locked: boolean }) => one.locked),
      [true, false]
    )
    const response = await root.post(`/users/${user.id}/unlock`, {})
    response.assertStatus(200)
    assert.deepEqual(response.body().data, { user_id: user.id, unlocked: true })
    assert.isFalse(await isLocked())
    assert.deepEqual(await eventsOf(user), [admin.username])
  })

  test('a user who is not locked is not unlocked, and no event is written', async ({ assert }) => {
    await lock(user, 2)
    const response = await root.post(`/users/${user.id}/unlock`, {})
    assert.isFalse(response.body().data.unlocked)
    assert.deepEqual(await eventsOf(user), [])
    assert.equal(await readFailureCount({ username: user.username, network: '192.0.2.1' }), 0)
  })

  test('a dry run keeps the lock', async ({ assert }) => {
    await lock(user)
    await expectStatus(root.post(`/users/${user.id}/unlock?dry_run=true`, {}), 200)
    assert.isTrue(await isLocked())
    assert.deepEqual(await eventsOf(user), [])
  })

  test('without lockout no user is locked', async ({ assert, cleanup }) => {
    await lock(user)
    cleanup(changeSettings({ security: { account_lockout: { enable_lockout: false } } }))
    assert.isFalse(await isLocked())
  })

  for (const [what, permissions, status] of [
    ['edits others', ['user_edit_others'], 200],
    ['sees others', ['user_view_others'], 403],
    ['edits themselves', ['user_edit_own'], 403],
    ['has no rights', [], 403],
  ] as const) {
    test(`unlock by a user who ${what}: ${status}`, async ({ client, assert }) => {
      await lock(user)
      const who = await person({ permissions: [...permissions] })
      await expectStatus(caller(client, who).post(`/users/${user.id}/unlock`, {}), status)
      assert.equal(await isLocked(), status !== 200)
    })
  }

  test('restricted keys and the user themselves cannot unlock, and only administrators unlock administrators', async ({
    client,
  }) => {
    const { key } = await keyFor(admin, { operations: ['create'] })
    await expectStatus(caller(client, { key }).post(`/users/${user.id}/unlock`, {}), 403)
    const ownUser = await person({ permissions: ['user_edit_own'] })
    await expectStatus(caller(client, ownUser).post(`/users/${ownUser.id}/unlock`, {}), 403)
    const editor = await person({ permissions: ['user_edit_others'] })
    await expectStatus(caller(client, editor).post(`/users/${admin.id}/unlock`, {}), 403)
    await expectStatus(root.post('/users/2147483646/unlock', {}), 404)
  })

  test('the web interface shows and removes the lock', async ({ assert }) => {
    await lock(user)
    const client = new WebClient()
    await client.signIn(admin)
    const list = await client.get(`/users?q=${user.username}`)
    assert.include(list.html, 'locked')
    const page = await client.get(`/users/${user.id}`)
    assert.include(page.html, `/users/${user.id}/unlock`)
    const resultPage = await client.post(`/users/${user.id}/unlock`, {}, { token: page.token })
    assert.equal(resultPage.status, 303)
    assert.isFalse(await isLocked())
    const after = await client.get(`/users/${user.id}`)
    assert.notInclude(after.html, `/users/${user.id}/unlock`)
  })

  test('the activate command writes the event too', async ({ assert }) => {
    await lock(user)
    await ace(['user:activate', user.username])
    assert.isFalse(await isLocked())
    assert.deepEqual(await eventsOf(user), ['maintainer'])
  })
})
