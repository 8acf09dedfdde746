// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, expectStatus } from '#tests/support/app/api'
import { administrator, person } from '#tests/support/app/people/people'

test.group('Names of users', () => {
  test('look-alike names get 409, and a stored name stays valid', async ({ client }) => {
    const root = caller(client, await administrator())
    const [one, otherUser] = [await person(), await person()]
    for (const username of [
      otherUser.username.toUpperCase(),
      otherUser.username.replace('e', 'е'),
      `${otherUser.username.slice(0, 2)}\u00AD${otherUser.username.slice(2)}`,
    ]) {
      const status = username.includes('\u00AD') ? 400 : 409
      await expectStatus(root.put(`/users/${one.id}`, { username }), status)
      await expectStatus(root.post('/users', { username, password: 'Secret123' }), status)
    }
    await expectStatus(root.put(`/users/${one.id}`, { username: one.username.toUpperCase() }), 200)
    await db.from('zw_users').where('id', one.id).update({ username: 'scheduler' })
    await expectStatus(root.put(`/users/${one.id}`, { username: 'scheduler' }), 200)
    await expectStatus(root.put(`/users/${one.id}`, { fullname: 'Old' }), 200)
    await db.from('zw_users').where('id', one.id).delete()
  })
})
