import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import { guardedPost, NotReached } from '#events/webhooks/guarded_post'
import { signatureOf } from '#events/webhooks/signature'
import { eventually } from '#tests/support/eventually'

const HERE = ['127.0.0.0/8', '::1']
const TERMS = {
  allowedNetworks: HERE,
  timeoutMs: 1_000,
  signal: new AbortController().signal,
}

test.group('POST to a user-defined address', (group) => {
  let server: Server
  let port: number
  let calls = 0
  group.each.setup(async () => {
    calls = 0
    server = createServer((request, response) => {
      calls += 1
      if (request.url === '/hang') return
      if (request.url === '/cut') {
        request.socket.destroy()
        return
      }
      if (request.url === '/short') {
        response.writeHead(200, { 'content-length': 10 }).write('x')
        setImmediate(() => request.socket.destroy())
        return
      }
      if (request.url === '/switch') {
        const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: Upgrade']
        request.socket.write(`${head.join('\r\n')}\r\n\r\n`)
        return
      }
      if (request.url === '/processing') {
        const more = setInterval(() => response.writeProcessing(), 50)
        request.socket.once('close', () => clearInterval(more))
        return
      }
      if (request.url === '/away') {
        response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end()
      } else if (request.url === '/flood') {
        response.writeHead(200)
        const more = () => void response.write('x'.repeat(65_536), () => setImmediate(more))
        response.on('error', () => {})
        more()
      } else {
        response.writeHead(204).end()
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    return () => {
      server.closeAllConnections()
      server.close()
    }
  })

  const call = (path: string, terms: object = {}, host = '127.0.0.1') =>
    guardedPost(new URL(`http://${host}:${port}${path}`), '{}', {}, { ...TERMS, ...terms })

  test('a request reaches an allowed address', async ({ assert }) => {
    assert.equal(await call('/'), 204)
    assert.equal(await call('/', {}, 'localhost'), 204)
  })

  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
    test(`no request is sent to ${host}, unless it is allowed`, async ({ assert }) => {
      await assert.rejects(
        () => call('/', { allowedNetworks: [] }, host),
        /is not a public address/
      )
      assert.equal(calls, 0)
    })
  }

  test('a redirect is a response, and is not followed', async ({ assert }) => {
    assert.equal(await call('/away'), 302)
    assert.equal(calls, 1)
  })

  test('a missing or endless response ends the request', async ({ assert }) => {
    await assert.rejects(() => call('/hang'), /^No answer within 1 seconds$/)
    assert.equal(await call('/flood'), 200)
  })

  test('a protocol upgrade is a response, and the connection is closed', async ({ assert }) => {
    assert.equal(await call('/switch'), 101)
    await eventually(async () => {
      const open = await new Promise((done) => server.getConnections((_, count) => done(count)))
      assert.equal(open, 0)
    })
  }).timeout(10_000)

  test('informational responses do not delay the request', async ({ assert }) => {
    await assert.rejects(() => call('/processing'), /^No answer within 1 seconds$/)
  }).timeout(10_000)

  test('a connection that closes before or during the response ends the request', async ({
    assert,
  }) => {
    await assert.rejects(() => call('/cut'), /^The call failed: ECONNRESET$/)
    await assert.rejects(() => call('/short'), /^The call failed: ECONNRESET$/)
  }).timeout(10_000)

  test('the end of the process ends the request', async ({ assert }) => {
    const over = new AbortController()
    const created = call('/hang', { signal: over.signal, timeoutMs: 60_000 })
    setTimeout(() => over.abort(), 50)
    await assert.rejects(() => created, NotReached)
    await assert.rejects(() => call('/hang', { signal: over.signal }), NotReached)
  }).timeout(10_000)

  test("the error does not contain the system's message", async ({ assert }) => {
    server.close()
    server.closeAllConnections()
    const error = await call('/').catch((reason: unknown) => reason)
    assert.instanceOf(error, NotReached)
    assert.equal((error as Error).message, 'The call failed: ECONNREFUSED')
  })
})

test.group('Signatures of webhooks', () => {
  test('a signature equals the one of openssl for time, dot and body', ({ assert }) => {
    // printf '1795332523.{"id":1}' | openssl dgst -sha256 -hmac whsec_test
    assert.equal(
      signatureOf('whsec_test', 1_795_332_523, '{"id":1}'),
      't=1795332523,v1=656f516a72eaf532ee3c1bcc5eda09b00dd2711a4f2c560b0005473ef18c4c2a'
    )
  })
})
