import { test } from '@japa/runner'
import { refusedCalls } from '#audit/refused_calls'
import { caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { rowsOf, tableNames } from '#tests/support/app/database/tables'

/** Encodings of a secret that a table may contain. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
}

test.group('Secrets at rest', () => {
  test('no table contains a plain password or key', async ({ client, assert }) => {
    const admin = await administrator()
    const as = caller(client, admin)
    const [first, second, third] = [1, 2, 3].map(() => `Aa1 ${unique('secret')}`)
    const username = unique('user')
    const repeated = { 'idempotency-key': unique('repeat') }
    const created = await as.post('/users', { username, password: first }).headers(repeated)
    created.assertStatus(201)
    const { user_id: id } = created.body().data
    const changed = await as
      .put(`/users/${id}`, { password: second, reason: 'new' })
      .header('idempotency-key', unique('repeat'))
    changed.assertStatus(200)
    // A refused request, with a password where none is allowed and in a name.
    await as.put(`/users/${id}`, { password: third, use_ldap: true })
    await as.post('/users', { username: '', password: third })
    await as.patch(`/users/${id}`, { password: third, perm_templ: 999_999 })
    const key = await as
      .post('/api-keys', { name: 'one', user_id: id })
      .header('idempotency-key', unique('repeat'))
    key.assertStatus(201)
    const { key: old, api_key: item } = key.body().data
    const renewed = await as.post(`/api-keys/${item.id}/regenerate`, {})
    const { key: current } = renewed.body().data
    const byKey = caller(client, { key: current })
    await byKey.post('/users', { username: 'x', password: third })
    await byKey.get(`/zones?name=${old}`)
    await client.get('/api/v2/zones').header('x-api-key', old)
    await client.get('/api/v2/zones').header('authorization', `Bearer ${current}x`)
    await client.get('/api/v2/zones').basicAuth(username, third)
    await refusedCalls.flush()

    const found: string[] = []
    for (const table of await tableNames()) {
      const rows = await rowsOf(table)
      const text = rows.join('\n')
      for (const secret of [first, second, third, old, current, admin.key, admin.password]) {
        if (forms(secret).some((form) => text.includes(form))) found.push(`${table}: ${secret}`)
      }
    }
    assert.deepEqual(found, [])
  })
})
