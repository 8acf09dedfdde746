// @databases @api-backend
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, expectStatus, createRecord, createZone, dataOf } from '#tests/support/app/api'
import { zoneTables } from '#tests/support/app/backend'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { journalOf, ownersOf, rowCounts } from '#tests/support/app/zones/zones'

const SOA = /^ns1\.example\.com hostmaster\.example\.com (\d{8})00 28800 7200 604800 86400$/

function today(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
}

async function policyOf(zoneId: number): Promise<string[]> {
  const rows = await db.from(zoneTables.metadata).where({ domain_id: zoneId, kind: 'SOA-EDIT-API' })
  return rows.map((row) => row.content)
}

/** Invalid bodies. `{name}` stands for an unused name. */
const REFUSED: [what: string, status: number, body: Record<string, unknown>][] = [
  ['no name', 400, { type: 'MASTER' }],
  ['an empty name', 400, { name: '' }],
  ['the root', 400, { name: '.' }],
  ['a name with a blank', 400, { name: 'bad name!' }],
  ['a name with an empty label', 400, { name: 'a..test' }],
  ['a label of 64 characters', 400, { name: `${'a'.repeat(64)}.test` }],
  ['a name of more than 253 characters', 400, { name: `${'a.'.repeat(125)}test` }],
  ['a label that starts with a hyphen', 400, { name: '-a.test' }],
  ['a wildcard', 400, { name: '*.a.test' }],
  ['an address', 400, { name: '192.0.2.1' }],
  ['a name that is a number', 400, { name: 123 }],
  ['an unknown type', 400, { name: '{name}', type: 'FOO' }],
  ['an empty type', 400, { name: '{name}', type: '' }],
  ['a producer', 400, { name: '{name}', type: 'PRODUCER' }],
  ['a type that is a number', 400, { name: '{name}', type: 5 }],
  ['a secondary without primaries', 400, { name: '{name}', type: 'SLAVE' }],
  ['a secondary with empty primaries', 400, { name: '{name}', type: 'SLAVE', master: ' , ' }],
  ['a primary that is no address', 400, { name: '{name}', type: 'SLAVE', master: 'not an ip' }],
  ['a primary that is a host', 400, { name: '{name}', type: 'SLAVE', master: 'ns1.test' }],
  ['port 0', 400, { name: '{name}', type: 'SLAVE', master: '192.0.2.1:0' }],
  ['port 65536', 400, { name: '{name}', type: 'SLAVE', master: '[2001:db8::1]:65536' }],
  ['a bad primary in a list', 400, { name: '{name}', type: 'SLAVE', masters: ['192.0.2.1', 'x'] }],
  ['primaries that are a number', 400, { name: '{name}', type: 'SLAVE', master: 5 }],
  ['a bad primary of a native zone', 400, { name: '{name}', type: 'NATIVE', master: 'x' }],
  ['an unknown serial policy', 400, { name: '{name}', soa_edit_api: 'FOO' }],
  ['a serial policy that is a number', 400, { name: '{name}', soa_edit_api: 5 }],
  [
    'an unknown serial policy of a secondary',
    400,
    { name: '{name}', type: 'SLAVE', master: '192.0.2.1', soa_edit_api: 'FOO' },
  ],
  ['a template that is a word', 400, { name: '{name}', template: 'abc' }],
  ['an unknown template', 404, { name: '{name}', template: 999999 }],
  ['an unknown template as text', 404, { name: '{name}', template: '999999' }],
  ['an unknown owner', 404, { name: '{name}', owner_user_id: 2147483647 }],
  ['an owner that is a word', 400, { name: '{name}', owner_user_id: 'x' }],
  ['an owner that is a fraction', 400, { name: '{name}', owner_user_id: 1.5 }],
  ['an owner beyond all ids', 404, { name: '{name}', owner_user_id: 99999999999 }],
  ['no owner at all', 400, { name: '{name}', owner_user_id: null }],
  ['owner 0 and no group', 400, { name: '{name}', owner_user_id: 0 }],
  ['a negative owner and no group', 400, { name: '{name}', owner_user_id: -1 }],
  ['groups that are a word', 400, { name: '{name}', group_ids: 'x' }],
  ['groups that are a number', 400, { name: '{name}', group_ids: 5 }],
  ['a group that is a word', 400, { name: '{name}', group_ids: ['x'] }],
  ['an unknown group', 404, { name: '{name}', group_ids: [2147483647] }],
  ['DNSSEC that is neither yes nor no', 400, { name: '{name}', enable_dnssec: 'perhaps' }],
  ['an account of more than 40 characters', 400, { name: '{name}', account: 'a'.repeat(41) }],
  ['a description that is a list', 400, { name: '{name}', description: ['x'] }],
]

test.group('POST /zones', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('the response has status 201 with the id, and the zone has its defaults', async ({
    client,
    assert,
  }) => {
    const as = caller(client, admin)
    const name = zoneNamed()
    const response = await as.post('/zones', { name })
    response.assertStatus(201)
    const { data, ...envelope } = response.body()
    assert.deepEqual(envelope, { success: true, message: 'Zone created successfully' })
    assert.sameMembers(Object.keys(data), ['zone_id', 'warnings'])
    const rules = data.warnings.map(({ rule }: { rule: string }) => rule)
    assert.deepEqual(rules, ['apex-ns'])
    const id = response.body().data.zone_id
    assert.isNumber(id)
    assert.deepEqual(await dataOf(as.get(`/zones/${id}`), 'zone'), {
      id,
      canonical_id: id,
      name,
      type: 'MASTER',
      master: null,
      masters: null,
      account: null,
      description: null,
      created_at: null,
    })
    assert.deepEqual(await ownersOf(id), { users: [admin.id], groups: [] })
    assert.deepEqual(await policyOf(id), [])
  })

  for (const [type, kind] of [
    ['MASTER', 'MASTER'],
    ['native', 'NATIVE'],
    ['Master', 'MASTER'],
  ]) {
    test(`type ${type} creates a ${kind} zone with only its SOA record`, async ({
      client,
      assert,
    }) => {
      const as = caller(client, admin)
      const days = [today()]
      const zone = await createZone(as, { name: zoneNamed(), type })
      days.push(today())
      assert.equal(await dataOf(as.get(`/zones/${zone.id}`), 'zone.type'), kind)
      const { records } = await dataOf(as.get(`/zones/${zone.id}/records`))
      assert.lengthOf(records, 1)
      assert.containsSubset(records[0], { name: zone.name, type: 'SOA', ttl: 86400, auth: true })
      assert.match(records[0].content, SOA)
      assert.oneOf(SOA.exec(records[0].content)?.[1], days)
    })
  }

  for (const [what, masters, stored] of [
    ['one address', { master: '192.0.2.1' }, '192.0.2.1'],
    [
      'a comma list',
      { master: '192.0.2.1:5300, [2001:db8::1]:5300' },
      '192.0.2.1:5300,[2001:db8::1]:5300',
    ],
    ['a list', { masters: ['192.0.2.1', '2001:DB8::1'] }, '192.0.2.1,2001:db8::1'],
    ['a comma list as masters', { masters: '192.0.2.1,192.0.2.2' }, '192.0.2.1,192.0.2.2'],
    [
      'an IPv6 address that seems to have a port',
      { master: '2001:db8::1:5300' },
      '2001:db8::1:5300',
    ],
    ['the same twice', { masters: ['192.0.2.1', ' 192.0.2.1 '] }, '192.0.2.1'],
  ] as [string, object, string][]) {
    test(`a secondary zone gets its primaries from ${what} and has no records`, async ({
      client,
      assert,
    }) => {
      const as = caller(client, admin)
      const zone = await createZone(as, { name: zoneNamed(), type: 'slave', ...masters })
      assert.containsSubset(await dataOf(as.get(`/zones/${zone.id}`), 'zone'), {
        type: 'SLAVE',
        master: stored,
        masters: stored,
      })
      assert.deepEqual(await dataOf(as.get(`/zones/${zone.id}/records`), 'records'), [])
    })
  }

  test('primaries are ignored for zones other than secondary ones', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed(), type: 'NATIVE', master: '192.0.2.1' })
    assert.isNull(await dataOf(as.get(`/zones/${zone.id}`), 'zone.masters'))
  })

  test('account and description are stored', async ({ client, assert }) => {
    const as = caller(client, admin)
    const description = `Größe ☃ ${'x'.repeat(4_000)}`
    const zone = await createZone(as, { name: zoneNamed(), account: 'customer', description })
    const detail = await dataOf(as.get(`/zones/${zone.id}`), 'zone')
    assert.equal(detail.description, description)
    assert.equal(detail.account, 'customer')
  })

  test('a description has at most 4096 characters', async ({ client }) => {
    const as = caller(client, admin)
    const description = 'x'.repeat(4097)
    await expectStatus(as.post('/zones', { name: zoneNamed(), description }), 400)
  })

  test('no text causes a 500', async ({ client, assert }) => {
    const as = caller(client, admin)
    for (const text of ['a\u0000b', '\ud800', 'Ωmega', '\u{1f600}', "'); drop table", '\\', '%']) {
      const input = { name: zoneNamed(), account: text, description: text }
      const created = await as.post('/zones', input)
      assert.include([201, 400], created.status(), `create ${JSON.stringify(text)}`)
      const zone = await createZone(as, { name: zoneNamed() })
      const changed = await as.put(`/zones/${zone.id}`, { account: text, description: text })
      assert.include([200, 400], changed.status(), `update ${JSON.stringify(text)}`)
    }
  })

  for (const [given, stored] of [
    ['UPPER.{name}', 'upper.{name}'],
    ['dotted.{name}.', 'dotted.{name}'],
    ['bücher.{name}', 'xn--bcher-kva.{name}'],
    ['xn--bcher-kva.{name}', 'xn--bcher-kva.{name}'],
    ['_tcp.{name}', '_tcp.{name}'],
  ]) {
    test(`the name ${given} is stored as ${stored}`, async ({ client, assert }) => {
      const as = caller(client, admin)
      const base = zoneNamed()
      const zone = await createZone(as, { name: given.replace('{name}', base) })
      const detail = await dataOf(as.get(`/zones/${zone.id}`), 'zone')
      assert.equal(detail.name, stored.replace('{name}', base))
      const secondResponse = await as.post('/zones', { name: stored.replace('{name}', base) })
      secondResponse.assertStatus(409)
    })
  }

  test('a name of one label is accepted', async ({ client }) => {
    await createZone(caller(client, admin), { name: unique('label') })
  })

  for (const [given, stored] of [
    ['DEFAULT', ['DEFAULT']],
    ['INCREASE', ['INCREASE']],
    ['EPOCH', ['EPOCH']],
    ['SOA-EDIT', ['SOA-EDIT']],
    ['SOA-EDIT-INCREASE', ['SOA-EDIT-INCREASE']],
    ['OFF', []],
    ['', []],
  ] as [string, string[]][]) {
    test(`serial policy '${given}' is stored as ${JSON.stringify(stored)}`, async ({
      client,
      assert,
    }) => {
      const zone = await createZone(caller(client, admin), {
        name: zoneNamed(),
        soa_edit_api: given,
      })
      assert.deepEqual(await policyOf(zone.id), stored)
    })
  }

  test('a serial policy never applies to a secondary zone', async ({ client, assert }) => {
    const zone = await createZone(caller(client, admin), {
      name: zoneNamed(),
      type: 'SLAVE',
      master: '192.0.2.1',
      soa_edit_api: 'EPOCH',
    })
    assert.deepEqual(await policyOf(zone.id), [])
  })

  for (const template of ['none', '', null]) {
    test(`template ${JSON.stringify(template)} means no template`, async ({ client }) => {
      await createZone(caller(client, admin), { name: zoneNamed(), template })
    })
  }

  for (const [what, status, body] of REFUSED) {
    test(`${what} gets ${status} and creates nothing`, async ({ client, assert }) => {
      const before = await rowCounts()
      const input = body.name === '{name}' ? { ...body, name: zoneNamed() } : body
      const response = await caller(client, admin).post('/zones', input)
      response.assertStatus(status)
      assert.notMatch(response.body().message, /\{\{|undefined|\[object/)
      assert.deepEqual(await rowCounts(), before)
    })
  }

  test('a taken name gets 409 in any spelling', async ({ client }) => {
    const as = caller(client, admin)
    const { name } = await createZone(as, { name: zoneNamed() })
    for (const spelling of [name, name.toUpperCase(), `${name}.`]) {
      const response = await as.post('/zones', { name: spelling })
      response.assertStatus(409)
      response.assertBodyContains({ success: false, message: 'Domain already exists' })
    }
  })

  test('a name with records in another zone gets 409 unless they delegate it', async ({
    client,
  }) => {
    const as = caller(client, admin)
    const parent = await createZone(as, { name: zoneNamed() })
    await createRecord(as, parent, { name: 'held', type: 'A', content: '192.0.2.1' })
    await createRecord(as, parent, { name: 'delegated', type: 'NS', content: 'ns1.example.net' })
    await expectStatus(as.post('/zones', { name: `held.${parent.name}` }), 409)
    await expectStatus(as.post('/zones', { name: `delegated.${parent.name}` }), 201)
  })

  test('of two concurrent requests for a name one succeeds', async ({ client, assert }) => {
    const as = caller(client, admin)
    const name = zoneNamed()
    const answers = await Promise.all([1, 2, 3, 4].map(() => as.post('/zones', { name })))
    const statuses = answers.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [201, 409, 409, 409])
  })

  test('the journal has the creator', async ({ client, assert }) => {
    const manager = await person({ template: 'Zone Manager' })
    const zone = await createZone(caller(client, manager), { name: zoneNamed(), account: 'x' })
    const [entry, ...more] = await journalOf(zone.id)
    assert.lengthOf(more, 0)
    assert.containsSubset(entry, { entry: 1, user_id: manager.id, zone_before: null })
    assert.containsSubset(entry.zone_after, {
      name: zone.name,
      kind: 'MASTER',
      account: 'x',
      owners: { users: [manager.id], groups: [] },
    })
    assert.deepEqual(
      entry.changes.map((change) => [change.name, change.type, change.before]),
      [[zone.name, 'SOA', null]]
    )
  })
})
