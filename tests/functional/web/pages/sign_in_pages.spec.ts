// @process
import { createServer, request as forward, type Server } from 'node:https'
import { request as ask } from 'node:http'
import { once } from 'node:events'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { OtherServer, testFolder } from '#tests/support/app/server'
import { person } from '#tests/support/app/people/people'
import { freePort } from '#tests/support/programs'

const OTHER_CHANNELS = /^\/(api(\/|$)|ping$)|\/(nic\/update|dynamic_update)/

/** Returns the routes of this process with values for their parameters. */
function routes(): { method: string; path: string }[] {
  return Object.values(router.toJSON())
    .flat()
    .flatMap(({ methods, pattern }) =>
      methods
        .filter((method) => method !== 'HEAD')
        .map((method) => ({
          method,
          path: pattern.replaceAll(/:(\w+)\??/g, '1').replaceAll('*', 'app.css'),
        }))
    )
}

test.group('Without the web interface', (group) => {
  let server: OtherServer
  group.setup(async () => {
    server = await OtherServer.start({ INTERFACE_WEB_ENABLED: 'false' })
    return () => server.stop()
  })

  test('no page and no form exists', async ({ assert }) => {
    const pages = routes().filter(({ path }) => !OTHER_CHANNELS.test(path))
    assert.isAbove(pages.length, 30)
    for (const { method, path } of pages) {
      const answer = await server.call(method, path, { accept: 'text/html' })
      assert.equal(answer.status, 404, `${method} ${path}`)
      assert.notInclude(answer.text, '<', `${method} ${path}`)
      assert.isNull(answer.headers.get('set-cookie'), `${method} ${path}`)
    }
  })

  test('the API, the endpoint for routers and the health checks respond', async ({ assert }) => {
    const { key } = await person()
    for (const [path, status] of [
      ['/api/v2/zones', 200],
      ['/nic/update', 200],
      ['/ping', 200],
      ['/api/health', 200],
    ] as const) {
      const headers = path.startsWith('/api/v2') ? { 'x-api-key': key } : {}
      const answer = await server.call('GET', path, headers as Record<string, string>)
      assert.equal(answer.status, status, path)
    }
  })
})

/** Starts an HTTPS server that forwards requests, as a reverse proxy does. */
async function terminator(port: number, target: string): Promise<{ server: Server; ca: Buffer }> {
  const folder = testFolder('tls')
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost'],
    ],
    { stdio: 'ignore' }
  )
  const ca = readFileSync(cert)
  const server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    const { method, headers, url } = request
    const onward = ask(new URL(url ?? '/', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    request.pipe(onward)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, ca }
}

test.group('HTTPS', (group) => {
  let origin: string
  let ca: Buffer
  group.setup(async () => {
    const port = await freePort()
    origin = `https://localhost:${port}`
    const target = await OtherServer.start({ APP_URL: origin })
    const proxy = await terminator(port, target.url)
    ca = proxy.ca
    return async () => {
      proxy.server.close()
      proxy.server.closeAllConnections()
      await target.stop()
    }
  })

  const send = async (path: string, cookie = '', form?: URLSearchParams) => {
    const request = forward(new URL(path, origin), {
      ca,
      // localhost may be an IPv6 address here.
      family: 4,
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'text/html',
        ...(cookie ? { cookie } : {}),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
    })
    request.end(form?.toString())
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage]
    let html = ''
    for await (const chunk of response) html += String(chunk)
    return { status: response.statusCode, headers: response.headers, html }
  }

  test('cookies are bound to this host, and responses have HSTS', async ({ assert }) => {
    const user = await person()
    const page = await send('/login')
    assert.match(page.headers['strict-transport-security'] ?? '', /^max-age=31536000/)
    const token = /name='_csrf' value='([^']+)'/.exec(page.html)?.[1] ?? ''
    const guest = page.headers['set-cookie'] ?? []
    const cookie = guest.map((line) => line.split(';')[0]).join('; ')
    const fields = { _csrf: token, username: user.username, password: user.password }
    const inside = await send('/login', cookie, new URLSearchParams(fields))
    assert.equal(inside.status, 303)
    const cookies = [...guest, ...(inside.headers['set-cookie'] ?? [])]
    assert.isAbove(cookies.length, 1)
    for (const line of cookies) {
      assert.match(line, /^__Host-zonewright/)
      assert.match(line, /; Secure/)
      assert.match(line, /; Path=\/(;|$)/)
      assert.notMatch(line, /; Domain/i)
    }
    const own = (inside.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    const home = await send('/', own)
    assert.equal(home.status, 200)
  })
})
