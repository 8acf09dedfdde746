import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { keyUses } from '#accounts/keys/last_used'
import { test } from '@japa/runner'
import { expectStatus } from '#tests/support/app/api'
import { administrator, keyFor, person } from '#tests/support/app/people/people'

const REFUSED = {
  success: false,
  data: null,
  message: 'Unauthorized: Invalid credentials',
}
const ZONES = '/api/v2/zones'
const A_SECOND_MS = 1000

test.group('Authentication', () => {
  test('a key is accepted in X-API-Key', async ({ client }) => {
    const { key } = await person()
    const response = await client.get(ZONES).header('x-api-key', key)
    response.assertStatus(200)
  })

  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    test(`a key is accepted in Authorization: ${scheme}`, async ({ client }) => {
      const { key } = await person()
      const response = await client.get(ZONES).header('authorization', `${scheme} ${key}`)
      response.assertStatus(200)
    })
  }

  test('X-API-Key has priority over Authorization', async ({ client }) => {
    const { key } = await person()
    const both = (first: string, second: string) =>
      client.get(ZONES).header('x-api-key', first).header('authorization', `Bearer ${second}`)
    await expectStatus(both(key, 'wrong'), 200)
    await expectStatus(both('wrong', key), 401)
  })

  test('a request without credentials gets 401', async ({ client }) => {
    const response = await client.get(ZONES)
    response.assertStatus(401)
    response.assertBody(REFUSED)
  })

  for (const [name, value] of [
    ['x-api-key', 'wrong'],
    ['x-api-key', `pwa_${'0'.repeat(64)}`],
    ['x-api-key', "' or 1=1 --"],
    ['x-api-key', 'x'.repeat(10_000)],
    ['authorization', 'Bearer wrong'],
    ['authorization', 'Bearer'],
    ['authorization', 'Basic YWRtaW46d3Jvbmc='],
    ['authorization', 'Basic !!!'],
    ['authorization', 'Nonsense'],
  ]) {
    test(`${name}: ${value.slice(0, 40)} is refused with the same message`, async ({ client }) => {
      const response = await client.get(ZONES).header(name, value)
      response.assertStatus(401)
      response.assertBody(REFUSED)
    })
  }

  test('a key must match completely and case-sensitively', async ({ client }) => {
    const { key } = await administrator()
    for (const wrong of [key.slice(0, -1), `${key}0`, key.slice(4), key.toUpperCase()]) {
      const response = await client.get(ZONES).header('x-api-key', wrong)
      response.assertStatus(401)
      response.assertBody(REFUSED)
    }
  })

  test('the stored hash of a key is not accepted as a key', async ({ client, assert }) => {
    const { key, keyId } = await administrator()
    const row: { secret_hash: string } = await db
      .from('zw_api_keys')
      .where('id', keyId)
      .firstOrFail()
    assert.equal(row.secret_hash, createHash('sha256').update(key).digest('hex'))
    for (const stolen of [row.secret_hash, `sha256$${row.secret_hash}`, `pwa_${row.secret_hash}`]) {
      const response = await client.get(ZONES).header('x-api-key', stolen)
      response.assertStatus(401)
      response.assertBody(REFUSED)
    }
  })

  test('a disabled key is refused until it is enabled again', async ({ client }) => {
    const { key, keyId } = await administrator()
    const row = () => db.from('zw_api_keys').where('id', keyId)
    await row().update({ enabled: false })
    const disabled = await client.get(ZONES).header('x-api-key', key)
    disabled.assertStatus(401)
    disabled.assertBody(REFUSED)
    await row().update({ enabled: true })
    const enabled = await client.get(ZONES).header('x-api-key', key)
    enabled.assertStatus(200)
  })

  test('a key works until it expires', async ({ client }) => {
    const owner = await administrator()
    const inAnHour = new Date(Date.now() + 3600 * A_SECOND_MS).toISOString()
    const { id, key } = await keyFor(owner, { expiresAt: inAnHour })
    const before = await client.get(ZONES).header('x-api-key', key)
    before.assertStatus(200)
    const justNow = new Date(Date.now() - A_SECOND_MS).toISOString()
    await db.from('zw_api_keys').where('id', id).update({ expires_at: justNow })
    const after = await client.get(ZONES).header('x-api-key', key)
    after.assertStatus(401)
    after.assertBody(REFUSED)
  })

  test('keys of an inactive owner are refused until the owner is active again', async ({
    client,
  }) => {
    const { id, key } = await administrator()
    await db.from('zw_users').where('id', id).update({ active: false })
    const inactive = await client.get(ZONES).header('x-api-key', key)
    inactive.assertStatus(401)
    inactive.assertBody(REFUSED)
    await db.from('zw_users').where('id', id).update({ active: true })
    const active = await client.get(ZONES).header('x-api-key', key)
    active.assertStatus(200)
  })

  test('keys of a deleted owner are refused', async ({ client }) => {
    const { id, key } = await administrator()
    await db.from('zw_users').where('id', id).delete()
    const response = await client.get(ZONES).header('x-api-key', key)
    response.assertStatus(401)
    response.assertBody(REFUSED)
  })

  test('uses of keys are buffered, visible at once, and written together later', async ({
    client,
    assert,
  }) => {
    const { key, keyId } = await person({ permissions: ['api_manage_keys'] })
    const row = () => db.from('zw_api_keys').where('id', keyId).firstOrFail()
    const stored = async (): Promise<string | null> => {
      const { last_used_at: at } = await row()
      return at
    }
    const shown = await client.get(`/api/v2/api-keys/${keyId}`).header('x-api-key', key)
    assert.isNull(await stored(), 'a request that reads writes nothing')
    const { last_used_at: use, last_used_from: from } = shown.body().data.api_key
    assert.match(from, /127\.0\.0\.1$|::1$/)
    assert.isAtMost(Math.abs(Date.now() - Date.parse(use)), 60 * A_SECOND_MS)
    await keyUses.flush()
    const written = await stored()
    assert.isAtMost(Math.abs(Date.parse(use) - Date.parse(String(written))), 2 * A_SECOND_MS)
    assert.containSubset(await row(), { last_used_from: from })

    const later = new Date(Date.now() + 3600 * A_SECOND_MS).toISOString()
    await db.from('zw_api_keys').where('id', keyId).update({ last_used_at: later })
    await client.get(ZONES).header('x-api-key', key)
    await keyUses.flush()
    assert.equal(await stored(), later, 'a later use, written by another process, stays')
  })

  test('no response contains a key or sets a cookie', async ({ client, assert }) => {
    const { key } = await person()
    const response = await client.get(ZONES).header('x-api-key', key)
    assert.notInclude(response.text() + JSON.stringify(response.headers()), key)
    assert.isUndefined(response.header('set-cookie'))
  })
})
