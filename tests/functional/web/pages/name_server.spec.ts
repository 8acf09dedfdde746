// @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { SigningServer } from '#tests/support/app/zones/signing'
import { signedIn, WebClient, type Page } from '#tests/support/web/client'
import { wordsOf } from '#tests/support/web/review'

let admin: Person
let as: Caller
let visitor: WebClient
let zone: { id: number; name: string }

const path = (rest = '') => `/zones/${zone.id}/metadata${rest}`

const EVIL = '"><img src=x onerror=alert(1)>'

/** Returns the status of a pending page. */
async function statusOf(answer: Promise<Page>): Promise<number> {
  const { status } = await answer
  return status
}

test.group('Metadata in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
    visitor = await signedIn(admin)
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed('metadata'), type: 'MASTER' })
  })

  const valuesOf = async (kind: string) => {
    const answer = await as.get(`/zones/${zone.id}/metadata/${kind}`)
    return answer.status() === 200 ? (answer.body().data.values as string[]) : null
  }
  const send = (fields: Record<string, string>, rest = '/edit') =>
    visitor.post(path(rest), fields, { from: '/account/password' })

  test('a kind is added with its help, changed with its tag, and removed', async ({ assert }) => {
    const form = await visitor.get(path('/edit?kind=ALLOW-AXFR-FROM'))
    for (const help of [
      'Addresses that may transfer the whole zone',
      '192.0.2.0/24',
      'several values',
    ]) {
      assert.include(wordsOf(form), help)
    }
    assert.equal(form.hidden('tag'), '')
    const kind = 'ALLOW-AXFR-FROM'
    const refused = await send({ kind, values: '192.0.2.300\r\nfine', reason: 'why' })
    assert.equal(refused.status, 422)
    assert.include(refused.html, '192.0.2.300')
    assert.include(refused.html, 'value="why"')
    const added = await send({ kind, values: '192.0.2.77/24\r\n\r\n2001:db8::/32\r\n' })
    assert.deepEqual([added.status, added.location], [303, path()])
    assert.deepEqual(await valuesOf(kind), ['192.0.2.0/24', '2001:db8::/32'])
    const repeatedPage = await send({ kind, values: '192.0.2.1' })
    assert.equal(repeatedPage.status, 412)

    const { html } = await visitor.get(path('/edit?kind=allow-axfr-from'))
    const tag = /name="tag" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await as.put(`/zones/${zone.id}/metadata/${kind}`, { values: ['198.51.100.1'] })
    for (const rest of ['/edit', '/delete']) {
      const lateSubmission = await send({ kind, values: '192.0.2.1', tag }, rest)
      assert.equal(lateSubmission.status, 412, rest)
      assert.include(lateSubmission.html, '198.51.100.1')
    }
    const lateSubmission = await send({
      kind,
      values: '192.0.2.1\r\n192.0.2.2',
      tag,
      reason: 'why',
    })
    assert.equal(lateSubmission.typed('values').replaceAll('\r', ''), '192.0.2.1\n192.0.2.2')
    assert.include(lateSubmission.html, 'value="why"')
    assert.include(wordsOf(lateSubmission), 'Values: 198.51.100.1')
    assert.notEqual(lateSubmission.hidden('tag'), tag)
    assert.deepEqual(await valuesOf(kind), ['198.51.100.1'])
    const now = await visitor.get(path())
    const resultPage = await send({ kind, tag: now.hidden('tag') }, '/delete')
    assert.equal(resultPage.status, 303)
    assert.isNull(await valuesOf(kind))
  })

  test('single-value kinds, custom kinds and invalid kinds are handled', async ({ assert }) => {
    const several = await send({ kind: 'IXFR', values: '0\n1' })
    assert.equal(several.status, 422)
    const ownPage = await send({ kind: 'x-own', values: EVIL })
    assert.equal(ownPage.status, 303)
    const { html } = await visitor.get(path())
    assert.notInclude(html, EVIL)
    assert.include(html, '&lt;img src=x')
    const named = await visitor.get(path(`/edit?custom=${encodeURIComponent(EVIL)}`))
    assert.equal(named.status, 422)
    assert.notInclude(named.html, EVIL)
  })

  test('metadata of the name server is shown but cannot be written', async ({ assert }) => {
    await db
      .table('domainmetadata')
      .insert({ domain_id: zone.id, kind: 'CATALOG-HASH', content: 'abc' })
    const page = await visitor.get(path())
    assert.include(wordsOf(page), 'CATALOG-HASH managed by the name server')
    assert.notInclude(page.html, 'edit?kind=CATALOG-HASH')
    assert.equal(await statusOf(send({ kind: 'CATALOG-HASH', values: 'x' })), 403)
    const viewer = await signedIn(
      await owner(zone, ['zone_content_view_own', 'zone_metadata_view_own'])
    )
    const seen = await viewer.get(path())
    assert.equal(seen.status, 200)
    assert.notInclude(seen.html, `action="${path()}`)
  }).tags(['@sql'])
})

test.group('The name server in the web interface', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer

  group.setup(async () => {
    server = await SigningServer.here()
    admin = await administrator()
    visitor = new WebClient(server.url)
    await visitor.signIn(admin)
    return () => server.stop()
  })

  test('the status page has grouped metrics and a selection', async ({ assert }) => {
    const page = await visitor.get('/server')
    const words = wordsOf(page)
    assert.match(words, /authoritative \d+\.\d+/)
    for (const word of ['Queries', 'Caches', 'udp-queries', 'uptime']) assert.include(words, word)
    const some = await visitor.get('/server?q=UDP-quer')
    assert.include(some.html, 'udp-queries')
    assert.notInclude(some.html, 'packetcache-hit</bdi>')
    const emptyPage = await visitor.get(`/server?q=${encodeURIComponent(EVIL)}`)
    assert.equal(emptyPage.status, 200)
    assert.notInclude(emptyPage.html, EVIL)
    const stranger = await signedIn(await person())
    assert.equal(await statusOf(stranger.get('/server')), 403)
  })

  test('autoprimaries are added, changed unless they changed meanwhile, and removed', async ({
    assert,
  }) => {
    const nameserver = `${zoneNamed('ns')}`
    const send = (rest: string, fields: Record<string, string>) =>
      visitor.post(`/server/autoprimaries${rest}`, fields, { from: '/account/password' })
    const refused = await send('', { ip: '192.0.2.300', nameserver, account: 'me' })
    assert.equal(refused.status, 422)
    assert.include(refused.html, 'value="me"')
    const wanted = { ip: '192.0.2.40', nameserver, account: 'one' }
    assert.equal(await statusOf(send('', wanted)), 303)
    assert.equal(await statusOf(send('', wanted)), 409)
    const listed = await visitor.get(`/server/autoprimaries?q=${nameserver}`)
    assert.include(listed.html, '192.0.2.40')

    const edit = await visitor.get(
      `/server/autoprimaries/edit?ip=192.0.2.40&nameserver=${nameserver}`
    )
    const identity = { known_ip: '192.0.2.40', known_nameserver: nameserver }
    const known = { ...identity, tag: edit.hidden('tag') }
    assert.match(known.tag, /^[\da-f]{32}$/)
    const changed = await send('/edit', { ...known, ...wanted, account: 'two' })
    assert.equal(changed.status, 303)
    const lateSubmission = await send('/edit', { ...known, ...wanted, account: 'three' })
    assert.equal(lateSubmission.status, 412)
    // The form keeps the submitted text and shows the stored text next to it.
    assert.include(lateSubmission.html, 'value="three"')
    assert.include(wordsOf(lateSubmission), 'Account: two')
    assert.equal(await statusOf(send('/edit', { ...identity, ...wanted, account: 'three' })), 412)
    const now = { ...identity, tag: lateSubmission.hidden('tag') }
    assert.notEqual(now.tag, known.tag)
    const unconfirmedPage = await send('/delete', now)
    assert.equal(unconfirmedPage.status, 422)
    assert.equal(unconfirmedPage.hidden('tag'), now.tag)
    for (const fields of [known, identity]) {
      const stalePage = await send('/delete', { ...fields, sure: '1' })
      assert.equal(stalePage.status, 412)
      assert.equal(stalePage.hidden('tag'), now.tag)
    }
    assert.equal(await statusOf(send('/delete', { ...now, sure: '1' })), 303)
    assert.equal(await statusOf(send('/delete', { ...now, sure: '1' })), 404)
  })

  test('actions call the name server, and its refusal is shown as an error', async ({
    client,
    assert,
  }) => {
    as = caller(client, admin)
    zone = await createZone(as, { name: zoneNamed('told'), type: 'MASTER' })
    const callServer = (call: string) =>
      visitor.post(`/zones/${zone.id}/${call}`, {}, { from: '/account/password' })
    const settings = await visitor.get(`/zones/${zone.id}/settings`)
    assert.include(settings.html, `/zones/${zone.id}/notify`)
    assert.notInclude(settings.html, `/zones/${zone.id}/retrieve`)
    assert.equal(await statusOf(callServer('notify')), 303)
    assert.equal(await statusOf(callServer('flush')), 303)
    const refused = await callServer('retrieve')
    assert.equal(refused.status, 422)
    assert.include(wordsOf(refused), 'Only secondary and consumer zones')
  })
})
