// @databases @api-backend
import { test } from '@japa/runner'
import { caller, type Caller, createRecord, createZone, dataOf } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

type Fields = Record<string, unknown>

const A = { name: 'www', type: 'A', content: '192.0.2.1' }

/** Sent record and returned record. `{zone}` stands for the name of the zone. */
const TAKEN: [sent: { name: string; type: string; content: string } & Fields, told: Fields][] = [
  [A, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 86400, priority: 0, disabled: false }],
  [{ name: 'v6', type: 'AAAA', content: '2001:DB8:0:0::1' }, { content: '2001:db8::1' }],
  [{ name: 'alias', type: 'CNAME', content: 'WWW.Example.net.' }, { content: 'www.example.net' }],
  [
    { name: '@', type: 'MX', content: 'mail.{zone}', priority: 10 },
    { priority: 10, name: '@' },
  ],
  [
    { name: '@', type: 'MX', content: 'mail.{zone}.' },
    { priority: 0, content: 'mail.{zone}' },
  ],
  [
    { name: '@', type: 'MX', content: '.' },
    { priority: 0, content: '.' },
  ],
  [{ name: '@', type: 'NS', content: 'ns1.example.net' }, { content: 'ns1.example.net' }],
  [
    { name: 'sub', type: 'NS', content: 'ns1.sub.{zone}' },
    { name: 'sub', auth: false },
  ],
  [{ name: '1.2', type: 'PTR', content: 'host.example.net' }, { name: '1.2' }],
  [
    { name: '_sip._tcp', type: 'SRV', content: '5 5060 sip.{zone}', priority: 10 },
    { content: '5 5060 sip.{zone}', priority: 10 },
  ],
  [{ name: '_x._udp', type: 'SRV', content: '0 0 .' }, { content: '0 0 .' }],
  [{ name: '@', type: 'TXT', content: 'hello world' }, { content: 'hello world' }],
  [{ name: '@', type: 'TXT', content: '"v=spf1 -all"' }, { content: 'v=spf1 -all' }],
  [{ name: '@', type: 'TXT', content: '"one" "two"' }, { content: '"one" "two"' }],
  [{ name: '@', type: 'TXT', content: 'Grüße ☃ 😀' }, { content: 'Grüße ☃ 😀' }],
  [{ name: '@', type: 'TXT', content: '""' }, { content: '""' }],
  [{ name: '@', type: 'TXT', content: 'x'.repeat(1000) }, { content: 'x'.repeat(1000) }],
  [{ name: '@', type: 'CAA', content: '0 issue "ca.test"' }, { content: '0 issue "ca.test"' }],
  [{ name: 'data', type: 'A', content: '\\# 4 C0000201' }, { content: '192.0.2.1' }],
  [
    { name: '@', type: 'MX', content: '\\# 6 000A 02 6D78 00' },
    { content: 'mx', priority: 10 },
  ],
  [{ name: 'lower', type: 'a', content: '192.0.2.1' }, { type: 'A' }],
  [{ name: '*.wild', type: 'A', content: '192.0.2.1' }, { name: '*.wild' }],
  [{ name: '*', type: 'A', content: '192.0.2.1' }, { name: '*' }],
  [{ ...A, name: '@' }, { name: '@' }],
  [{ ...A, name: '{zone}' }, { name: '@' }],
  [{ ...A, name: '{zone}.' }, { name: '@' }],
  [{ ...A, name: 'full.{zone}' }, { name: 'full' }],
  [{ ...A, name: 'FULL.{zone}.' }, { name: 'full' }],
  [{ ...A, name: 'bücher' }, { name: 'xn--bcher-kva' }],
  [{ ...A, name: 'www.other.test' }, { name: 'www.other.test' }],
  [{ ...A, name: '_under_score' }, { name: '_under_score' }],
  [{ ...A, ttl: 0 }, { ttl: 0 }],
  [{ ...A, ttl: 1 }, { ttl: 1 }],
  [{ ...A, ttl: 2147483647 }, { ttl: 2147483647 }],
  [{ ...A, ttl: '300' }, { ttl: 300 }],
  [
    { ...A, ttl: null, priority: null, disabled: null },
    { ttl: 86400, disabled: false },
  ],
  [{ ...A, disabled: true }, { disabled: true }],
  [{ ...A, disabled: 1 }, { disabled: true }],
  [{ ...A, disabled: '1' }, { disabled: true }],
  [{ ...A, disabled: 'true' }, { disabled: true }],
  [{ ...A, disabled: 0 }, { disabled: false }],
  [{ ...A, disabled: 'false' }, { disabled: false }],
  [{ ...A, priority: 0 }, { priority: 0 }],
  [{ name: '@', type: 'MX', content: 'a.test', priority: '65535' }, { priority: 65535 }],
]

/** Invalid records. Each gets 400. */
const REFUSED: [what: string, sent: Fields][] = [
  ['no name', { type: 'A', content: '192.0.2.1' }],
  ['an empty name', { ...A, name: '' }],
  ['no type', { name: 'www', content: '192.0.2.1' }],
  ['an empty type', { ...A, type: '' }],
  ['no content', { name: 'www', type: 'A' }],
  ['an empty content', { ...A, content: '' }],
  ['a blank content', { name: 'www', type: 'TXT', content: '  ' }],
  ['a name that is a number', { ...A, name: 5 }],
  ['a content that is a list', { ...A, content: ['192.0.2.1'] }],
  ['an unknown type', { name: 'x', type: 'NOPE', content: 'x' }],
  ['a type with a name of the language', { name: 'x', type: 'constructor', content: 'x' }],
  ['a negative TTL', { ...A, ttl: -1 }],
  ['a negative TTL as text', { ...A, ttl: '-1' }],
  ['a fraction as TTL', { ...A, ttl: 1.5 }],
  ['a fraction as TTL in text', { ...A, ttl: '1.5' }],
  ['a TTL over the limit', { ...A, ttl: 2147483648 }],
  ['a TTL that is a word', { ...A, ttl: '1h' }],
  ['a TTL in hexadecimal', { ...A, ttl: '0x10' }],
  ['an empty TTL', { ...A, ttl: '' }],
  ['a TTL that is yes', { ...A, ttl: true }],
  ['a TTL in a list', { ...A, ttl: [300] }],
  ['a priority of a type without', { ...A, priority: 10 }],
  ['a negative priority', { name: '@', type: 'MX', content: 'a.test', priority: -1 }],
  ['a priority over the limit', { name: '@', type: 'MX', content: 'a.test', priority: 65536 }],
  ['a priority that is a fraction', { name: '@', type: 'MX', content: 'a.test', priority: 0.5 }],
  ['disabled as 2', { ...A, disabled: 2 }],
  ['disabled as a word', { ...A, disabled: 'yes' }],
  ['create_ptr as a word', { ...A, create_ptr: 'perhaps' }],
  ['a name with a blank', { ...A, name: 'a b' }],
  ['a name with an empty label', { ...A, name: 'a..b' }],
  ['a label of 64 characters', { ...A, name: 'a'.repeat(64) }],
  ['a name that gets too long', { ...A, name: `${'a.'.repeat(120)}b` }],
  ['an absolute name outside the zone', { ...A, name: 'www.example.net.' }],
  ['a name that PowerDNS does not answer for', { ...A, name: 'a;b' }],
  ['an A that is no address', { ...A, content: '999.1.1.1' }],
  ['an A that is an IPv6 address', { ...A, content: '2001:db8::1' }],
  ['an AAAA that is an IPv4 address', { name: 'v6', type: 'AAAA', content: '192.0.2.1' }],
  ['an MX with its priority inside', { name: '@', type: 'MX', content: '20 mail.test' }],
  ['a null MX with a priority', { name: '@', type: 'MX', content: '.', priority: 5 }],
  ['an MX that is an address', { name: '@', type: 'MX', content: '192.0.2.1' }],
  ['an NS that is an address', { name: '@', type: 'NS', content: '192.0.2.1' }],
  ['a CNAME to itself', { name: 'a', type: 'CNAME', content: 'a.{zone}' }],
  ['an SRV with its priority inside', { name: '_a._tcp', type: 'SRV', content: '1 2 3 a.test' }],
  ['an SRV with two fields', { name: '_a._tcp', type: 'SRV', content: '1 a.test' }],
  ['a TXT with a bare quote', { name: 'a', type: 'TXT', content: 'a "b" c' }],
  ['a TXT with an open quote', { name: 'a', type: 'TXT', content: '"a' }],
  [
    'a TXT of one long and one short string',
    { name: 'a', type: 'TXT', content: `"${'x'.repeat(256)}" "y"` },
  ],
  ['a CAA without quotes around anything', { name: '@', type: 'CAA', content: 'issue' }],
  ['a CAA with flags over 255', { name: '@', type: 'CAA', content: '256 issue "a.test"' }],
  ['a SOA below the apex', { name: 'a', type: 'SOA', content: 'a.test b.test 1 2 3 4 5' }],
  ['a second SOA', { name: '@', type: 'SOA', content: 'a.test b.test 1 2 3 4 5' }],
]

const fill = <T>(value: T, zone: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll('{zone}', zone)) as T

test.group('POST /zones/:id/records', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  test('the response has status 201 and the record with its name relative to the zone', async ({
    assert,
  }) => {
    const response = await as.post(`/zones/${zone.id}/records`, { ...A, ttl: 300 })
    response.assertStatus(201)
    const { record } = response.body().data
    assert.deepEqual(response.body(), {
      success: true,
      data: {
        record: {
          id: record.id,
          zone_id: zone.id,
          name: 'www',
          type: 'A',
          content: '192.0.2.1',
          ttl: 300,
          priority: 0,
          disabled: false,
          auth: true,
          ptr_created: false,
        },
      },
      message: 'Record created successfully',
    })
    assert.equal(Object.keys(record)[0], 'id')
    assert.isNumber(record.id)
  }).tags(['@sql'])

  test('GET of the record equals the response, and the list has the full name', async ({
    assert,
  }) => {
    const { ptr_created: isMirrored, ...record } = await createRecord(as, zone, A)
    assert.isFalse(isMirrored)
    const single = await as.get(`/zones/${zone.id}/records/${record.id}`)
    assert.deepEqual(single.body(), {
      success: true,
      data: { record },
      message: 'Record retrieved successfully',
    })
    const list = await as.get(`/zones/${zone.id}/records?type=A`)
    const { zone_id: zoneId, ...item } = record
    assert.equal(zoneId, zone.id)
    assert.deepEqual(list.body(), {
      success: true,
      data: { records: [{ ...item, name: `www.${zone.name}` }] },
      message: 'Records retrieved successfully',
    })
  })

  for (const [sent, told] of TAKEN) {
    const title = JSON.stringify(sent).slice(0, 90)
    test(`${title} is returned as ${JSON.stringify(told).slice(0, 60)}`, async ({ assert }) => {
      const record = await createRecord(as, zone, fill(sent, zone.name))
      assert.containsSubset(record, fill(told, zone.name))
      const secondResponse = await as.get(`/zones/${zone.id}/records/${record.id}`)
      assert.containsSubset(secondResponse.body().data.record, fill(told, zone.name))
    })
  }

  test('a returned content can be sent back and changes nothing', async ({ assert }) => {
    for (const [sent] of TAKEN) {
      const ownZone = await createZone(as, { name: zoneNamed() })
      const record = await createRecord(as, ownZone, fill(sent, ownZone.name))
      const before = await stateOf(ownZone.id)
      const { content, priority, name, ttl, disabled } = record
      const body = { content, priority, name, ttl, disabled }
      const response = await as.put(`/zones/${ownZone.id}/records/${record.id}`, body)
      assert.equal(response.status(), 200, response.text())
      assert.deepEqual(await stateOf(ownZone.id), before, JSON.stringify(sent))
    }
  })

  for (const [what, sent] of REFUSED) {
    test(`${what} gets 400 and changes nothing`, async ({ assert }) => {
      const before = await stateOf(zone.id)
      const response = await as.post(`/zones/${zone.id}/records`, fill(sent, zone.name))
      response.assertStatus(400)
      assert.notMatch(response.body().message, /\{\{|undefined|\[object/)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('a missing member is named', async ({ assert }) => {
    for (const field of ['name', 'type', 'content']) {
      const response = await as.post(`/zones/${zone.id}/records`, { ...A, [field]: undefined })
      assert.equal(response.body().message, `Field '${field}' is required`)
    }
  })

  test('a content of the maximum length is stored completely or refused', async ({ assert }) => {
    for (const piece of ['x', 'é', '"']) {
      for (const length of [60_000, 63_990, 65_000, 65_200, 70_000]) {
        const bytes = Buffer.byteLength(piece)
        const content = (piece === '"' ? '\\"' : piece).repeat(Math.floor(length / bytes))
        const name = unique('long')
        const response = await as.post(`/zones/${zone.id}/records`, { name, type: 'TXT', content })
        assert.include([201, 400], response.status(), `${piece} ${length}`)
        if (response.status() === 201) {
          const { id, content: told } = response.body().data.record
          assert.equal(told.length, content.length)
          const stored = await as.get(`/zones/${zone.id}/records/${id}`)
          assert.isTrue(stored.body().data.record.content === content, `${piece} ${length}`)
        }
      }
    }
  })

  test('a secondary zone refuses records', async ({ assert }) => {
    const secondary = await createZone(as, {
      name: zoneNamed(),
      type: 'SLAVE',
      master: '192.0.2.1',
    })
    for (const body of [A, {}]) {
      const response = await as.post(`/zones/${secondary.id}/records`, body)
      response.assertStatus(403)
      assert.include(response.body().message, 'read-only')
    }
    assert.deepEqual(await dataOf(as.get(`/zones/${secondary.id}/records`), 'records'), [])
  })

  test('a missing zone gets 404 for any body', async () => {
    for (const body of [A, {}]) {
      const response = await as.post('/zones/2147483647/records', body)
      response.assertStatus(404)
    }
  })
})
