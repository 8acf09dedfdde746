// @databases
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import { dialectOf } from '#database/dialects/dialect_of'
import { nameServerDatabase } from '#tests/support/app/backend'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

type Zone = { id: number; name: string }
type Row = {
  name: string
  type: string
  content: string
  ttl?: number
  prio?: number
  disabled?: boolean
}

const NAMES = [
  'a;b',
  'a(b',
  'a)b',
  'a"b',
  'a"b c"d',
  ';disabled',
  '$c-record6',
  '$origin',
  '@',
  '*a',
  'sub.*',
  'my\\032printer',
  'UPPER',
  'mIxed.Case',
  'IN',
  'in',
  'TTL',
  'A',
  'TYPE65',
  '300',
]
const ODD_NAMES = [
  'a\\.b',
  'a\\\\b',
  'a b',
  'a\\255',
  '-a-',
  "it's",
  'a=b',
  'a,b',
  'x'.repeat(64),
  'x'.repeat(70),
  'x..y',
  '.x',
  'a\tb',
  'a\nb',
  'a\\999',
  'Ä',
  'ä',
  '',
]
const ROWS: Omit<Row, 'name'>[] = [
  { type: 'A', content: '192.0.2.1' },
  { type: 'TXT', content: '"=1+1"' },
  { type: 'FOO', content: '=cmd|x!A0' },
  { type: 'A', content: '192.0.2.999' },
  { type: 'TXT', content: '"unclosed' },
  { type: 'TXT', content: '"a;b" "c"' },
  { type: 'CNAME', content: 'a;b.example.net' },
  { type: 'DS', content: '0 300 99 zz' },
  { type: 'FOO', content: 'bar ; ( " baz' },
  { type: 'AAAA', content: 'x'.repeat(3000) },
  { type: 'A', content: '192.0.2.7', prio: 10 },
  { type: 'A', content: '192.0.2.8', ttl: -5 },
  { type: 'A', content: '192.0.2.9', ttl: 2_147_483_648 },
  { type: 'MX', content: 'Mail.Example.COM', prio: 99_999 },
  { type: 'NS', content: 'NS1.Example.COM.' },
  { type: 'SRV', content: '0 5060 Sip.Example.COM', prio: -1 },
  { type: 'NAPTR', content: '1 2 "U" "E2U+sip" "!^.*$!SIP:a@B!" .' },
  { type: 'a', content: '192.0.2.10' },
  { type: 'MX', content: '', prio: 10 },
]

test.group('Zones with rows of other tools', (group) => {
  let as: Caller
  let zone: Zone
  group.each.timeout(120_000)
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
  })

  /** Stores rows as another tool does. `name` is relative. */
  async function store(rows: Row[]): Promise<void> {
    for (const { name, type, content, ttl = 300, prio = 0, disabled = false } of rows) {
      const owner = name === '' ? zone.name : `${name}.${zone.name}`
      // The columns of PostgreSQL and MariaDB have 32 bits.
      const seconds = dialectOf(db.connection()).isEmbedded ? ttl : Math.min(ttl, 2_147_483_647)
      const row = { domain_id: zone.id, name: owner, type, content, ttl: seconds, prio, disabled }
      await nameServerDatabase()
        .table('records')
        .insert({ ...row, auth: true })
    }
  }

  async function exported(format: 'text' | 'csv' = 'text'): Promise<string> {
    if (format === 'csv') {
      const response = await as.get(`/zones/${zone.id}/export?format=csv`)
      return response.text()
    }
    const response = await as.get(`/zones/${zone.id}/export`)
    return response.body().data.zone_file as string
  }

  /** Returns the planned changes of an import, or the error. */
  async function planOf(text: string, format = 'zone', mode = 'replace'): Promise<string[]> {
    const body = { zone_file: text, mode, format, dry_run: true }
    const response = await as.post(`/zones/${zone.id}/import`, body)
    if (response.status() !== 200) return [response.body().message as string]
    const [{ changes }] = response.body().data.plan.zones as { changes: Row[] }[]
    return changes.map(({ name, type }) => `${name} ${type}`)
  }

  /** Returns the planned changes of importing the zone's exports, by format and mode. */
  async function roundTrips(): Promise<Record<string, string[]>> {
    const [text, csv] = [await exported(), await exported('csv')]
    return {
      zoneReplace: await planOf(text),
      zoneMerge: await planOf(text, 'zone', 'merge'),
      csvReplace: await planOf(csv, 'csv'),
      csvMerge: await planOf(csv, 'csv', 'merge'),
    }
  }

  const NOTHING = { zoneReplace: [], zoneMerge: [], csvReplace: [], csvMerge: [] }

  test('importing an export plans no change: name {$self}')
    .with([...NAMES, ...ODD_NAMES])
    .run(async ({ assert }, name) => {
      await store([{ name, type: 'A', content: '192.0.2.1' }])
      assert.deepEqual(await roundTrips(), NOTHING)
      await store([{ name, type: 'TXT', content: '"off"', disabled: true }])
      assert.deepEqual(await roundTrips(), NOTHING)
    })

  test('importing an export plans no change: row {type} {content}')
    .with(ROWS)
    .run(async ({ assert }, row) => {
      await store([{ name: 'x', ...row }])
      assert.deepEqual(await roundTrips(), NOTHING)
      await store([{ name: 'X', ...row, content: `${row.content} `, disabled: true }])
      assert.deepEqual(await roundTrips(), NOTHING)
    })

  test('rows of one RRset in two spellings, equal or not, are one RRset: {0}')
    .with([
      ['equal', ['in', 'IN'], [{}, {}]],
      ['one disabled', ['in', 'IN'], [{}, { disabled: true }]],
      ['other TTL', ['in', 'in'], [{}, { ttl: 60, content: '"2"' }]],
      ['other TTL, one not valid', ['a', 'A'], [{ ttl: -5 }, { ttl: 60, content: '"2"' }]],
      ['one content not valid', ['x..y', 'X..y'], [{ content: 'x"' }, { content: '"2"' }]],
      ['equal, with one more', ['x', 'X', 'x'], [{}, {}, { content: '"2"' }]],
      ['equal and disabled', ['in', 'IN'], [{ disabled: true }, { disabled: true }]],
    ] as [string, string[], Partial<Row>[]][])
    .run(async ({ assert }, [, names, rows]) => {
      const all = rows.map((row, i) => ({ type: 'TXT', content: '"=1+1"', ...row, name: names[i] }))
      await store(all)
      assert.deepEqual(await roundTrips(), NOTHING)
    })

  test('importing an export plans no change: random zones', async ({ assert }) => {
    const rows = fc.array(
      fc
        .tuple(
          fc.constantFrom('x', 'X', ...NAMES, ...ODD_NAMES),
          fc.constantFrom(...ROWS),
          fc.boolean()
        )
        .map(([name, row, disabled]) => ({ name, ...row, disabled })),
      { minLength: 1, maxLength: 8 }
    )
    const law = fc.asyncProperty(rows, async (found) => {
      zone = await createZone(as, { name: zoneNamed() })
      await store(found)
      assert.deepEqual(await roundTrips(), NOTHING)
    })
    await fc.assert(law, { numRuns: 15 })
  })

  test('a record with an odd name is exported completely: {$self}')
    .with(['a;b', '$origin', 'a b', "it's", 'a=b'])
    .run(async ({ assert }, name) => {
      await store([{ name, type: 'A', content: '192.0.2.1' }])
      const list = await as.get(`/zones/${zone.id}/records?type=A`)
      const [record] = list.body().data.records as (Row & { id: number })[]
      const whole = { name: record.name, type: 'A', content: '192.0.2.2', ttl: 60 }
      const putResponse = await as.put(`/zones/${zone.id}/records/${record.id}`, whole)
      putResponse.assertStatus(200)
      const path = `/zones/${zone.id}/rrsets/${encodeURIComponent(record.name)}/A`
      const read = await as.get(path)
      read.assertStatus(200)
      const clone = await as.post(`/zones/${zone.id}/clone`, { name: zoneNamed() })
      clone.assertStatus(201)
      const otherResponse = await as.post(`/zones/${zone.id}/records`, {
        ...whole,
        name: `x${name}`,
      })
      assert.equal(otherResponse.status(), 400)
    })

  const BAD_NAMES = ['x..y', 'a\tb', 'x'.repeat(70), '.x', 'a\\999', 'a b', 'Ä']

  test('an invalid DNS name can be read, replaced, deleted and planned, but not created: {$self}')
    .with(BAD_NAMES)
    .run(async ({ assert }, name) => {
      const owner = `${name}.${zone.name}`
      const path = (type: string) => `/zones/${zone.id}/rrsets/${encodeURIComponent(owner)}/${type}`
      for (const type of ['A', 'AAAA', 'TXT']) {
        await store([
          { name, type, content: { A: '192.0.2.1', AAAA: '2001:db8::1', TXT: '"t"' }[type]! },
        ])
        const read = await as.get(path(type))
        read.assertStatus(200)
        assert.equal(read.body().data.rrset.name, name)
      }
      const set = { name: owner, type: 'A', ttl: 300, records: [{ content: '192.0.2.1' }] }
      const repeated = await as.put(`/zones/${zone.id}/rrsets`, { ...set, dry_run: true })
      repeated.assertStatus(200)
      assert.deepEqual(repeated.body().data.plan.zones[0].changes, [])
      const clear = { op: 'clear', name: owner, type: 'A' }
      const remove = {
        op: 'remove',
        name: owner,
        type: 'AAAA',
        records: [{ content: '2001:db8::1' }],
      }
      const changed = await as.post('/changes', {
        actions: [clear, remove].map((it) => ({ ...it, zone_id: zone.id })),
      })
      changed.assertStatus(201)
      const deleted = await as.delete(path('TXT'))
      deleted.assertStatus(204)
      const left = await as.get(`/zones/${zone.id}/records?type=A,AAAA,TXT`)
      assert.deepEqual(left.body().data.records, [])
      if (name === 'Ä') return
      for (const secondResponse of [
        await as.put(`/zones/${zone.id}/rrsets`, set),
        await as.post(`/zones/${zone.id}/records`, { ...set, content: '192.0.2.1' }),
        await as.post('/changes', { actions: [{ op: 'set', ...set, zone_id: zone.id }] }),
      ]) {
        secondResponse.assertStatus(400)
        assert.match(JSON.stringify(secondResponse.body()), /Field 'name'/)
      }
    })

  test('writing back a whole object is no change: {name} {type} {content}')
    .with([
      ...ROWS.map((row) => ({ name: 'x', ...row })),
      ...BAD_NAMES.slice(0, 4).map((name) => ({ name, ...ROWS[0] })),
      { name: 'x..y', type: 'MX', content: '', ttl: -5, prio: 99_999 },
      { name: 'UP', type: 'A', content: '192.0.2.999', ttl: 3_000_000_000 },
    ])
    .run(async ({ assert }, row) => {
      await store([{ ...row, prio: row.prio ?? 0 }])
      const list = await as.get(`/zones/${zone.id}/records?per_page=100`)
      const records = list.body().data.records as (Row & { id: number; priority: number })[]
      const known = ['SOA', 'NS'].includes(row.type.toUpperCase()) ? [] : ['SOA', 'NS']
      const record = records.find((it) => !known.includes(it.type) && it.name !== zone.name)!
      const { id, name, type, content, ttl, priority } = record
      const whole = { name, type, content, ttl, priority, disabled: false }
      const set = { name, type, ttl, records: [{ content, priority, disabled: false }] }
      const plans = [
        await as.put(`/zones/${zone.id}/records/${id}`, { ...whole, dry_run: true }),
        await as.post(`/zones/${zone.id}/records/bulk`, {
          operations: [{ action: 'update', id, ...whole }],
          dry_run: true,
        }),
        await as.put(`/zones/${zone.id}/rrsets`, { ...set, dry_run: true }),
        await as.post('/changes', {
          actions: [{ op: 'set', ...set, zone_id: zone.id }],
          dry_run: true,
        }),
      ]
      const changes = plans.map((plan) => plan.body().data?.plan?.zones[0].changes ?? plan.body())
      assert.deepEqual(changes, [[], [], [], []])
      const off = await as.put(`/zones/${zone.id}/records/${id}`, { ...whole, disabled: true })
      off.assertStatus(200)
      assert.equal(off.body().data.record.content, content)
    })

  test('the text of a zone with odd rows can be edited', async ({ assert }) => {
    await store([
      { name: 'a;b', type: 'A', content: '192.0.2.1' },
      { name: 'x', type: 'A', content: '192.0.2.999' },
    ])
    const text = await exported()
    assert.include(text, 'a\\;b ')
    assert.include(text, ';invalid x ')
    const changes = await planOf(`${text}new 60 A 192.0.2.3\n`)
    assert.deepEqual(changes, [`new.${zone.name} A`])
    const without = text.replace(/^;invalid .*\n/m, '')
    assert.deepEqual(await planOf(without), [`x.${zone.name} A`])
  })
})
