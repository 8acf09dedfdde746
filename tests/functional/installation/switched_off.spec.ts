import { test } from '@japa/runner'
import { statusOf } from '#tests/support/app/api'
import { CalledServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { administrator, type Person } from '#tests/support/app/people/people'

const server = CalledServer.ofThisProcess()

test.group('With api.enabled off', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
    return changeSettings({ api: { enabled: false } })
  })

  for (const [method, path] of [
    ['GET', '/zones'],
    ['POST', '/zones'],
    ['GET', '/zones/1'],
    ['PUT', '/zones/1'],
    ['DELETE', '/zones/1'],
    ['GET', '/zones/1/records'],
    ['POST', '/zones/1/records'],
    ['GET', '/zones/1/records/1'],
    ['PUT', '/zones/1/records/1'],
    ['DELETE', '/zones/1/records/1'],
  ]) {
    test(`${method} ${path} gets 403 with and without a key`, async ({ assert }) => {
      for (const headers of [{}, { 'x-api-key': admin.key }] as Record<string, string>[]) {
        const answer = await server.call(method, `/api/v2${path}`, headers)
        assert.equal(answer.status, 403)
        assert.containsSubset(answer.json(), { success: false, data: null })
        assert.include(answer.json().message, 'disabled')
      }
    })
  }

  for (const [method, path, status] of [
    ['GET', '/api/v2', 404],
    ['GET', '/api/v2/nope', 404],
    ['GET', '/api/v2/zones/', 404],
    ['GET', '/api/v2/zones/abc', 404],
    ['PATCH', '/api/v2/zones', 405],
    ['GET', '/api/v1', 410],
    ['POST', '/api/v1/zones', 410],
    ['GET', '/api/health', 200],
    ['GET', '/ping', 200],
  ] as [string, string, number][]) {
    test(`${method} ${path} gets ${status} as usual`, async ({ assert }) => {
      assert.equal(await statusOf(server.call(method, path)), status)
    })
  }
})

test.group('With the health endpoints off', (group) => {
  group.setup(() => changeSettings({ health: { enabled: false, ping_enabled: false } }))

  test('/api/health gets 404', async ({ assert }) => {
    const answer = await server.get('/api/health')
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.json(), { error: true, message: 'Not Found' })
  })

  test('/ping gets 404', async ({ assert }) => {
    const answer = await server.get('/ping')
    assert.equal(answer.status, 404)
    assert.equal(answer.text, 'Not Found')
  })

  test('other methods on them get 405 as usual', async ({ assert }) => {
    for (const path of ['/ping', '/api/health']) {
      assert.equal(await statusOf(server.call('POST', path)), 405)
    }
  })

  test('the API is available', async ({ assert }) => {
    assert.equal(await statusOf(server.get('/api/v2/zones')), 401)
  })
})

test.group('With one of the health endpoints on', () => {
  for (const [on, off, health] of [
    ['/ping', '/api/health', { enabled: false, ping_enabled: true }],
    ['/api/health', '/ping', { enabled: true, ping_enabled: false }],
  ] as const) {
    test(`${on} responds and ${off} does not`, async ({ assert, cleanup }) => {
      cleanup(changeSettings({ health }))
      assert.equal(await statusOf(server.get(on)), 200)
      assert.equal(await statusOf(server.get(off)), 404)
    })
  }
})
