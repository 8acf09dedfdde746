import { test } from '@japa/runner'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, permissionTemplate } from '#tests/support/app/people/people'
import { SigningServer } from '#tests/support/app/zones/signing'
import { GoSdk } from '#tests/support/go_clients/sdk'

/** An Ed25519 key in the format of BIND, published in RFC 8080, section 6.1. */
const PRIVATE_KEY = [
  'Private-key-format: v1.2',
  'Algorithm: 15 (ED25519)',
  'PrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=',
  '',
].join('\n')

test.group('Third-party Go SDK with an operator and a command line', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let api: GoSdk
  let adminId: number

  group.setup(async () => {
    server = await SigningServer.start()
    const admin = await administrator()
    adminId = admin.id
    api = new GoSdk(server.url, admin.key)
    return () => server.stop()
  })

  async function newZone() {
    const name = zoneNamed('sdk')
    const id = await api.createZone({ name, type: 'MASTER', soa_edit_api: 'INCREASE' })
    return { id, name }
  }

  test('reads the pages of zones and finds one by its name', async ({ assert }) => {
    const made = [await newZone(), await newZone(), await newZone()]
    const all = await api.zones(2)
    assert.includeMembers(
      all.map(({ id }) => id),
      made.map(({ id }) => id)
    )
    assert.deepEqual(await api.zones(50, made[1].name), [{ ...made[1], type: 'MASTER' }])
    assert.deepEqual(await api.zones(50, 'nowhere.test'), [])
  })

  test('secondary zones have a primary, which can be changed', async ({ assert }) => {
    const name = zoneNamed('sdk')
    const id = await api.createZone({ name, type: 'SLAVE', master: '192.0.2.5' })
    const { status } = await api.updateZone(id, { master: '192.0.2.6' })
    assert.equal(status, 200)
  })

  test('records in bulk have ids as text', async ({ assert }) => {
    const { id } = await newZone()
    const body = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 60 }
    const first = await api.createRecord(id, body)
    const second = await api.createRecord(id, { ...body, content: '192.0.2.2' })
    const done = await api.bulk(id, [
      { action: 'update', id: first.id, content: '192.0.2.9' },
      { action: 'delete', id: second.id },
      { action: 'create', ...body, name: 'new' },
    ])
    const counts = { total_operations: 3, created: 1, updated: 1, deleted: 1, failed: 0 }
    assert.deepEqual(done, { ...counts, errors: [] })
    const records = [{ content: '192.0.2.3', priority: 0, disabled: false }]
    const rrset = { name: 'www', type: 'A', ttl: 60, records }
    assert.deepEqual(await api.putRRset(id, rrset), rrset)
  })

  test('owners are changed singly and in bulk', async ({ assert }) => {
    const { id } = await newZone()
    const [one, otherUser] = [await person(), await person()]
    const { status } = await api.addOwner(id, one.id)
    assert.equal(status, 201)
    assert.deepEqual(await api.addOwners(id, [adminId, one.id, otherUser.id, 999_999]), {
      added: [otherUser.id],
      skipped: [adminId, one.id],
      not_found: [999_999],
    })
  })

  test('metadata is written and read', async ({ assert }) => {
    const { id } = await newZone()
    await api.setMetadata(id, 'ALLOW-AXFR-FROM', ['192.0.2.0/24', '2001:db8::/32'])
    assert.sameDeepMembers(await api.metadata(id), [
      { kind: 'SOA-EDIT-API', values: ['INCREASE'] },
      { kind: 'ALLOW-AXFR-FROM', values: ['192.0.2.0/24', '2001:db8::/32'] },
    ])
  })

  test('zones are signed, also with imported keys', async ({ assert }) => {
    const { id } = await newZone()
    await api.createRecord(id, { name: '@', type: 'NS', content: 'ns1.example.net', ttl: 60 })
    await api.sign(id)
    const imported = await api.importKey(id, 'zsk', PRIVATE_KEY)
    assert.deepInclude(imported, { algorithm: 'ed25519', bits: 256, active: false })
    const keys = await api.keys(id)
    assert.lengthOf(keys, 2)
    for (const { dnskey, ds, keytag } of keys.filter(({ active }) => active)) {
      assert.match(dnskey, /^25[67] 3 \d+ /)
      assert.isTrue(ds.every((one) => one.startsWith(`${keytag} `)))
    }
  })

  test('users get another permission template, and the server status is read', async ({
    assert,
  }) => {
    const template = await permissionTemplate('user', ['search'])
    const body = { username: unique('sdk'), password: unique('password'), groups: [] }
    const user = await api.createUser(body)
    const assigned = { user_id: user.user_id, perm_templ: template.id }
    assert.deepEqual(await api.assignTemplate(user.user_id, template.id), assigned)
    const status = await api.serverStatus()
    assert.isTrue(status.running)
    assert.match(status.version, /^\d+\.\d+/)
    assert.isAbove(Object.keys(status.metrics).length, 10)
  })
})
