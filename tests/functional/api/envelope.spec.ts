import { test } from '@japa/runner'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'

/** Every path with its methods. No object has these ids. */
const ROUTES: [path: string, methods: string[]][] = [
  ['/zones', ['GET', 'HEAD', 'POST']],
  ['/zones/2147483647', ['GET', 'HEAD', 'PUT', 'DELETE']],
  ['/zones/2147483647/records', ['GET', 'HEAD', 'POST']],
  ['/zones/2147483647/records/1', ['GET', 'HEAD', 'PUT', 'DELETE']],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const MISSING = {
  success: false,
  data: null,
  message: 'The requested resource was not found',
}

test.group('Envelope', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('a success has the members success, data and message in this order, then extras', async ({
    client,
    assert,
  }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const record = await createRecord(as, zone, { name: 'a', type: 'A', content: '192.0.2.1' })
    const extras: Record<string, string[]> = {
      '/zones': ['meta'],
      '/zones?per_page=1': ['meta', 'pagination'],
      [`/zones/${zone.id}`]: [],
      [`/zones/${zone.id}/records`]: [],
      [`/zones/${zone.id}/records/${record.id}`]: [],
    }
    for (const [path, more] of Object.entries(extras)) {
      const response = await as.get(path)
      response.assertStatus(200)
      const members = Object.keys(response.body())
      assert.deepEqual(members.slice(0, 3), ['success', 'data', 'message'], path)
      assert.sameMembers(members.slice(3), more, path)
      assert.isTrue(response.body().success)
    }
  })

  test('a failure has success false, data null and a message', async ({ client, assert }) => {
    const as = caller(client, admin)
    const refusals = [
      await as.get('/zones/2147483647'),
      await as.post('/zones', { name: 5 }),
      await client.get('/api/v2/zones'),
      await client.patch('/api/v2/zones'),
    ]
    for (const response of refusals) {
      assert.deepEqual(Object.keys(response.body()), ['success', 'data', 'message'])
      assert.isFalse(response.body().success)
      assert.isNull(response.body().data)
      assert.isNotEmpty(response.body().message)
      response.assertHeader('content-type', 'application/json; charset=utf-8')
    }
  })

  test('answers are compact JSON', async ({ client, assert }) => {
    const response = await caller(client, admin).get('/zones?name=nothing.test')
    assert.match(response.text(), /^\{"success":true,"data":\{"zones":\[\]\},"message":"/)
  })

  test('a deletion gets 204 without a body', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const response = await as.delete(`/zones/${zone.id}`)
    response.assertStatus(204)
    assert.equal(response.text(), '')
  })
})

test.group('Paths', () => {
  for (const path of [
    '/api/v2',
    '/api/v2/',
    '/api/v2/nope',
    '/api/v2/zones/',
    '/api/v2//zones',
    '/api/v2/zones//records',
    '/api/v2/zones/abc',
    '/api/v2/zones/-1',
    '/api/v2/zones/1.0',
    '/api/v2/zones/0x1',
    '/api/v2/zones/1/',
    '/api/v2/zones/1/nope',
    '/api/v2/zones/abc/records',
    '/api/v2/zones/1/records/',
    '/api/v2/zones/1/records/1/',
    '/api/v2/zones/1/records/a,b',
    '/api/v2/zones/%E0%A4%A',
    '/api/v2/Zones',
  ]) {
    test(`${path} gets 404 for every caller`, async ({ client }) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const response = await client.request(path, method)
        response.assertStatus(404)
        response.assertBody(MISSING)
      }
    })
  }

  test('an unknown path below /api gets a JSON 404', async ({ client }) => {
    const response = await client.get('/api/nope')
    response.assertStatus(404)
    response.assertBodyContains({ error: 'Not Found', status: 404 })
  })

  for (const [path, methods] of ROUTES) {
    for (const method of METHODS.filter((candidate) => !methods.includes(candidate))) {
      test(`${method} ${path} gets 405 with the allowed methods`, async ({ client, assert }) => {
        const response = await client.request(`/api/v2${path}`, method)
        response.assertStatus(405)
        assert.sameMembers(String(response.header('allow')).split(', '), methods)
        if (method !== 'HEAD') {
          response.assertBody({ success: false, data: null, message: 'Method not allowed' })
        }
      })
    }

    for (const method of methods) {
      test(`${method} ${path} requires a key`, async ({ client }) => {
        const response = await client.request(`/api/v2${path}`, method)
        response.assertStatus(401)
      })
    }
  }

  test('HEAD responds like GET without a body', async ({ client, assert }) => {
    const admin = await administrator()
    const zone = await createZone(caller(client, admin), { name: zoneNamed() })
    for (const path of ['/zones', `/zones/${zone.id}`, `/zones/${zone.id}/records`]) {
      const response = await client.head(`/api/v2${path}`).header('x-api-key', admin.key)
      response.assertStatus(200)
      assert.isUndefined(response.text() || undefined)
    }
    const missing = await client.head('/api/v2/zones/2147483647').header('x-api-key', admin.key)
    missing.assertStatus(404)
  })
})

test.group('Version 1', () => {
  for (const [method, path] of [
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1/zones/'],
    ['GET', '/api/v1/zones'],
    ['POST', '/api/v1/zones/1/records'],
    ['DELETE', '/api/v1/users/1'],
  ]) {
    test(`${method} ${path} gets 410 with a reference to version 2`, async ({ client, assert }) => {
      const response = await client.request(path, method)
      response.assertStatus(410)
      response.assertHeader('link', '</api/v2/>; rel="successor-version"')
      assert.isTrue(response.body().error)
      assert.include(response.body().message, '/api/v2')
    })
  }
})
