// @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  caller,
  type Caller,
  expectStatus,
  createRecord,
  createZone,
  dataOf,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

interface Sent {
  name: string
  type: string
  content: string
  priority?: number
  disabled?: boolean
}

const A: Sent = { name: 'www', type: 'A', content: '192.0.2.1' }
const ALIAS: Sent = { name: 'alias', type: 'CNAME', content: 'www.example.net' }
const SRV: Sent = { name: '_sip._tcp', type: 'SRV', content: '1 5060 alias.{zone}' }
const DNAME: Sent = { name: 'moved', type: 'DNAME', content: 'example.net' }
const CUT: Sent = { name: 'sub', type: 'NS', content: 'ns1.example.net' }
const DS: Sent = { name: 'sub', type: 'DS', content: `1 13 2 ${'ab'.repeat(32)}` }

/** Conflicting records: an existing record, then a refused one. `{zone}` is the zone. */
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
  ['an SRV to an alias', 400, ALIAS, SRV],
  ['an alias that an SRV points to', 400, SRV, ALIAS],
  ['a record below a DNAME', 400, DNAME, { ...A, name: 'a.b.moved' }],
  ['a DNAME above a record', 400, { ...A, name: 'a.b.moved' }, DNAME],
  ['a DNAME above all records of a zone', 400, A, { ...DNAME, name: '@' }],
  ['a second DNAME', 400, DNAME, { ...DNAME, content: 'example.com' }],
  ['a DNAME at a delegation', 400, CUT, { ...DNAME, name: 'sub' }],
  ['a DNAME at an alias', 400, ALIAS, { ...DNAME, name: 'alias' }],
  ['a DS at the apex', 400, null, { ...DS, name: '@' }],
  [
    'a CDS that takes the DS away beside another',
    400,
    { ...DS, name: '@', type: 'CDS' },
    { name: '@', type: 'CDS', content: '0 0 0 00' },
  ],
  [
    'a null MX beside another',
    400,
    { name: '@', type: 'MX', content: 'mail.{zone}', priority: 1 },
    { name: '@', type: 'MX', content: '.' },
  ],
]

/** Pairs of records that are no conflict. */
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
  ['a PTR to an alias', ALIAS, { name: '1', type: 'PTR', content: 'alias.{zone}' }],
  ['an alias to an alias', ALIAS, { ...ALIAS, name: 'b', content: 'alias.{zone}' }],
  ['a record beside a DNAME', DNAME, { ...A, name: 'moved' }],
  ['a delegation and its DS', CUT, DS],
  ['a DS before its delegation', DS, CUT],
  ['a record below a delegation', CUT, { ...A, name: 'a.b.sub' }],
  ['a delegation above a record', { ...A, name: 'a.b.sub' }, CUT],
  ['an MX before its host', { name: '@', type: 'MX', content: 'www.{zone}', priority: 1 }, A],
  [
    'two SPF policies',
    { name: '@', type: 'TXT', content: 'v=spf1 -all' },
    { name: '@', type: 'TXT', content: 'v=spf1 mx -all' },
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
    zone = await createZone(as, { name: zoneNamed() })
  })

  for (const [what, status, there, refused] of CONFLICTS) {
    test(`${what} gets ${status} for creation and update`, async ({ assert }) => {
      if (there) {
        await createRecord(as, zone, { ...fill(there, zone.name) })
      }
      const other = await createRecord(as, zone, { name: 'other', type: 'TXT', content: 'other' })
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
    test(`${what} may coexist`, async () => {
      await createRecord(as, zone, { ...fill(first, zone.name) })
      await createRecord(as, zone, { ...fill(second, zone.name) })
    })
  }

  test('records of other zones cause no conflict', async () => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { ...A })
    await createRecord(as, otherZone, { ...A })
    await createRecord(as, zone, { ...ALIAS })
    await createRecord(as, otherZone, { name: '@', type: 'MX', content: 'mail.example.net' })
  })

  test('a target that is an alias in another zone is accepted', async () => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, otherZone, { ...ALIAS })
    const content = `alias.${otherZone.name}`
    await createRecord(as, zone, { name: '@', type: 'MX', content, priority: 1 })
    await createRecord(as, zone, { name: 'sub', type: 'NS', content })
    await createRecord(as, zone, { name: '_sip._tcp', type: 'SRV', content: `1 5060 ${content}` })
    await createRecord(as, zone, { name: 'to', type: 'MX', content: `later.${otherZone.name}` })
    await createRecord(as, otherZone, { ...ALIAS, name: 'later' })
  })

  test('a rule broken by another tool does not prevent unrelated writes', async () => {
    const wrong = [
      { name: `alias.${zone.name}`, type: 'CNAME', content: 'www.example.net' },
      { name: `alias.${zone.name}`, type: 'A', content: '192.0.2.1' },
      { name: `mail.${zone.name}`, type: 'MX', content: `alias.${zone.name}`, prio: 1 },
      { name: `mail.${zone.name}`, type: 'MX', content: 'mx.example.net', prio: 2 },
      { name: `moved.${zone.name}`, type: 'DNAME', content: 'example.net' },
      { name: `a.moved.${zone.name}`, type: 'A', content: '192.0.2.1' },
    ]
    for (const row of wrong) {
      const values = { prio: 0, ttl: 60, disabled: false, auth: true, ...row }
      await db.table('records').insert({ domain_id: zone.id, ...values })
    }
    await createRecord(as, zone, { ...A })
    await createRecord(as, zone, { name: 'mail', type: 'MX', content: 'mx2.example.net', ttl: 60 })
    await createRecord(as, zone, { name: 'alias', type: 'TXT', content: 'x' })
    await createRecord(as, zone, { ...A, name: 'a.moved', content: '192.0.2.2', ttl: 60 })
    const records = await dataOf(as.get(`/zones/${zone.id}/records`), 'records')
    const path = (type: string, content: string) => {
      const { id } = records.find((it: Sent) => it.type === type && it.content === content)
      return `/zones/${zone.id}/records/${id}`
    }
    await expectStatus(as.put(path('MX', 'mx.example.net'), { priority: 3 }), 200)
    await expectStatus(as.put(path('DNAME', 'example.net'), { disabled: true }), 200)
    await expectStatus(as.delete(path('CNAME', 'www.example.net')), 204)
  }).tags(['@sql'])

  test('the TTL of a written record becomes the TTL of its RRset', async ({ assert }) => {
    const first = await createRecord(as, zone, { ...A, ttl: 300 })
    await createRecord(as, zone, { ...A, content: '192.0.2.2', ttl: 60 })
    const record = await dataOf(as.get(`/zones/${zone.id}/records/${first.id}`), 'record')
    assert.equal(record.ttl, 60)
  })

  test('the SOA record cannot be deleted, disabled or moved', async ({ assert }) => {
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

  test('delegation and glue records are returned as not authoritative', async ({ assert }) => {
    const ns = await createRecord(as, zone, {
      name: 'sub',
      type: 'NS',
      content: `ns1.sub.${zone.name}`,
    })
    const glue = await createRecord(as, zone, { ...A, name: 'ns1.sub' })
    assert.isFalse(ns.auth)
    assert.isFalse(glue.auth)
    await expectStatus(as.delete(`/zones/${zone.id}/records/${ns.id}`), 204)
    const path = `/zones/${zone.id}/records/${glue.id}`
    assert.isTrue(await dataOf(as.get(path), 'record.auth'))
  })
})
