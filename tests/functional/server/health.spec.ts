// @process
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { test } from '@japa/runner'
import { statusOf } from '#tests/support/app/api'
import { administrator } from '#tests/support/app/people/people'
import { CalledServer, OtherServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { eventually } from '#tests/support/eventually'
import { freePort } from '#tests/support/programs'

const KEY = 'key-of-the-tests'
const SOON = 10_000

/** Settings of a database server on an unused port. */
const noDatabase = async () => ({
  DB_CONNECTION: 'pg',
  DB_HOST: '127.0.0.1',
  DB_PORT: String(await freePort()),
  DB_USER: 'nobody',
  DB_PASSWORD: 'secret-of-the-database',
  DB_DATABASE: 'nothing',
})

async function listening<S extends Server | HttpServer>(server: S, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Settings of an HTTP API on this port. */
const pdnsApiAt = (port: number) => ({
  pdns_api: { url: `http://127.0.0.1:${port}`, key: KEY },
})

const here = CalledServer.ofThisProcess()

/** Starts an HTTP API that answers each call with the next status. The last status is repeated. */
async function powerDnsApi(statuses: number[]) {
  const calls: { url?: string; key: unknown }[] = []
  const server = createHttpServer((request, response) => {
    const status = statuses[Math.min(calls.length, statuses.length - 1)]
    calls.push({ url: request.url, key: request.headers['x-api-key'] })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await listening(server)
  const stop = () => void server.close()
  return { calls, stop, settings: pdnsApiAt(port) }
}

test.group('Liveness', () => {
  test('GET /ping returns only ok', async ({ client, assert }) => {
    const response = await client.get('/ping')
    response.assertStatus(200)
    assert.equal(response.text(), 'ok')
    assert.equal(String(response.header('content-type')).toLowerCase(), 'text/plain; charset=utf-8')
    assert.include(String(response.header('cache-control')), 'no-store')
  })

  test('HEAD /ping responds without a body', async ({ client, assert }) => {
    const response = await client.head('/ping')
    response.assertStatus(200)
    assert.isUndefined(response.text() || undefined)
  })

  for (const path of ['/ping', '/api/health']) {
    test(`other methods on ${path} get 405 with the allowed ones`, async ({ client }) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await client.request(path, method)
        response.assertStatus(405)
        response.assertHeader('allow', 'GET, HEAD')
      }
    })
  }
})

test
  .group('Readiness', () => {
    test('a healthy service gets 200 without authentication', async ({ client, assert }) => {
      for (const key of ['', 'wrong']) {
        const response = await client.get('/api/health').header('x-api-key', key)
        response.assertStatus(200)
        assert.deepEqual(response.body(), {
          status: 'ok',
          checks: { database: 'ok', pdns_api: 'skipped' },
        })
        assert.include(String(response.header('cache-control')), 'no-store')
      }
    })

    test('a responding PowerDNS API is ok', async ({ assert, cleanup }) => {
      const api = await powerDnsApi([200])
      cleanup(api.stop)
      cleanup(changeSettings(api.settings))
      const answer = await here.get('/api/health')
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json().checks, { database: 'ok', pdns_api: 'ok' })
      assert.deepEqual(api.calls, [{ url: '/api/v1/servers/localhost', key: KEY }])
    })

    test('one failed call to the API is tolerated', async ({ assert, cleanup }) => {
      const api = await powerDnsApi([500, 200])
      cleanup(api.stop)
      cleanup(changeSettings(api.settings))
      const answer = await here.get('/api/health')
      assert.equal(answer.status, 200)
      assert.lengthOf(api.calls, 2)
    })

    for (const status of [401, 404, 500, 301]) {
      test(`two responses with ${status} are down`, async ({ assert, cleanup }) => {
        const api = await powerDnsApi([status])
        cleanup(api.stop)
        cleanup(changeSettings(api.settings))
        const answer = await here.get('/api/health')
        assert.equal(answer.status, 503)
        assert.deepEqual(answer.json(), {
          status: 'error',
          checks: { database: 'ok', pdns_api: 'down' },
        })
        assert.lengthOf(api.calls, 2)
      })
    }

    test('an API that does not respond in time is down after two attempts', async ({
      assert,
      cleanup,
    }) => {
      const silent = createServer(() => {})
      const port = await listening(silent)
      cleanup(() => void silent.close())
      cleanup(changeSettings({ ...pdnsApiAt(port), health: { pdns_timeout: 0.3 } }))
      const start = Date.now()
      const answer = await here.get('/api/health')
      const seconds = (Date.now() - start) / 1000
      assert.equal(answer.status, 503)
      assert.isAtLeast(seconds, 0.6)
      assert.isBelow(seconds, 2)
    })

    test('an address without a key counts as no configured API', async ({ assert, cleanup }) => {
      cleanup(changeSettings({ pdns_api: { url: 'http://127.0.0.1:1' } }))
      const answer = await here.get('/api/health')
      assert.equal(answer.status, 200)
      assert.equal(answer.json().checks.pdns_api, 'skipped')
    })

    test('the API backend without a configured API is down, and requests about zones get 501', async ({
      assert,
      cleanup,
    }) => {
      cleanup(changeSettings({ dns: { backend: 'api' } }))
      const answer = await here.get('/api/health')
      assert.equal(answer.status, 503)
      assert.deepEqual(answer.json().checks, { database: 'ok', pdns_api: 'down' })
      const { key } = await administrator()
      const zones = await here.call('GET', '/api/v2/zones', { 'x-api-key': key })
      assert.equal(zones.status, 501)
      assert.include(zones.json().message, "dns.backend is 'api'")
    })

    for (const type of ['null', 'native']) {
      test(`with the database down and logging.type ${type} readiness is 503, and /ping is 200`, async ({
        assert,
        cleanup,
      }) => {
        const server = await OtherServer.start({ ...(await noDatabase()), LOGGING_TYPE: type })
        cleanup(() => server.stop())
        const answer = await server.get('/api/health')
        assert.equal(answer.status, 503)
        assert.equal(
          answer.text,
          '{"status":"error","checks":{"database":"down","pdns_api":"skipped"}}'
        )
        const ping = await server.get('/ping')
        assert.equal(ping.text, 'ok')
        const isLogged = () => assert.include(server.log(), 'Health check failed')
        if (type === 'native') {
          await eventually(isLogged)
        } else {
          assert.throws(isLogged)
        }
        assert.notInclude(server.log(), 'secret-of-the-database')

        const api = await server.get('/api/v2/zones', { 'x-api-key': 'any' })
        assert.equal(api.status, 503)
        assert.deepEqual(Object.keys(api.json()), ['success', 'data', 'message'])
        assert.notMatch(api.text, /ECONNREFUSED|127\.0\.0\.1|select|at /)
      })
    }

    test('a database that does not respond in time is down', async ({ assert, cleanup }) => {
      // The port is unused during the start, because the server would wait for a silent database.
      const database = await noDatabase()
      const server = await OtherServer.start({ ...database, HEALTH_DB_TIMEOUT: '0.3' })
      cleanup(() => server.stop())
      const silent = createServer(() => {})
      await listening(silent, Number(database.DB_PORT))
      cleanup(() => void silent.close())
      let connections = 0
      silent.on('connection', () => void connections++)
      const start = Date.now()
      const answer = await server.get('/api/health')
      assert.equal(answer.status, 503)
      assert.isBelow((Date.now() - start) / 1000, 2)
      assert.isAtLeast(Date.now() - start, 290)
      assert.isAtLeast(connections, 1)
      assert.equal(await statusOf(server.get('/ping')), 200)
    })
  })
  .each.timeout(SOON * 4)
