// @process
import { test } from '@japa/runner'
import { ace } from '#tests/support/app/commands'
import { freshServer, tokenOf } from '#tests/support/app/first_run'
import { OtherServer } from '#tests/support/app/server'
import { freePort } from '#tests/support/programs'
import { WebClient, type Page } from '#tests/support/web/client'

const PASSWORD = 'Correct-horse-7-battery'

/** Returns the status of the response to a form. */
async function answer(client: WebClient, fields: Record<string, string>): Promise<number> {
  const { status } = await client.post('/setup', fields)
  return status
}

const form = (token: string, more: Record<string, string> = {}) => {
  return { token, username: 'root', password: PASSWORD, repeated: PASSWORD, ...more }
}

test.group('The first run in the browser', (group) => {
  group.each.timeout(60_000)

  test('the printed setup token creates the first administrator, once, with sample zones', async ({
    assert,
    cleanup,
  }) => {
    const { setup, server, variables } = await freshServer()
    cleanup(() => server.stop())
    assert.match(setup.stdout, /There is no administrator yet/)
    const client = new WebClient(server.url)
    for (const path of ['/', '/login', '/zones', '/search']) {
      const page = await client.get(path)
      assert.equal(page.location, '/setup', path)
    }
    const token = await tokenOf(server)
    assert.notInclude(server.log(), '?token=')
    const shown = await client.get(`/setup?token=${token}`)
    assert.equal(shown.status, 200)
    assert.notInclude(shown.html, token)

    assert.equal(await answer(client, form('wrong')), 403)
    const differ = await client.post('/setup', form(token, { repeated: 'x' }))
    assert.equal(differ.status, 422)
    assert.include(differ.html, token)
    assert.equal(await answer(client, form(token, { username: ' ' })), 422)
    const twin = new WebClient(server.url)
    await twin.get('/setup')
    const [one, otherPage] = await Promise.all([
      client.post('/setup', form(token, { sample: 'on' })),
      twin.post('/setup', form(token, { username: 'second' })),
    ])
    // The second request is refused, or redirected to the sign-in if the first one has finished.
    const isIn = ({ status, location }: Page) => status === 303 && location === '/'
    assert.lengthOf([one, otherPage].filter(isIn), 1)
    const winner = isIn(one) ? client : twin
    const inside = await winner.get('/zones')
    assert.equal(inside.status, 200)
    const lateSubmission = await new WebClient(server.url).get('/setup')
    assert.equal(lateSubmission.location, '/login')
    assert.equal(await new WebClient(server.url).statusOf('/login'), 200)

    const users = await ace(['user:list', '--json'], { variables })
    assert.equal(users.stdout.match(/"administrator":\s*true/g)?.length, 1)
    const log = await ace(['audit:list', '--json'], { variables })
    assert.include(log.stdout, 'first_administrator')
    assert.notInclude(log.stdout + inside.html, token)
    if (winner === client) {
      assert.include(inside.html, 'sample.test')
      assert.include(inside.html, '2.0.192.in-addr.arpa')
    }

    const again = await OtherServer.start(variables)
    cleanup(() => again.stop())
    assert.notInclude(again.log(), '/setup#token=')
  }).tags(['@sql'])

  test('without the interface there is no page, and a command creates the first administrator', async ({
    assert,
    cleanup,
  }) => {
    const { server, variables } = await freshServer({ INTERFACE_WEB_ENABLED: 'false' })
    cleanup(() => server.stop())
    const page = await server.get('/setup', { accept: 'text/html' })
    assert.equal(page.status, 404)
    const created = await ace(['setup', '--admin=root'], {
      variables: { ...variables, ADMIN_PASSWORD: PASSWORD },
    })
    assert.equal(created.code, 0)
    const { stdout } = await ace(['api-key:create', 'root'], { variables })
    const [key = ''] = /pwa_[0-9a-f]{64}/.exec(stdout) ?? []
    const zones = await server.get('/api/v2/zones', { 'x-api-key': key })
    assert.equal(zones.status, 200)
    assert.notInclude(server.log(), '/setup')
  }).tags(['@sql'])

  test('sample zones that the name server refuses do not prevent the first sign-in', async ({
    assert,
    cleanup,
  }) => {
    const { server } = await freshServer({
      DNS_BACKEND: 'api',
      PDNS_API_URL: `http://127.0.0.1:${await freePort()}`,
      PDNS_API_KEY: 'nobody-listens',
    })
    cleanup(() => server.stop())
    const client = new WebClient(server.url)
    await client.get('/setup')
    const created = await client.post('/setup', form(await tokenOf(server), { sample: 'on' }))
    assert.deepEqual([created.status, created.location], [303, '/'])
    assert.include(server.log(), 'Creation of a sample zone failed')
    assert.equal(await client.statusOf('/account/password'), 200)
  }).tags(['@sql'])

  test('wrong tokens are counted', async ({ assert, cleanup }) => {
    const { server } = await freshServer()
    cleanup(() => server.stop())
    const client = new WebClient(server.url)
    const statuses: number[] = []
    for (let index = 0; index < 11; index++) {
      const page = await client.post('/setup', form(`wrong${index}`))
      statuses.push(page.status)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 403), 429])
    const token = await tokenOf(server)
    assert.equal(await answer(client, form(token)), 429)
  }).tags(['@sql'])
})
