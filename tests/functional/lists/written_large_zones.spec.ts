// @databases
import { setTimeout } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { MAX_MATCHES_READ_WHOLE } from '#backends/sql/lists/matching_ids'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { expectStatus } from '#tests/support/app/api'
import { statementsOf } from '#tests/support/app/database/statements'
import { ListCheck } from '#tests/support/lists/checks'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import { foldOf } from '#tests/support/lists/texts'
import { zoneLists } from '#tests/support/lists/zone_lists'
import { Random, seedOfRun } from '#tests/support/random'

/** As in properties.spec.ts. */
const SEED = seedOfRun()

test.group('Large zones during writes', (group) => {
  let records: ListUnderTest
  let sets: ListUnderTest
  let zone: number

  group.each.timeout(120_000)
  group.each.setup(() => {
    const [{ records: above }, { count }] = [MAX_SMALL_ZONE, MAX_MATCHES_READ_WHOLE]
    MAX_SMALL_ZONE.records = 10
    return () => {
      MAX_SMALL_ZONE.records = above
      MAX_MATCHES_READ_WHOLE.count = count
    }
  })

  async function fill(client: ApiClient) {
    const lists = await zoneLists(client, new Random(SEED))
    records = lists.find(({ path }) => path.endsWith('/records'))!
    sets = lists.find(({ path }) => path.endsWith('/rrsets'))!
    zone = Number(records.path.split('/')[2])
  }

  /** Builds the sort keys of the zone by requesting a page that needs them. */
  async function haveKeys() {
    await expectStatus(records.as.get(`${records.path}?sort=name&per_page=5`), 200)
    const manager = await app.container.make(BackendManager)
    while (await manager.use().listOrders!.buildNext());
  }

  const check = async (list: ListUnderTest, assert: Assert) =>
    new ListCheck(list, await list.rows(), foldOf('server'), assert)

  test('text filters match the displayed text, including quotes', async ({ client, assert }) => {
    await fill(client)
    const contents = [
      '"plain text"',
      '"say \\"hi\\" twice"',
      '"ends in \\""',
      '" led by a blank"',
      '"quoted at its end \\" "',
      '"one" "two"',
      '""',
    ]
    for (const [index, content] of contents.entries()) {
      const body = { name: `text${index}`, type: 'TXT', ttl: 60, records: [{ content }] }
      await expectStatus(records.as.put(sets.path, body), 200)
    }
    await haveKeys()
    const parts = ['"', '"plain', 'text"', '\\"', 'hi\\"', '\\""', '" "', '" led', '" "two', '""']
    for (const list of [records, sets]) {
      const now = await check(list, assert)
      for (const maximum of [MAX_MATCHES_READ_WHOLE.count, 0]) {
        MAX_MATCHES_READ_WHOLE.count = maximum
        for (const part of parts) {
          for (const sort of ['', 'name', 'ttl:desc']) {
            await now.answersAsSpecified({ content: part, sort, per_page: '3' })
            await now.answersAsSpecified({ q: part, sort, per_page: '3', page: '2' })
          }
        }
      }
    }
  })

  test('pages use the sort keys while the product writes', async ({ client, assert }) => {
    await fill(client)
    await haveKeys()
    const row = () => db.from('zw_zone_snapshots').where('zone_id', zone).firstOrFail()
    const before = await row()
    let isOver = false
    const writeUntilStopped = async () => {
      for (let at = 0; !isOver; at++) {
        const one = { name: `busy${at % 7}`, type: 'TXT', content: `"${at}"`, ttl: 60 }
        const body = { ...one, records: [{ content: one.content }] }
        await expectStatus(records.as.put(sets.path, body), 200)
        await setTimeout(20)
      }
    }
    const writers = [writeUntilStopped(), writeUntilStopped()]
    const statements = await statementsOf(async () => {
      for (let round = 0; round < 12; round++) {
        for (const { path } of [records, sets]) {
          for (const sort of ['name', 'type,name', 'ttl:desc']) {
            await expectStatus(records.as.get(`${path}?sort=${sort}&per_page=50`), 200)
          }
        }
      }
    })
    isOver = true
    await Promise.all(writers)
    const passes = statements.filter((sql) => /from .records.*order by .type. asc/.test(sql))
    // A reader that is interrupted repeatedly reads the zone in the end.
    assert.isAtMost(passes.length, 10)
    const after = await row()
    assert.equal(after.keyed_to, before.keyed_to)
  })
})
