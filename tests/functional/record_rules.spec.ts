import { test } from '@japa/runner'
import {
  caller,
  type Caller,
  expectStatus,
  makeRecord,
  makeZone,
  dataOf,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people'
import { stateOf } from '#tests/support/app/zones'

interface Sent {
  name: string
  type: string
  content: string
  priority?: number
  disabled?: boolean
}

const A: Sent = { name: 'www', type: 'A', content: '192.0.2.1' }
const ALIAS: Sent = { name: 'alias', type: 'CNAME', content: 'www.example.net' }

/** What does not go together: first that is there, then that is refused. `{zone}` is the zone. */
const CONFLICTS: [what: string, status: number, there: Sent | null, refused: Sent][] = [
  ['the same record', 409, A, A],
  ['the same record in another spelling', 409, A, { ...A, name: 'WWW.{zone}.', type: 'a' }],
  [
    'the same address in another spelling',
    409,
    { name: 'v6', type: 'AAAA', content: '2001:db8::1' },
    { name: 'v6', type: 'AAAA', content: '2001:DB8:0::1' },
  ],
  ['the same record, disabled', 409, A, { ...A, disabled: true }],
  [
    'the same text with quotes',
    409,
    { name: 'a', type: 'TXT', content: 'x y' },
    { name: 'a', type: 'TXT', content: '"x y"' },
  ],
  ['an address at an alias', 400, ALIAS, { ...A, name: 'alias' }],
  ['an alias at an address', 400, A, { ...ALIAS, name: 'www' }],
  ['a second alias', 400, ALIAS, { ...ALIAS, content: 'other.example.net' }],
  ['an alias at the apex', 400, null, { ...ALIAS, name: '@' }],
  [
    'an MX to an alias',
    400,
    ALIAS,
    { name: '@', type: 'MX', content: 'alias.{zone}', priority: 1 },
  ],
  ['an NS to an alias', 400, ALIAS, { name: 'sub', type: 'NS', content: 'alias.{zone}' }],
  [
    'an alias that an MX points to',
    400,
    { name: '@', type: 'MX', content: 'alias.{zone}', priority: 1 },
    ALIAS,
  ],
  [
    'an alias that an NS points to',
    400,
    { name: 'sub', type: 'NS', content: 'alias.{zone}' },
    ALIAS,
  ],
  [
    'a null MX beside another',
    400,
    { name: '@', type: 'MX', content: 'mail.{zone}', priority: 1 },
    { name: '@', type: 'MX', content: '.' },
  ],
]

/** What looks like a conflict and is none. */
const FRIENDS: [what: string, first: Sent, second: Sent][] = [
  ['two addresses', A, { ...A, content: '192.0.2.2' }],
  ['two types', A, { name: 'www', type: 'TXT', content: 'x' }],
  ['an alias beside another name', ALIAS, { ...A, name: 'alias2' }],
  ['an address below an alias', ALIAS, { ...A, name: 'a.alias' }],
  [
    'the same host with two priorities',
    { name: '@', type: 'MX', content: 'mail.{zone}', priority: 1 },
    { name: '@', type: 'MX', content: 'mail.{zone}', priority: 2 },
  ],
  [
    'texts in two cases',
    { name: 'a', type: 'TXT', content: 'x' },
    { name: 'a', type: 'TXT', content: 'X' },
  ],
]

const fill = (sent: Sent, zone: string): Sent =>
  JSON.parse(JSON.stringify(sent).replaceAll('{zone}', zone)) as Sent

test.group('Rules between records', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await makeZone(as, { name: zoneNamed() })
  })

  for (const [what, status, there, refused] of CONFLICTS) {
    test(`${what} is refused with ${status} on creation and on update`, async ({ assert }) => {
      if (there) {
        await makeRecord(as, zone, { ...fill(there, zone.name) })
      }
      const other = await makeRecord(as, zone, { name: 'other', type: 'TXT', content: 'other' })
      const before = await stateOf(zone.id)
      const path = `/zones/${zone.id}/records`
      const created = await as.post(path, fill(refused, zone.name))
      assert.equal(created.status(), status, created.text())
      const updated = await as.put(`${path}/${other.id}`, fill(refused, zone.name))
      assert.equal(updated.status(), status, updated.text())
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  for (const [what, first, second] of FRIENDS) {
    test(`${what} go together`, async () => {
      await makeRecord(as, zone, { ...fill(first, zone.name) })
      await makeRecord(as, zone, { ...fill(second, zone.name) })
    })
  }

  test('records of other zones are no conflict', async () => {
    const other = await makeZone(as, { name: zoneNamed() })
    await makeRecord(as, zone, { ...A })
    await makeRecord(as, other, { ...A })
    await makeRecord(as, zone, { ...ALIAS })
    await makeRecord(as, other, { name: '@', type: 'MX', content: 'mail.example.net' })
  })

  test('the TTL of a written record becomes that of its set', async ({ assert }) => {
    const first = await makeRecord(as, zone, { ...A, ttl: 300 })
    await makeRecord(as, zone, { ...A, content: '192.0.2.2', ttl: 60 })
    const record = await dataOf(as.get(`/zones/${zone.id}/records/${first.id}`), 'record')
    assert.equal(record.ttl, 60)
  })

  test('the SOA can neither be deleted nor disabled nor moved', async ({ assert }) => {
    const [soa] = await dataOf(as.get(`/zones/${zone.id}/records?type=SOA`), 'records')
    const path = `/zones/${zone.id}/records/${soa.id}`
    const before = await stateOf(zone.id)
    for (const response of [
      await as.delete(path),
      await as.put(path, { disabled: true }),
      await as.put(path, { name: 'www' }),
      await as.put(path, { type: 'TXT', content: 'x' }),
      await as.put(path, { content: 'ns1.example.net hostmaster.example.net' }),
      await as.put(path, { content: 'ns1.example.net hostmaster.example.net -1 2 3 4 5' }),
    ]) {
      assert.equal(response.status(), 400, response.text())
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('delegation and glue are told as not authoritative', async ({ assert }) => {
    const ns = await makeRecord(as, zone, {
      name: 'sub',
      type: 'NS',
      content: `ns1.sub.${zone.name}`,
    })
    const glue = await makeRecord(as, zone, { ...A, name: 'ns1.sub' })
    assert.isFalse(ns.auth)
    assert.isFalse(glue.auth)
    await expectStatus(as.delete(`/zones/${zone.id}/records/${ns.id}`), 204)
    const path = `/zones/${zone.id}/records/${glue.id}`
    assert.isTrue(await dataOf(as.get(path), 'record.auth'))
  })
})
