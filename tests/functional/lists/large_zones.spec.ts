// @databases
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import fc from 'fast-check'
import { BackendManager } from '#backends/manager'
import { MAX_FIRST_RECORDS } from '#backends/sql/lists/first_page'
import { MAX_MATCHES_READ_WHOLE } from '#backends/sql/lists/matching_ids'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { MAX_ROWS_IN_MEMORY } from '#lists/memory/sorted_stream'
import { MAX_VALUES_READ_SINGLY } from '#lists/sql/keyset_query'
import { dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { statementsOf } from '#tests/support/app/database/statements'
import { ListCheck } from '#tests/support/lists/checks'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import { queriesOf } from '#tests/support/lists/queries'
import { foldOf } from '#tests/support/lists/texts'
import { zoneLists } from '#tests/support/lists/zone_lists'
import { SET_SORTS, SORTS } from '#tests/support/lists/queries'
import { Random, seedOfRun } from '#tests/support/random'

const SEED = seedOfRun()
const RUNS = Number(process.env.LIST_RUNS ?? 40)

/** Builds all queued sort keys. */
async function feed(): Promise<void> {
  const manager = await app.container.make(BackendManager)
  while (await manager.use().listOrders!.buildNext());
}

test.group('Lists of large zones', (group) => {
  let records: ListUnderTest
  let sets: ListUnderTest
  let zone: number

  group.each.timeout(300_000)
  group.each.setup(() => {
    const [{ records: above }, { count: maximum }, { count: values }] = [
      MAX_SMALL_ZONE,
      MAX_MATCHES_READ_WHOLE,
      MAX_VALUES_READ_SINGLY,
    ]
    const [{ count: held }, { count: looked }] = [MAX_ROWS_IN_MEMORY, MAX_FIRST_RECORDS]
    MAX_SMALL_ZONE.records = 10
    return () => {
      MAX_SMALL_ZONE.records = above
      MAX_VALUES_READ_SINGLY.count = values
      MAX_MATCHES_READ_WHOLE.count = maximum
      MAX_FIRST_RECORDS.count = looked
      MAX_ROWS_IN_MEMORY.count = held
    }
  })

  async function fill(client: ApiClient, random: Random) {
    const lists = await zoneLists(client, random)
    records = lists.find(({ path }) => path.endsWith('/records'))!
    zone = Number(records.path.split('/')[2])
    sets = lists.find(({ path }) => path.endsWith('/rrsets'))!
    return [records, sets]
  }

  /** Builds the sort keys of the zone by requesting a page that needs them. */
  async function haveKeys() {
    await expectStatus(records.as.get(`${records.path}?sort=name&per_page=5`), 200)
    await feed()
  }

  const check = async (list: ListUnderTest, assert: Assert) =>
    new ListCheck(list, await list.rows(), foldOf('server'), assert)

  async function answersAllOrders(assert: Assert, sorts = SORTS, list = records) {
    const now = await check(list, assert)
    for (const sort of sorts) {
      const pages = Math.ceil(now.rows.length / 15)
      for (let page = 1; page <= pages; page++) {
        await now.answersAsSpecified({ sort, per_page: '15', page: String(page) })
      }
      await now.answersAsSpecified({ sort })
    }
  }

  const answersAllSetOrders = (assert: Assert, sorts = SET_SORTS) =>
    answersAllOrders(assert, sorts, sets)

  for (const [maximum, looked] of [
    [MAX_MATCHES_READ_WHOLE.count, MAX_FIRST_RECORDS.count],
    [2, 7],
    [0, 0],
  ]) {
    test(`lists match the specification, with ${maximum} matches in memory and ${looked} records scanned first (ZW_SEED=${SEED})`, async ({
      client,
      assert,
    }) => {
      MAX_MATCHES_READ_WHOLE.count = maximum
      MAX_FIRST_RECORDS.count = looked
      for (const list of await fill(client, new Random(SEED))) {
        await haveKeys()
        await answersAsSpecified(list, assert)
      }
    })
  }

  test('first pages of common matches are in order before the scan is complete', async ({
    client,
    assert,
  }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    const now = await check(records, assert)
    const texts: Record<string, string>[] = [{ q: 'e' }, { content: '1' }, { name: 'h' }]
    for (const filters of texts) {
      for (const sort of SORTS) {
        for (const page of ['1', '2']) {
          await now.answersAsSpecified({ ...filters, sort, per_page: '4', page })
        }
      }
    }
  })

  test('complete lists that are sorted in parts have the orders of the specification', async ({
    client,
    assert,
  }) => {
    await fill(client, new Random(SEED))
    MAX_ROWS_IN_MEMORY.count = 10
    for (const list of [records, sets]) {
      const now = await check(list, assert)
      for (const sort of list === records ? SORTS : SET_SORTS) {
        await now.answersAsSpecified({ sort })
        await now.answersAsSpecified({ sort, q: 'host', content: '1' })
      }
    }
  })

  test('an RRset may have a record that matches `content` and another that matches `q`', async ({
    client,
    assert,
  }) => {
    await fill(client, new Random(SEED))
    for (const [name, type, ...contents] of [
      ['mixed', 'A', '203.0.113.1', '203.0.114.1'],
      ['both', 'A', '203.0.113.2'],
      ['x.203.0.114', 'A', '203.0.113.3'],
      ['mixed', 'TXT', '"203.0.114.9"'],
    ]) {
      const body = { name, type, ttl: 60, records: contents.map((content) => ({ content })) }
      await expectStatus(records.as.put(sets.path, body), 200)
    }
    await haveKeys()
    const now = await check(sets, assert)
    const queries: Record<string, string>[] = [
      { content: '203.0.113.', q: '203.0.114' },
      { content: '203.0.114', q: '203.0.113.' },
      { content: '0.113.2', q: 'both' },
      { content: '203.0.113.', q: '203.0.114', name: 'mixed', type: 'A' },
      { content: '203.0.114.9', q: '203.0.113.' },
    ]
    for (const maximum of [MAX_MATCHES_READ_WHOLE.count, 0]) {
      MAX_MATCHES_READ_WHOLE.count = maximum
      for (const query of queries) {
        for (const sort of ['', 'name', 'ttl:desc']) {
          await now.answersAsSpecified({ ...query, sort, per_page: '2' })
          await now.walksWhole({ ...query, sort }, 1)
        }
      }
    }
  })

  async function answersAsSpecified(list: ListUnderTest, assert: Assert) {
    const now = await check(list, assert)
    const queries = queriesOf(list, now.rows)
    await fc.assert(
      fc.asyncProperty(queries, (query) => now.answersAsSpecified(query)),
      { numRuns: RUNS, seed: SEED }
    )
    const walk = fc.tuple(queries, fc.constantFrom(1, 2, 5, 17))
    await fc.assert(
      fc.asyncProperty(walk, ([query, size]) => now.walksWhole(query, size)),
      { numRuns: Math.ceil(RUNS / 6), seed: SEED }
    )
  }

  test(`lists follow writes of the product (ZW_SEED=${SEED})`, async ({ client, assert }) => {
    const random = new Random(SEED)
    await fill(client, random)
    await haveKeys()
    await answersAllOrders(assert)
    await answersAllSetOrders(assert)
    for (let round = 0; round < 12; round++) {
      await write(records.as, random)
      const sorts = Array.from({ length: 4 }, () => random.pick(SORTS))
      await answersAllOrders(assert, sorts)
      await answersAllSetOrders(assert, [random.pick(SET_SORTS), random.pick(SET_SORTS)])
      if (round === 6) await feed()
    }
  })

  test('columns with many values are sorted by the database in few statements', async ({
    client,
    assert,
  }) => {
    await fill(client, new Random(SEED))
    const some = await db
      .from('records')
      .where({ domain_id: zone })
      .where('type', 'A')
      .firstOrFail()
    const rows = Array.from({ length: 700 }, (_, index) => ({
      domain_id: zone,
      name: some.name,
      type: 'A',
      content: `192.0.2.${index % 250}`,
      ttl: 10_000 + index,
      prio: 0,
      disabled: false,
      auth: true,
    }))
    for (let at = 0; at < rows.length; at += 100) {
      await db.table('records').multiInsert(rows.slice(at, at + 100))
    }
    await db.from('zw_zone_snapshots').where('zone_id', zone).update({ keyed_to: 0 })
    await haveKeys()
    for (const page of [4, 12]) {
      const path = `${records.path}?sort=ttl&per_page=50&page=${page}`
      const statements = await statementsOf(() => records.as.get(path))
      assert.isBelow(statements.length, 300, `page ${page}`)
    }
  })

  test('columns with many values have the same orders as others', async ({ client, assert }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    MAX_VALUES_READ_SINGLY.count = 2
    await answersAllOrders(assert)
    await answersAllSetOrders(assert)
    await usesKeys(assert)
  })

  async function write(as: Caller, random: Random) {
    const rows = await records.rows()
    const ids = rows.map(({ id }) => Number(id))
    const name = `${random.pick(['host2', 'host10', 'new1', 'new09'])}`
    const address = `192.0.2.${200 + random.below(50)}`
    const one = { name, type: 'A', content: address, ttl: 60 }
    const work = random.pick(['create', 'update', 'delete', 'bulk', 'set'])
    const { path } = records
    // An existing record, or one that belongs to the name server, is refused and nothing changes.
    if (work === 'create') await as.post(path, one)
    else if (work === 'update') await as.put(`${path}/${random.pick(ids)}`, { ttl: 30 })
    else if (work === 'delete') await as.delete(`${path}/${random.pick(ids)}`)
    else if (work === 'set') {
      const set = { name, type: 'TXT', ttl: 90, records: [{ content: `"${address}"` }] }
      await as.put(`/zones/${zone}/rrsets`, set)
    } else {
      const operations = [
        { action: 'create', ...one },
        { action: 'create', ...one, name: 'b9' },
      ]
      await as.post(`${path}/bulk`, { operations })
    }
  }

  test('lists follow other tools that change the serial at once', async ({ client, assert }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    await answersAllOrders(assert, ['name'])
    const row = { domain_id: zone, type: 'A', content: '203.0.113.9', ttl: 5, prio: 0 }
    const apex: { name: string } = await db.from('domains').where('id', zone).firstOrFail()
    const insert = { ...row, name: `aaa.${apex.name}`, disabled: false, auth: true }
    await db.table('records').insert(insert)
    await db
      .from('records')
      .where({ domain_id: zone, type: 'SOA' })
      .update({
        content: `ns1.${apex.name} hostmaster.${apex.name} 2099010101 10800 3600 604800 60`,
      })
    await answersAllOrders(assert)
    await feed()
    await answersAllOrders(assert)
    await usesKeys(assert)
  })

  test('rows changed silently by other tools never appear at a wrong position', async ({
    client,
    assert,
  }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    const first = await db.from('records').where({ domain_id: zone, type: 'A' }).firstOrFail()
    await db.from('records').where('id', first.id).update({ ttl: 1, content: '9.9.9.9' })
    await answersAllOrders(assert, ['name', 'content', 'ttl'])
    await feed()
    await answersAllOrders(assert)
    await db.from('records').where('id', first.id).delete()
    for (const sort of SORTS) {
      const page = records.as.get(`${records.path}?sort=${sort}&per_page=100&page=1`)
      const found: { id: number }[] = await dataOf(page, 'records')
      assert.notInclude(
        found.map(({ id }) => id),
        Number(first.id)
      )
    }
  })

  test('silent changes are found by a scan of all sort keys', async ({ client, assert }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    const manager = await app.container.make(BackendManager)
    const { listOrders } = manager.use()
    const first = await db.from('records').where({ domain_id: zone, type: 'A' }).firstOrFail()
    await db.from('records').where('id', first.id).update({ ttl: 1 })
    const keyedTo = async () => {
      const row = await db.from('zw_zone_snapshots').where('zone_id', zone).firstOrFail()
      return Number(row.keyed_to)
    }
    const before = await keyedTo()
    for (let i = 0; i < 500 && (await keyedTo()) === before; i++) await listOrders!.verifyNext()
    assert.equal(await keyedTo(), 0)
    await feed()
    assert.equal(await keyedTo(), before)
    await answersAllOrders(assert)
  })

  test('a renamed or deleted zone keeps no sort keys', async ({ client, assert }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    const keys = async () => {
      const [row] = await db.from('zw_record_keys').where('zone_id', zone).count('* as total')
      return Number(row.total)
    }
    assert.isAbove(await keys(), 20)
    const { as } = records
    const { name } = await db.from('domains').where('id', zone).firstOrFail()
    await expectStatus(as.put(`/zones/${zone}`, { name: `renamed-${name}` }), 200)
    await answersAllOrders(assert, ['name', 'content', 'ttl,name'])
    await feed()
    await answersAllOrders(assert)
    await usesKeys(assert)
    await expectStatus(as.delete(`/zones/${zone}`), 204)
    assert.equal(await keys(), 0)
  })

  test('RRsets with several TTLs, and moved or deleted records, keep their order', async ({
    client,
    assert,
  }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    const { as, path } = records
    const apex: { name: string } = await db.from('domains').where('id', zone).firstOrFail()
    const add = async (content: string) => {
      const body = { name: 'several', type: 'A', content, ttl: 7 }
      const record: { id: number } = await dataOf(as.post(path, body), 'record')
      return Number(record.id)
    }
    const [first, second, third] = [
      await add('192.0.2.1'),
      await add('192.0.2.2'),
      await add('192.0.2.3'),
    ]
    // Another tool may write different TTLs in an RRset. The lowest one is the TTL of the RRset.
    await db.from('records').where('id', third).update({ ttl: 2 })
    await db.from('zw_zone_snapshots').where('zone_id', zone).update({ keyed_to: 0 })
    await feed()
    const stored = async () => {
      const rows: { record_id: number; set_ttl: number | null }[] = await db
        .from('zw_record_keys')
        .where('zone_id', zone)
        .whereIn('record_id', [first, second, third])
        .orderBy('record_id')
      return rows.map((row) => row.set_ttl)
    }
    assert.deepEqual(await stored(), [2, null, null])
    await answersAllSetOrders(assert)
    await expectStatus(as.put(`${path}/${first}`, { name: 'moved' }), 200)
    const lead = await stored()
    assert.lengthOf(
      lead.filter((ttl) => ttl !== null),
      2
    )
    await answersAllSetOrders(assert)
    await expectStatus(as.delete(`${path}/${second}`), 204)
    await answersAllSetOrders(assert)
    const snapshots = db.from('zw_zone_snapshots').where('zone_id', zone)
    const [{ sets: kept }] = await snapshots.select('sets')
    const rows = await db
      .from('records')
      .where('domain_id', zone)
      .whereNotNull('type')
      .groupBy('type', 'name')
      .select('type', 'name')
    assert.equal(Number(kept), rows.length, apex.name)
  })

  test('the number of RRsets is not counted again after a write', async ({ client, assert }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    await expectStatus(sets.as.get(`${sets.path}?per_page=5`), 200)
    const one = { name: 'counted', type: 'A', content: '192.0.2.77', ttl: 60 }
    await expectStatus(records.as.post(records.path, one), 201)
    const statements = await statementsOf(() => sets.as.get(`${sets.path}?per_page=5`))
    assert.notMatch(statements.join('\n'), /count\(\*\).*from .?records.? .*group by/i)
    const now = await check(sets, assert)
    await now.answersAsSpecified({ per_page: '5' })
  })

  /** Asserts that a page in each order of the keys does not scan the zone. */
  async function usesKeys(assert: Assert) {
    const listed = [
      ...SORTS.map((sort) => `${records.path}?sort=${sort}`),
      ...['content', 'ttl:desc', 'priority'].map((sort) => `${records.path}?type=A&sort=${sort}`),
      ...SET_SORTS.map((sort) => `${sets.path}?sort=${sort}`),
      `${sets.path}?type=A&sort=ttl`,
    ]
    for (const sort of listed) {
      const path = `${sort}&per_page=5&page=2`
      const statements = await statementsOf(() => records.as.get(path))
      assert.isTrue(
        statements.some((sql) => sql.includes('zw_record_keys')),
        sort
      )
      assert.isFalse(
        statements.some((sql) => /from .records.*order by .type. asc/.test(sql)),
        sort
      )
    }
  }
})
