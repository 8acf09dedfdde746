// @process
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { changeSettings } from '#tests/support/app/settings'
import { plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { signedIn, WebClient, type Page } from '#tests/support/web/client'
import { deniedOn, wordsOf } from '#tests/support/web/review'

let server: SigningServer
let admin: Person
let as: Caller
let visitor: WebClient
let zone: { id: number; name: string }

const path = (rest = '') => `/zones/${zone.id}/dnssec${rest}`

/** Sends a form of the zone with the token of a page that always exists. */
function post(rest: string, fields: Record<string, string> = {}, who = visitor): Promise<Page> {
  return who.post(path(rest), fields, { from: '/account/password' })
}

/** Returns the ids of the keys on the page in order. */
function keyIds({ html }: Page): string[] {
  return [...html.matchAll(/dnssec\/keys\/(\d+)\/delete"/g)].map(([, id]) => id)
}

/** An Ed25519 private key in BIND format that never signed anything. */
const PRIVATE_KEY = [
  'Private-key-format: v1.2',
  'Algorithm: 15 (ED25519)',
  'PrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=',
  '',
].join('\n')

/** Returns the status of a pending page. */
async function statusOf(answer: Promise<Page>): Promise<number> {
  const { status } = await answer
  return status
}

test.group('DNSSEC in the web interface', (group) => {
  group.each.timeout(60_000)

  group.setup(async () => {
    server = await SigningServer.here()
    admin = await administrator()
    visitor = new WebClient(server.url)
    await visitor.signIn(admin)
    return () => server.stop()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await plainZone(t.context.client, admin)
  })

  test('a zone is signed with the selected algorithm, and the page shows its DS record', async ({
    assert,
  }) => {
    const before = await visitor.get(path())
    assert.include(wordsOf(before), 'The zone has no keys')
    assert.include(before.html, 'ECDSAP256SHA256, recommended')
    const emptyPage = await post('/sign', { algorithm: 'nope' })
    assert.equal(emptyPage.status, 422)
    assert.include(emptyPage.html, 'ed25519')

    const resultPage = await post('/sign', { algorithm: 'ed25519' })
    assert.deepEqual([resultPage.status, resultPage.location], [303, path()])
    const page = await visitor.get(path())
    const words = wordsOf(page)
    assert.include(words, '15 (ED25519)')
    const ds = [...page.html.matchAll(/<code class="value" dir="ltr">([^<]* IN DS [^<]*)</g)]
    const status = await server.call(admin.key, 'GET', `/zones/${zone.id}/dnssec`)
    const digests = new Map<number, string>(
      status.body.data.ds_records.map((one: { digest_type: number; digest: string }) => [
        one.digest_type,
        one.digest.toUpperCase(),
      ])
    )
    assert.deepEqual(
      ds.map(([, line]) => line.split(' ').slice(-2)),
      [2, 4, 1].map((type) => [String(type), digests.get(type)])
    )
    assert.isTrue(ds.every(([, line]) => line.startsWith(`${zone.name}. IN DS `)))
    const rectified = await post('/rectify')
    assert.equal(rectified.status, 303)
  })

  test('unsigning requires the zone name and a check that the DS record is gone', async ({
    assert,
  }) => {
    await post('/sign')
    const isSigned = async () => {
      const { body } = await server.call(admin.key, 'GET', `/zones/${zone.id}/dnssec`)
      return body.data.enabled as boolean
    }
    const form = await visitor.get(path('/unsign'))
    assert.include(wordsOf(form), 'is hosted elsewhere and is not checked')
    const unsure: Record<string, string>[] = [
      {},
      { name: zone.name },
      { name: 'other.example', sure: '1' },
    ]
    for (const fields of unsure) {
      const refused = await post('/unsign', { ...fields, reason: 'a reason' })
      assert.equal(refused.status, 422)
      assert.include(refused.html, 'value="a reason"')
    }
    assert.isTrue(await isSigned())
    const resultPage = await post('/unsign', { name: `${zone.name.toUpperCase()}.`, sure: '1' })
    assert.deepEqual([resultPage.status, resultPage.location], [303, path()])
    assert.isFalse(await isSigned())
  })

  test('a DS record in a parent zone of the installation prevents unsigning', async ({
    client,
    assert,
  }) => {
    const parent = await createZone(as, { name: zoneNamed('parent'), type: 'MASTER' })
    zone = await plainZone(client, admin, { name: `child.${parent.name}` })
    await post('/sign')
    const unsigned = wordsOf(await visitor.get(path()))
    assert.include(unsigned, `The parent zone ${parent.name} has no DS record`)
    const { body } = await server.call(admin.key, 'GET', `/zones/${zone.id}/dnssec/keys`)
    const [content] = body.data[0].ds as string[]
    await createRecord(as, parent, { name: 'child', type: 'NS', content: 'ns1.example.net' })
    await createRecord(as, parent, { name: 'child', type: 'DS', content })

    const form = await visitor.get(path('/unsign'))
    assert.include(wordsOf(form), `The parent zone ${parent.name} has 1 DS record for this zone`)
    assert.include(form.html, 'Disable DNSSEC although')
    const refused = await post('/unsign', { name: zone.name })
    assert.equal(refused.status, 422)
    const key = await visitor.get(path(`/keys/${body.data[0].id}/delete`))
    assert.include(wordsOf(key), 'A DS record of the parent zone refers to this key')
    const resultPage = await post('/unsign', { name: zone.name, sure: '1' })
    assert.equal(resultPage.status, 303)
    assert.include(wordsOf(await visitor.get(path())), 'validating resolvers refuse its answers')
  })

  test('the page of a child reveals nothing of a hidden parent zone except the DS record', async ({
    client,
    assert,
  }) => {
    const parent = await createZone(as, { name: zoneNamed('hidden'), type: 'MASTER' })
    zone = await plainZone(client, admin, { name: `child.${parent.name}` })
    await post('/sign')
    const { body } = await server.call(admin.key, 'GET', `/zones/${zone.id}/dnssec/keys`)
    const [content] = body.data[0].ds as string[]
    await createRecord(as, parent, { name: 'child', type: 'NS', content: 'ns1.example.net' })
    await createRecord(as, parent, {
      name: 'child',
      type: 'DS',
      content: '4711 13 2 ' + 'AB'.repeat(32),
    })
    await createRecord(as, parent, { name: 'child', type: 'DS', content })
    const keeper = new WebClient(server.url)
    await keeper.signIn(await owner(zone, ['zone_content_view_own', 'zone_dnssec_manage_own']))
    const shown = await keeper.get(path())
    assert.notInclude(wordsOf(shown), 'The parent zone')
    const form = await keeper.get(path('/unsign'))
    assert.equal(form.status, 200)
    assert.include(wordsOf(form), 'The parent zone has a DS record for this zone')
    assert.include(form.html, 'Disable DNSSEC although')
    const key = await keeper.get(path(`/keys/${body.data[0].id}/delete`))
    assert.equal(key.status, 200)
    assert.notInclude(wordsOf(key), 'refers to this key')
    for (const { html } of [form, key]) {
      assert.notInclude(html, '4711')
      assert.notInclude(wordsOf(form).replaceAll(zone.name, ''), parent.name)
    }
  })

  test('keys are added, imported, activated, and deleted with a confirmation of the consequences', async ({
    assert,
  }) => {
    assert.equal(await statusOf(post('/sign')), 303)
    const added = await post('/keys/new', { type: 'ksk', algorithm: 'ecdsa256 256' })
    assert.equal(added.status, 303)
    const bad = await post('/keys/import', { type: 'csk', privatekey: 'Secret: s3cr3t' })
    assert.equal(bad.status, 422)
    assert.notInclude(bad.html, 's3cr3t')
    const imported = await post('/keys/import', { type: 'csk', privatekey: PRIVATE_KEY })
    assert.equal(imported.status, 303)
    const page = await visitor.get(path())
    assert.notInclude(page.html, 'ODIyNjAzODQ2')
    const [first, second, third] = keyIds(page)
    assert.lengthOf(keyIds(page), 3)

    const singlePage = await visitor.get(path(`/keys/${first}/deactivate`))
    assert.include(wordsOf(singlePage), 'No active key remains')
    for (const ending of ['deactivate', 'delete']) {
      const refused = await post(`/keys/${first}/${ending}`)
      assert.equal(refused.status, 422)
    }
    const active = await post(`/keys/${second}/activate`)
    assert.equal(active.status, 303)
    const endedPage = await post(`/keys/${first}/deactivate`)
    assert.equal(endedPage.status, 303)
    const deleted = await post(`/keys/${third}/delete`)
    assert.equal(deleted.status, 303)
    const { body } = await server.call(admin.key, 'GET', `/zones/${zone.id}/dnssec/keys`)
    const states = body.data.map(({ id, active: on }: { id: number; active: boolean }) => [
      String(id),
      on,
    ])
    assert.sameDeepMembers(states, [
      [first, false],
      [second, true],
    ])
    const removed = await post(`/keys/${third}/delete`, { sure: '1' })
    assert.equal(removed.status, 404)
  })

  test('a presigned zone has no key actions', async ({ assert }) => {
    await as.put(`/zones/${zone.id}/metadata/PRESIGNED`, { values: ['1'] })
    const page = await visitor.get(path())
    assert.include(wordsOf(page), 'The zone arrives signed from its primary')
    assert.notInclude(page.html, 'keys/new')
    assert.equal(await statusOf(post('/sign')), 409)
  }).tags(['@sql'])

  test('readers see the keys without actions, and actions are refused', async ({ assert }) => {
    await post('/sign')
    const viewer = new WebClient(server.url)
    await viewer.signIn(await owner(zone, ['zone_content_view_own']))
    const page = await viewer.get(path())
    assert.include(page.html, ' IN DS ')
    assert.notInclude(page.html, `action="${path()}`)
    assert.deepEqual(deniedOn(page), [
      'Rectify, Disable DNSSEC…',
      'Add key, Import key',
      'Deactivate…, Delete…',
    ])
    assert.include(wordsOf(page), 'You do not have permission to manage DNSSEC for this zone')
    for (const rest of ['/sign', '/unsign', '/rectify', '/keys/new', '/keys/import']) {
      assert.equal(await statusOf(post(rest, {}, viewer)), 403, rest)
    }
    const stranger = new WebClient(server.url)
    await stranger.signIn(await person())
    assert.equal(await statusOf(stranger.get(path())), 404)
  })

  test('an unreachable name server is shown, and never as an unsigned zone', async ({
    assert,
    cleanup,
  }) => {
    const restore = changeSettings({ pdns_api: { url: '' } })
    cleanup(restore)
    const here = await signedIn(admin)
    const page = await here.get(path())
    assert.equal(page.status, 200)
    const words = wordsOf(page)
    assert.include(words, 'The name server could not be queried')
    assert.notInclude(words, 'unsigned')
    for (const rest of ['/sign', '/unsign', '/keys/1/delete', '/keys/new']) {
      const refused = await post(rest, { name: zone.name, sure: '1' }, here)
      assert.equal(refused.status, 409, rest)
      assert.include(refused.html, 'pdns_api.url')
    }
    restore()
    const silent = await SigningServer.here({}, 'http://127.0.0.1:9')
    try {
      const elsewhere = new WebClient(silent.url)
      await elsewhere.signIn(admin)
      const shown = await elsewhere.get(path())
      assert.equal(shown.status, 200)
      assert.include(wordsOf(shown), 'The name server is not responding')
      assert.notInclude(wordsOf(shown), 'unsigned')
      assert.equal(await statusOf(post('/sign', {}, elsewhere)), 409)
      const response = await elsewhere.post(
        `/zones/${zone.id}/flush`,
        {},
        { from: '/account/password' }
      )
      assert.equal(response.status, 409)
      assert.include(wordsOf(response), 'The name server is not responding')
      assert.notInclude(wordsOf(response), 'is signed')
      assert.include(wordsOf(await elsewhere.get('/server')), 'could not be queried')
    } finally {
      await silent.stop()
    }
  }).tags(['@sql'])
})
