import type { ApiClient } from '@japa/api-client'
import router from '@adonisjs/core/services/router'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { createStage, requestOf, type Staged } from '#tests/support/access/fixtures'
import { TABLE, type Row } from '#tests/support/access/matrix_row'
import { ACCESS_MEMBERS, WIDENING } from '#tests/support/access/key_widening'
import { caller } from '#tests/support/app/api'
import { administrator, keyFor, person, type Restrictions } from '#tests/support/app/people/people'

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']
const YEAR_MS = 365 * 86_400_000

/** Each kind of restriction that leaves the operations of the requests allowed. */
const RESTRICTIONS: Record<string, Restrictions> = {
  'some operations': { operations: ['create', 'update', 'delete'] },
  'a network': { networks: ['127.0.0.0/8', '::1/128'] },
  'an end': { expiresAt: new Date(Date.now() + YEAR_MS).toISOString() },
  'idle days': { idleDays: 30 },
}

const refusedRows = TABLE.filter(({ route }) => WIDENING[route] === 'refused')
const titleOf = ({ route, about }: Row) => (about ? `${route} (${about})` : route)

test.group('Restricted API keys', (group) => {
  let staged: Staged
  const keys = new Map<string, string>()
  let ready: Promise<void> | undefined

  const setUp = async (client: ApiClient) => {
    staged = await createStage(client)
    const admin = await administrator()
    for (const [name, restrictions] of Object.entries(RESTRICTIONS)) {
      const { key } = await keyFor(admin, restrictions)
      keys.set(name, key)
    }
  }
  group.each.setup((t) => (ready ??= setUp(t.context.client)))

  test('have an answer for every route that writes', ({ assert }) => {
    const routes = Object.values(router.toJSON())
      .flat()
      .filter(({ pattern }) => pattern.startsWith('/api/v2/'))
      .flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern}`))
      .filter((route) => WRITES.includes(route.split(' ')[0]))
    assert.deepEqual(Object.keys(WIDENING).sort(), [...new Set(routes)].sort())
  })

  for (const row of refusedRows) {
    test(`cannot widen themselves by ${titleOf(row)}`, async ({ client, assert }) => {
      for (const [name, key] of keys) {
        const response = await requestOf(client, row, staged.props, key)
        assert.equal(response.status(), 403, name)
        assert.match(response.body().message, /this API key|an API key with restrictions/, name)
      }
    })
  }

  for (const [member, value] of Object.entries(ACCESS_MEMBERS)) {
    test(`of a user or an administrator cannot change '${member}'`, async ({ client, assert }) => {
      const owner = await person({ permissions: ['user_edit_own', 'user_edit_others'] })
      const admin = await administrator()
      for (const [name, restrictions] of Object.entries(RESTRICTIONS)) {
        for (const who of [owner, admin]) {
          const { key } = await keyFor(who, restrictions)
          const as = caller(client, { ...who, key })
          const response = await as.put(`/users/${owner.id}`, { [member]: value })
          assert.equal(response.status(), 403, `${who.username} with ${name}`)
        }
      }
      const unrestricted = await caller(client, admin).put(`/users/${owner.id}`, {
        [member]: value,
      })
      unrestricted.assertStatus(200)
    })
  }

  test('change the plain members of their own user, and restate the others', async ({
    client,
    assert,
  }) => {
    const owner = await person({ permissions: ['user_edit_own'] })
    const email = `${owner.username}@example.net`
    await db.from('zw_users').where('id', owner.id).update({ email })
    for (const [name, restrictions] of Object.entries(RESTRICTIONS)) {
      const { key } = await keyFor(owner, restrictions)
      const as = caller(client, { ...owner, key })
      const body = { fullname: name, username: owner.username, email }
      const response = await as.put(`/users/${owner.id}`, body)
      assert.equal(response.status(), 200, name)
    }
  })
})
