import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import { BackendUnavailable, NotSent } from '#backends/contract/errors'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import {
  PowerDnsConflict,
  PowerDnsInvalid,
  PowerDnsMissing,
  PowerDnsRefusal,
} from '#backends/powerdns_api/errors'
import { isAtLeast } from '#backends/powerdns_api/server_info'
import { freePort } from '#tests/support/programs'
import { PowerDnsDouble, refusing } from '#tests/support/powerdns_double'

const KEY = 'key-of-the-client-tests'
const SERVER = { id: 'localhost', daemon_type: 'authoritative', version: '4.7.3' }

const clientOf = (url: string, limits?: { failures: number; pauseMs: number }) =>
  new PowerDnsClient({ url, key: KEY, serverName: 'localhost' }, limits)

async function errorOf(call: Promise<unknown>): Promise<Error> {
  const outcome = await call.then(
    () => null,
    (error: Error) => error
  )
  if (!(outcome instanceof BackendUnavailable)) {
    throw new Error(`expected a BackendUnavailable, got ${outcome}`)
  }
  return outcome
}

/** Starts a server that handles each connection with `behave`. */
async function rawServer(behave: (socket: Socket, connection: number) => void) {
  let connections = 0
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    connections += 1
    behave(socket, connections)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    stop: () => void server.close(),
  }
}

test.group('PowerDNS client', (group) => {
  let api: PowerDnsDouble
  group.each.setup(async () => {
    api = await PowerDnsDouble.start()
    return () => api.stop()
  })

  const answer = (body: string, status = 200) => {
    api.answer = (response) => void response.writeHead(status).end(body)
  }

  test('requests have the key, read and write JSON, and are counted', async ({ assert }) => {
    const client = clientOf(api.url)
    answer('[1]')
    assert.deepEqual(await client.get('/zones/a.test./cryptokeys'), [1])
    answer('', 204)
    assert.isNull(await client.send('PUT', '/zones/a.test./cryptokeys/3', { active: true }))
    assert.deepEqual(
      api.calls.map(({ key }) => key),
      [KEY, KEY]
    )
    const { calls, failures } = client.counts['PUT /zones/{zone}/cryptokeys/{key}']
    assert.deepEqual([calls, failures], [1, 0])
  })

  test('read connections are kept alive', async ({ assert }) => {
    const seen: (string | undefined)[] = []
    api.answer = (response) => {
      seen.push(String(response.req.socket.remotePort))
      response.end('{}')
    }
    const client = clientOf(api.url)
    await client.get('')
    await client.get('')
    await client.send('PUT', '/x')
    assert.equal(seen[0], seen[1])
    assert.notEqual(seen[1], seen[2])
  })

  for (const [status, kind] of [
    [404, PowerDnsMissing],
    [409, PowerDnsConflict],
    [422, PowerDnsInvalid],
    [401, PowerDnsRefusal],
    [500, PowerDnsRefusal],
  ] as const) {
    test(`status ${status} throws its own error with PowerDNS' message, without a retry`, async ({
      assert,
    }) => {
      api.answer = refusing(status, `no\nluck with ${KEY}`)
      const error = await errorOf(clientOf(api.url).get('/zones'))
      assert.instanceOf(error, kind)
      assert.equal((error as PowerDnsRefusal).reason, 'no luck with ********')
      assert.equal((error as PowerDnsRefusal).status, status)
      assert.lengthOf(api.calls, 1)
    })
  }

  test("the error for a body with a secret does not repeat PowerDNS' message", async ({
    assert,
  }) => {
    api.answer = refusing(422, 'cannot read c2VjcmV0')
    const call = clientOf(api.url).send('POST', '/x', { content: 'c2VjcmV0' }, { isSecret: true })
    const { message } = await errorOf(call)
    assert.equal(message, 'The PowerDNS API answered 422')
  })

  test('an invalid response throws and is not retried', async ({ assert }) => {
    answer('<html>secret garbage')
    const error = await errorOf(clientOf(api.url).get('/zones'))
    assert.notInstanceOf(error, PowerDnsRefusal)
    assert.equal(error.message, 'The PowerDNS API sent an invalid answer (not JSON)')
    for (const body of ['null', '[]', '{"id":1}', '"x"']) {
      answer(body)
      const wrong = await errorOf(clientOf(api.url).server())
      assert.match(wrong.message, /no description of a server/)
    }
  })

  test('a redirect is not followed', async ({ assert }) => {
    api.answer = (response) => void response.writeHead(307, { Location: '/elsewhere' }).end()
    const error = await errorOf(clientOf(api.url).get('/zones'))
    assert.equal(error.message, 'The PowerDNS API did not answer (unexpected redirect)')
    assert.lengthOf(api.calls, 1)
  })

  test('a response above the size limit is not read', async ({ assert }) => {
    answer(JSON.stringify('x'.repeat(5000)))
    const client = clientOf(api.url)
    const error = await errorOf(client.get('/zones', { maxBytes: 4096 }))
    assert.match(error.message, /more than 4096 bytes/)
    assert.lengthOf(String(await client.get('/zones', { maxBytes: 6000 })), 5000)
  })

  test('a slow server times out after one request', async ({ assert }) => {
    api.answer = () => {}
    const startTime = performance.now()
    const error = await errorOf(clientOf(api.url).get('/zones', { timeout: 0.2 }))
    assert.equal(error.message, 'The PowerDNS API did not answer (not within 0.2 seconds)')
    assert.isBelow(performance.now() - startTime, 2000)
    assert.lengthOf(api.calls, 1)
  })

  test('a slowly arriving body times out', async ({ assert }) => {
    api.answer = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(timer))
    }
    const error = await errorOf(clientOf(api.url).get('/zones', { timeout: 0.3 }))
    assert.match(error.message, /not within 0.3 seconds/)
  })

  test('the caller can cancel a call', async ({ assert }) => {
    api.answer = () => {}
    const client = clientOf(api.url, { failures: 1, pauseMs: 60_000 })
    const abort = new AbortController()
    const call = errorOf(client.get('/zones', { signal: abort.signal }))
    abort.abort()
    const { message } = await call
    assert.match(message, /the call was cancelled/)
    answer('{}')
    assert.deepEqual(await client.get('/zones'), {})
  })

  test('server information is cached, but no failure', async ({ assert }) => {
    const client = clientOf(api.url)
    api.answer = refusing(500, 'later')
    await errorOf(client.server())
    answer(JSON.stringify(SERVER))
    const both = await Promise.all([client.server(), client.server()])
    assert.deepEqual(both[0], {
      id: 'localhost',
      daemonType: 'authoritative',
      version: '4.7.3',
    })
    assert.deepEqual(await client.server(), both[0])
    assert.lengthOf(api.calls, 2)
  })
})

test.group('PowerDNS client, broken connections', () => {
  const CUT = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":'

  test('an interrupted read is retried once, a write never', async ({ assert, cleanup }) => {
    const server = await rawServer((socket) => {
      socket.once('data', () => socket.end(CUT))
    })
    cleanup(server.stop)
    const client = clientOf(server.url)
    await errorOf(client.get('/zones'))
    assert.equal(server.connections(), 2)
    assert.equal(client.counts['GET /zones'].retries, 1)
    await errorOf(client.send('PUT', '/zones', {}))
    assert.equal(server.connections(), 3)
  })

  test('the retry of a read may succeed', async ({ assert, cleanup }) => {
    const server = await rawServer((socket, connection) => {
      socket.once('data', () =>
        connection === 1
          ? socket.destroy()
          : socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
      )
    })
    cleanup(server.stop)
    assert.deepEqual(await clientOf(server.url).get('/zones'), {})
  })

  test('another protocol throws', async ({ assert, cleanup }) => {
    const server = await rawServer((socket) => {
      const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
      socket.once('data', () => socket.write(head))
    })
    cleanup(server.stop)
    const client = clientOf(server.url)
    const calls = [client.get('/zones', { timeout: 1 }), client.send('PUT', '/zones')]
    for (const { message } of await Promise.all(calls.map(errorOf))) {
      assert.match(message, /unexpected upgrade/)
    }
  }).timeout(3000)

  test("waiting for a free connection counts for the timeout, and does not affect the server's state", async ({
    assert,
    cleanup,
  }) => {
    const waiting: Socket[] = []
    const server = await rawServer((socket) => void waiting.push(socket))
    cleanup(server.stop)
    const client = clientOf(server.url, { failures: 1, pauseMs: 60_000 })
    const abort = new AbortController()
    const busy = Array.from({ length: 8 }, () =>
      errorOf(client.get('/zones', { signal: abort.signal }))
    )
    const late = await errorOf(client.get('/zones', { timeout: 0.2 }))
    assert.match(late.message, /no free connection within 0.2 seconds/)
    assert.instanceOf(late, NotSent)
    const own = new AbortController()
    const call = errorOf(client.get('/zones', { signal: own.signal }))
    own.abort()
    const given = await call
    assert.match(given.message, /the call was cancelled/)
    abort.abort()
    await Promise.all(busy)
    const next = await errorOf(client.get('/zones', { timeout: 0.2 }))
    assert.match(next.message, /not within 0.2 seconds/)
  }).timeout(5000)

  test('a response that is not HTTP throws', async ({ assert, cleanup }) => {
    const server = await rawServer((socket) => {
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    })
    cleanup(server.stop)
    const error = await errorOf(clientOf(server.url).get('/zones'))
    assert.match(error.message, /^The PowerDNS API did not answer \(HPE_[A-Z_]+\)$/)
  })

  test('calls fail at once after consecutive failures; a successful ping closes the breaker', async ({
    assert,
    cleanup,
  }) => {
    const port = await freePort()
    const client = clientOf(`http://127.0.0.1:${port}`, { failures: 3, pauseMs: 60_000 })
    await client.ping(1).catch(() => {})
    await client.ping(1).catch(() => {})
    const first = await errorOf(client.send('PUT', '/a'))
    assert.match(first.message, /ECONNREFUSED/)
    await errorOf(client.get('/zones'))
    const open = await errorOf(client.get('/zones'))
    assert.match(open.message, /too many calls failed/)
    assert.instanceOf(open, NotSent)

    const server = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'))
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    cleanup(() => void server.close())
    await errorOf(client.get('/zones'))
    await client.ping(1)
    assert.deepEqual(await client.get('/zones'), {})
  })
})

test.group('Versions of PowerDNS', () => {
  test('versions are compared by major and minor number', ({ assert }) => {
    for (const [version, least, expected] of [
      ['4.7.3', '4.7', true],
      ['4.7.3', '4.10', false],
      ['5.0.0-beta1', '4.9', true],
      ['4.1.0', '4.2', false],
      ['0.0.20000g1234', '5.1', true],
      ['master', '5.1', true],
    ] as const) {
      assert.equal(isAtLeast(version, least), expected, `${version} ${least}`)
    }
  })
})
