import { randomInt } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import fc from 'fast-check'
import { BackendManager } from '#backends/manager'
import { LARGE_ZONE } from '#backends/sql/lists/zone_size'
import { dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { statementsOf } from '#tests/support/app/statements'
import { ListCheck } from '#tests/support/lists/checks'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import { queriesOf } from '#tests/support/lists/queries'
import { foldOf } from '#tests/support/lists/texts'
import { zoneLists } from '#tests/support/lists/zone_lists'
import { Random } from '#tests/support/random'

/** As in properties.spec.ts. */
const SEED = Number(process.env.ZW_SEED ?? randomInt(2 ** 31))
const RUNS = Number(process.env.LIST_RUNS ?? 40)

/** Orders that the sort keys have, and two that they do not. */
const SORTS = [
  ...['name', 'name:desc', 'content', 'content:desc,ttl', 'name:desc,type', 'type', 'type:desc'],
  ...['type:desc,name', 'type,name:desc', 'ttl', 'ttl:desc', 'ttl,name', 'ttl:desc,name:desc'],
  ...['priority', 'priority:desc', 'priority:desc,name', 'type,ttl:desc,content'],
]

/** Makes all sort keys that wait. */
async function feed(): Promise<void> {
  const manager = await app.container.make(BackendManager)
  while (await manager.use().listOrders!.feed());
}

test.group('Lists of large zones', (group) => {
  let records: ListUnderTest
  let zone: number

  group.each.timeout(300_000)
  group.each.setup(() => {
    const { above } = LARGE_ZONE
    LARGE_ZONE.above = 10
    return () => {
      LARGE_ZONE.above = above
    }
  })

  async function fill(client: ApiClient, random: Random) {
    const lists = await zoneLists(client, random)
    records = lists.find(({ path }) => path.endsWith('/records'))!
    zone = Number(records.path.split('/')[2])
    return [records, lists.find(({ path }) => path.endsWith('/rrsets'))!]
  }

  /** Has the sort keys of the zone made, by asking for a page that needs them. */
  async function haveKeys() {
    await expectStatus(records.as.get(`${records.path}?sort=name&per_page=5`), 200)
    await feed()
  }

  const check = async (list: ListUnderTest, assert: Assert) =>
    new ListCheck(list, await list.rows(), foldOf('server'), assert)

  async function answersAllOrders(assert: Assert, sorts = SORTS) {
    const now = await check(records, assert)
    for (const sort of sorts) {
      const pages = Math.ceil(now.rows.length / 15)
      for (let page = 1; page <= pages; page++) {
        await now.answersAsSpecified({ sort, per_page: '15', page: String(page) })
      }
      await now.answersAsSpecified({ sort })
    }
  }

  test(`are answered as the specification says (ZW_SEED=${SEED})`, async ({ client, assert }) => {
    for (const list of await fill(client, new Random(SEED))) {
      await haveKeys()
      const now = await check(list, assert)
      // Contents of large zones are looked into as they are stored: with quotes.
      const queries = queriesOf(list, now.rows).filter(
        ({ q, content }) => !`${q}${content}`.includes('"')
      )
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
  })

  test(`follow what is written through the product (ZW_SEED=${SEED})`, async ({
    client,
    assert,
  }) => {
    const random = new Random(SEED)
    await fill(client, random)
    await haveKeys()
    await answersAllOrders(assert)
    for (let round = 0; round < 12; round++) {
      await write(records.as, random)
      const sorts = Array.from({ length: 4 }, () => random.pick(SORTS))
      await answersAllOrders(assert, sorts)
      if (round === 6) await feed()
    }
  })

  async function write(as: Caller, random: Random) {
    const rows = await records.rows()
    const ids = rows.map(({ id }) => Number(id))
    const name = `${random.pick(['host2', 'host10', 'new1', 'new09'])}`
    const address = `192.0.2.${200 + random.below(50)}`
    const one = { name, type: 'A', content: address, ttl: 60 }
    const work = random.pick(['create', 'update', 'delete', 'bulk', 'set'])
    const { path } = records
    // One that is there already, or belongs to the name server, is refused; that is no change.
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

  test('follow other tools that change the serial at once', async ({ client, assert }) => {
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

  test('show no row elsewhere than it belongs when others change it silently', async ({
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

  test('are found by looks at all keys where nothing else tells', async ({ client, assert }) => {
    await fill(client, new Random(SEED))
    await haveKeys()
    const manager = await app.container.make(BackendManager)
    const { listOrders } = manager.use()
    const first = await db.from('records').where({ domain_id: zone, type: 'A' }).firstOrFail()
    await db.from('records').where('id', first.id).update({ ttl: 1 })
    const keyedTo = async () => {
      const row = await db.from('zw_seen_zones').where('zone_id', zone).firstOrFail()
      return Number(row.keyed_to)
    }
    const before = await keyedTo()
    for (let i = 0; i < 500 && (await keyedTo()) === before; i++) await listOrders!.look()
    assert.equal(await keyedTo(), 0)
    await feed()
    assert.equal(await keyedTo(), before)
    await answersAllOrders(assert)
  })

  test('a zone of another name, and one that is gone, keep no keys', async ({ client, assert }) => {
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

  /** Wants a page in each order of the keys without a pass over the zone. */
  async function usesKeys(assert: Assert) {
    for (const sort of SORTS.filter((one) => !/^priority:desc,|^type,ttl/.test(one))) {
      const path = `${records.path}?sort=${sort}&per_page=5&page=2`
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
