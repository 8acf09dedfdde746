import { test } from '@japa/runner'
import { baseUrl, caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner as ownerOf, withReviewSettings } from '#tests/support/app/review'
import { signedIn, type WebClient } from '#tests/support/web/client'
import { deniedOn } from '#tests/support/web/review'

let owner: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

interface Token {
  id: number
  hostnames: string[]
  txt: boolean
}

const tokens = (): Promise<Token[]> => dataOf(as.get('/dynamic-dns/tokens'), 'tokens')

/** Updates a host as a router does. */
async function update(host: string, token: string): Promise<string> {
  const address = `${baseUrl()}/nic/update?hostname=${host}&myip=192.0.2.55`
  const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`
  const response = await fetch(address, { headers: { authorization, 'user-agent': 'router/1.0' } })
  return response.text()
}

test.group('Dynamic DNS in the web interface', (group) => {
  group.each.setup(async (t) => {
    const admin = caller(t.context.client, await administrator())
    zone = await createZone(admin, { name: zoneNamed() })
    owner = await ownerOf(zone, [
      'zone_content_view_own',
      'zone_content_edit_own',
      'zone_logs_view_own',
    ])
    as = caller(t.context.client, owner)
    client = await signedIn(owner)
  })

  test('a token is created for a host, shown once with its recipes, and updates the host', async ({
    assert,
  }) => {
    const host = `home.${zone.name}`
    const form = await client.get('/dyndns/tokens/new')
    const once = form.hidden('once')
    const createdObject = await client.post('/dyndns/tokens/new', { hostnames: host, once })
    assert.equal(createdObject.status, 200)
    const token = /id="secret" value="([^"]+)"/.exec(createdObject.html)?.[1] ?? ''
    assert.match(token, /^dy[a-z2-7]{30}$/)
    assert.include(createdObject.html, 'FRITZ!Box')
    assert.include(createdObject.html, `login=token\npassword=&#x27;${token}&#x27;`.split('\n')[0])
    assert.match(await update(host, token), /^good/)
    const board = await client.get('/dyndns')
    assert.include(board.html, host)
    assert.include(board.html, 'address changed')
    assert.include(board.html, 'router/1.0')
    const list = await client.get('/dyndns/tokens')
    assert.include(list.html, host)
    assert.notInclude(list.html, token)
    const secondPage = await client.post('/dyndns/tokens/new', { hostnames: host, once })
    assert.equal(secondPage.status, 303)
    assert.lengthOf(await tokens(), 1)
  })

  test('no token is created that could never work', async ({ assert }) => {
    const asking = await ownerOf(zone, ['zone_content_view_own', 'zone_change_request_own'])
    const visitor = await signedIn(asking)
    const fields = { hostnames: `home.${zone.name}` }
    const refused = await withReviewSettings({}, () => visitor.post('/dyndns/tokens/new', fields))
    assert.equal(refused.status, 403)
    assert.include(refused.html, 'need approval')
    assert.notInclude(refused.html, 'id="secret"')
    const stranger = await signedIn(await person())
    assert.include(deniedOn(await stranger.get('/dyndns/tokens/new')), 'Create token')
    assert.notInclude(deniedOn(await client.get('/dyndns/tokens/new')), 'Create token')
  })

  test('only the owner of a token disables and deletes it', async ({ assert }) => {
    const created = await as.post('/dynamic-dns/tokens', { hostname: `home.${zone.name}` })
    const { token, secret } = created.body().data as { token: Token; secret: string }
    const path = `/settings/api-keys/${token.id}`
    const stranger = await signedIn(await person())
    assert.equal(await stranger.statusOf(path), 404)
    const theirs = await stranger.post(
      `/dyndns/tokens/${token.id}/delete`,
      { sure: '1' },
      { from: '/account/password' }
    )
    assert.equal(theirs.status, 404)
    const page = await client.get(path)
    await client.post(`${path}/disable`, { tag: page.hidden('tag') }, { from: path })
    assert.match(await update(token.hostnames[0], secret), /^badauth/)
    const list = await client.get('/dyndns/tokens')
    const stale = { sure: '1', tag: page.hidden('tag') }
    const from = { from: '/dyndns/tokens' }
    const lateSubmission = await client.post(`/dyndns/tokens/${token.id}/delete`, stale, from)
    assert.equal(lateSubmission.status, 412)
    const deleted = await client.post(
      `/dyndns/tokens/${token.id}/delete`,
      { sure: '1', tag: list.hidden('tag') },
      from
    )
    assert.deepEqual([deleted.status, deleted.location], [303, '/dyndns/tokens'])
    assert.lengthOf(await tokens(), 0)
  })

  test('a host without a zone is refused with an error, and the form keeps its values', async ({
    assert,
  }) => {
    for (const [hostnames, status] of [
      ['home.nowhere.invalid', 404],
      ['', 422],
      ['a..b', 422],
    ] as const) {
      const fields = { hostnames, name: 'my router' }
      const page = await client.post('/dyndns/tokens/new', fields)
      assert.equal(page.status, status)
      assert.include(page.html, 'role="alert"')
      assert.include(page.html, 'my router')
    }
  })

  test('recipes contain the host, and nothing that is not a name', async ({ assert }) => {
    const page = await client.get(`/dyndns/recipes?hostname=home.${zone.name}`)
    assert.include(page.html, `home.${zone.name}`)
    assert.include(page.html, '/nic/update')
    const bad = await client.get('/dyndns/recipes?hostname=%3Cscript%3Ealert(1)%3C/script%3E')
    assert.equal(bad.status, 422)
    assert.notInclude(bad.html, '<script>alert')
  })
})
