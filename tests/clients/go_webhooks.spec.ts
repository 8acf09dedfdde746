import { test } from '@japa/runner'
import { baseUrl, caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { refusal } from '#tests/support/go_clients/http'
import { CertManager, ExternalDns } from '#tests/support/go_clients/webhooks'

let admin: Caller
let owner: Person

test.group('Webhook provider of external-dns', (group) => {
  let api: ExternalDns
  let zone: { id: number; name: string }
  group.each.setup(async (t) => {
    admin = caller(t.context.client, await administrator())
    owner = await person({ template: 'Editor' })
    zone = await createZone(admin, { name: zoneNamed('k8s'), owner_user_id: owner.id })
    await createZone(admin, { name: zoneNamed('foreign') })
    api = new ExternalDns(baseUrl(), owner.key)
  })

  test('lists the zones of its key, with ids as numbers', async ({ assert }) => {
    assert.deepEqual(await api.zones(), [{ ...zone, type: 'MASTER' }])
  })

  test('creates a name with its ownership record, finds both, moves and removes them', async ({
    assert,
  }) => {
    const heritage = '"heritage=external-dns,external-dns/owner=default"'
    await api.create(zone.id, { name: 'app', type: 'A', content: '192.0.2.1', ttl: 300 })
    await api.create(zone.id, { name: 'a-app', type: 'TXT', content: heritage, ttl: 300 })
    await api.create(zone.id, { name: '@', type: 'A', content: '192.0.2.2', ttl: 300 })
    const mail = { name: '@', type: 'MX', content: 'mail.example.net', ttl: 300 }
    await api.create(zone.id, { ...mail, priority: 10 })
    const srv = { name: '_sip._tcp', type: 'SRV', content: '5 5060 sip.example.net', ttl: 300 }
    await api.create(zone.id, { ...srv, priority: 20 })
    const read = await api.records(zone.id)
    assert.sameDeepMembers(
      read
        .filter(({ type }) => type !== 'SOA')
        .map(({ name, type, content, priority }) => [name, type, content, priority]),
      [
        [`app.${zone.name}`, 'A', '192.0.2.1', 0],
        [`a-app.${zone.name}`, 'TXT', heritage.slice(1, -1), 0],
        [zone.name, 'A', '192.0.2.2', 0],
        [zone.name, 'MX', 'mail.example.net', 10],
        [`_sip._tcp.${zone.name}`, 'SRV', '5 5060 sip.example.net', 20],
      ]
    )
    const app = read.find(({ name, type }) => name === `app.${zone.name}` && type === 'A')!
    const { name, type } = app
    await api.update(zone.id, app.id, { name, type, content: '192.0.2.9', ttl: 60 })
    const text = read.find((one) => one.type === 'TXT')!
    const same = { name: text.name, type: 'TXT', content: heritage, ttl: 300 }
    await api.update(zone.id, text.id, same)
    const moved = await api.records(zone.id)
    assert.deepInclude(
      moved.map((one) => [one.name, one.content, one.ttl]),
      [`app.${zone.name}`, '192.0.2.9', 60]
    )
    assert.lengthOf(
      moved.filter((one) => one.type === 'TXT'),
      1
    )
    const { id } = moved.find((one) => one.content === '192.0.2.9')!
    const deleted = await api.delete(zone.id, id)
    const again = await api.delete(zone.id, id)
    assert.deepEqual([deleted.status, deleted.bytes, again.status], [204, 0, 404])
  })

  test('a retry creates no second record', async ({ assert }) => {
    const endpoint = { name: 'app', type: 'A', content: '192.0.2.1', ttl: 300 }
    await api.create(zone.id, endpoint)
    const again = await refusal(api.create(zone.id, endpoint))
    assert.equal(again.status, 409)
    const read = await api.records(zone.id)
    assert.lengthOf(
      read.filter(({ type }) => type === 'A'),
      1
    )
  })
})

test.group('Webhook of cert-manager', (group) => {
  let zone: { id: number; name: string }
  let api: CertManager
  group.each.setup(async (t) => {
    admin = caller(t.context.client, await administrator())
    owner = await person({ template: 'Editor' })
    zone = await createZone(admin, { name: zoneNamed('certs'), owner_user_id: owner.id })
    const { key } = await keyFor(owner, { operations: ['view', 'create', 'delete'], zones: [zone] })
    api = new CertManager(baseUrl(), key)
  })

  test('publishes tokens once, two at one name, and removes only its own', async ({ assert }) => {
    const name = `_acme-challenge.${zone.name}.`
    await api.present(name, 'token-of-the-host')
    await api.present(name, 'token-of-the-host')
    await api.present(name.toUpperCase(), 'Token_of-the-wildcard')
    const stored = await admin.get(`/zones/${zone.id}/rrsets/_acme-challenge/TXT`)
    assert.deepEqual(
      stored
        .body()
        .data.rrset.records.map(({ content }: { content: string }) => content)
        .sort(),
      ['Token_of-the-wildcard', 'token-of-the-host']
    )
    assert.equal(await api.cleanUp(name, 'token-of-the-host'), 1)
    assert.equal(await api.cleanUp(name, 'token-of-the-host'), 0)
    assert.equal(await api.cleanUp(name, 'Token_of-the-wildcard'), 1)
  })

  test('reports the reason of a refusal', async ({ assert }) => {
    const { key } = await keyFor(owner, { readOnly: true })
    const readOnly = new CertManager(baseUrl(), key)
    const { status, message } = await refusal(readOnly.present(`_acme-challenge.${zone.name}`, 't'))
    assert.equal(status, 403)
    assert.include(message, 'not permitted')
  })
})
