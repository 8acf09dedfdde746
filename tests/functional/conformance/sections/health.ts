import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiDescription } from '#openapi/api'
import { isApiMode } from '#tests/support/app/backend'
import { CalledServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { check, section } from '#tests/support/conformance/check'
import { atServer, serverOf, type ServerKind } from '#tests/support/conformance/servers'
import { defaultOf } from '#tests/support/conformance/settings'

const HEALTH = '/api/health'

function get(kind: ServerKind, path: string) {
  return atServer(kind, (server) => server.get(path))
}

/** Returns the status of a server's response. */
async function statusAt(kind: ServerKind, path: string): Promise<number> {
  const { status } = await get(kind, path)
  return status
}

/** Returns the status and body of a server's health check. */
async function healthOf(kind: ServerKind) {
  const answer = await get(kind, HEALTH)
  return { code: answer.status, text: answer.text, ...answer.json() }
}

async function logOf(kind: 'noDatabase' | 'silent'): Promise<string> {
  const server = await serverOf(kind)
  return server.log()
}

export const health = section(
  'Health',
  check(1, '', async ({ as, want, assert }) => {
    await want(200, as()('GET', HEALTH))
    await want(200, as({ key: 'wrong' })('GET', '//ping'))
    assert.equal(await statusAt('closed', HEALTH), 200)
    assert.equal(await statusAt('closed', '/api/v2/zones'), 403)
    await want(404, as()('GET', '/health'))
    const { paths } = apiDescription() as { paths: Record<string, unknown> }
    const described = Object.keys(paths)
    assert.isTrue(described.every((path) => path.startsWith('/v2/')))
  }),
  check(2, '', async ({ assert }) => {
    assert.isFalse(defaultOf('health.enabled'))
    assert.isFalse(defaultOf('health.ping_enabled'))
    assert.equal(await statusAt('unready', HEALTH), 404)
    assert.equal(await statusAt('unready', '/ping'), 200)
    assert.equal(await statusAt('closed', '/ping'), 404)
  }),
  check(3, '', async ({ as, want, assert }) => {
    const answer = await want(200, as()('GET', '//ping'))
    assert.equal(answer.text, 'ok')
    assert.match(answer.header('content-type') ?? '', /^text\/plain/)
    assert.equal(answer.header('cache-control'), 'no-store')
    const down = await get('silent', '/ping')
    assert.deepEqual([down.status, down.text], [200, 'ok'])
  }),
  check(4, '', async ({ as, want, assert }) => {
    const { body, header } = await want(200, as()('GET', HEALTH))
    assert.onlyProperties(body, ['status', 'checks'])
    assert.onlyProperties(body.checks, ['database', 'pdns_api'])
    assert.equal(body.status, 'ok')
    assert.match(header('content-type') ?? '', /^application\/json/)
    assert.containsSubset(await healthOf('unreachable'), {
      code: 503,
      checks: { database: 'ok', pdns_api: 'down' },
    })
  }),
  check(5, '', async ({ as, want, assert }) => {
    const { body } = await want(200, as()('GET', HEALTH))
    assert.equal(body.checks.database, 'ok')
    assert.containsSubset(await healthOf('silent'), { code: 503, checks: { database: 'down' } })
  }),
  check(6, '', async ({ as, want, assert }) => {
    const { body } = await want(200, as()('GET', HEALTH))
    assert.equal(body.checks.pdns_api, isApiMode ? 'ok' : 'skipped')
    const messageOf = async (kind: ServerKind) => {
      const { code, checks } = await healthOf(kind)
      return [code, checks.pdns_api]
    }
    assert.deepEqual(await messageOf('full'), [200, 'ok'])
    assert.deepEqual(await messageOf('closed'), [200, 'skipped'])
    assert.deepEqual(await messageOf('unreachable'), [503, 'down'])
    assert.deepEqual(await messageOf('unconfigured'), [503, 'down'])
  }),
  check(7, '', async ({ assert }) => {
    for (const kind of ['noDatabase', 'silent', 'unreachable'] as const) {
      const answer = await get(kind, HEALTH)
      assert.onlyProperties(answer.json(), ['status', 'checks'])
      assert.notMatch(answer.text, /127\.0\.0\.1|ECONNREFUSED|postgres|pg|\d+\.\d+/i)
    }
    assert.include(await logOf('noDatabase'), 'Health check failed')
    assert.notInclude(await logOf('silent'), 'Health check failed')
    assert.equal(defaultOf('logging.type'), 'null')
  }),
  check(8, '', async ({ cleanup, assert }) => {
    assert.equal(defaultOf('health.db_timeout'), 2)
    assert.equal(defaultOf('health.pdns_timeout'), 2)
    let calls = 0
    const mute = createServer(() => void calls++)
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    cleanup(() => {
      mute.closeAllConnections()
      mute.close()
    })
    const { port } = mute.address() as AddressInfo
    const api = { url: `http://127.0.0.1:${port}`, key: 'key-of-the-tests' }
    cleanup(changeSettings({ pdns_api: api, health: { pdns_timeout: 0.3 } }))
    const server = CalledServer.ofThisProcess()
    const before = calls
    const start = Date.now()
    const answer = await server.get(HEALTH)
    assert.equal(answer.status, 503)
    assert.isAtLeast(calls - before, 2)
    assert.isAtLeast(Date.now() - start, 590)
    assert.isBelow(Date.now() - start, 3000)
  }),
  check(9, 'it is "error", which the specification leaves open', async ({ assert }) => {
    assert.containsSubset(await healthOf('silent'), { code: 503, status: 'error' })
  })
)

export const removed = section(
  'Removed v1',
  check('gone', '', async ({ as, want, assert }) => {
    for (const [method, path] of [
      ['GET', '/api/v1'],
      ['GET', '/api/v1/zones'],
      ['POST', '/api/v1/zones/1/records'],
      ['DELETE', '/api/v1/users/1'],
    ]) {
      const { header } = await want(410, as()(method, path), /\/api\/v2/)
      assert.include(header('link'), '/api/v2/')
    }
    assert.equal(await statusAt('closed', '/api/v1/zones'), 410)
  })
)

export const versioning = section(
  'Versioning',
  check(1, '', async ({ root, as, want }) => {
    await want(200, root('GET', '/api/v2/zones?per_page=1'))
    await want(404, root('GET', '/api/zones'))
    await want(404, root('GET', '/api/v3/zones'))
    await want(200, as()('GET', HEALTH))
    await want(200, as()('GET', '//ping'))
  }),
  check(2, '', async ({ root, want }) => {
    await want(410, root('GET', '/api/v1/zones'), /\/api\/v2/)
  }),
  check(3, '', async ({ narrowed, want }) => {
    const sendRequest = await narrowed({ readOnly: true })
    await want(403, sendRequest('POST', '/api/v2/zones', { name: 'refused.test' }))
    await want(410, sendRequest('POST', '/api/v1/zones', { name: 'refused.test' }))
  })
)
