// @databases
import { test } from '@japa/runner'
import env from '#support/env'
import { PAGES, type Page } from '#tests/support/faults/grown_pages'
import { WRITES } from '#tests/support/faults/grown_writes'
import { SizedServer, type Answer } from '#tests/support/faults/sized_server'

/*
 * The cost of a page must not depend on the number of rows. Compares two installations, one many times as large: a list that
 * reads all rows takes many times as long there.
 *
 * Compares the fastest of many alternating responses: other load on the machine only makes responses slower, and rarely all of
 * one side. A slow list is measured again several times before the test fails.
 */
const SMALL = { zones: 100, records: 300 }
/** More records than the product sorts in memory. */
const LARGE = { zones: 6_000, records: 16_000 }
const OWNED = 100

const MOST = 2.5
const ANSWERS = 12
const ROUNDS = 15

/**
 * Maximum additional rows that a page reads, and a write touches, on average. RRsets of a large zone are read one by one, and
 * background work is counted, too. Much less than the size of either installation.
 */
const MAX_EXTRA_ROWS = 500

/** The small and the large installation. */
interface Pair {
  small: SizedServer
  large: SizedServer
}

type Ask = (server: SizedServer) => Promise<Answer>

/** Hits in the large installation per hit in the small one, at least 1. */
async function hitsRatio({ small, large }: Pair, sendRequest: Ask): Promise<number> {
  const [few, many] = [await sendRequest(small), await sendRequest(large)].map(
    ({ pagination }) => pagination!.total
  )
  return Math.max(1, many / few)
}

/** Ratio of the fastest responses, large to small, and the times for the message. */
async function ratioOf(
  { small, large }: Pair,
  sendRequest: Ask,
  maximum: number
): Promise<{ ratio: number; told: string }> {
  const fastest = { small: Infinity, large: Infinity }
  const time = async (side: keyof Pair, server: SizedServer) => {
    const startTime = performance.now()
    await sendRequest(server)
    fastest[side] = Math.min(fastest[side], performance.now() - startTime)
  }
  let ratio = Infinity
  for (let round = 0; round < ROUNDS && ratio > maximum; round++) {
    for (let i = 0; i < ANSWERS; i++) {
      await time('small', small)
      await time('large', large)
    }
    ratio = fastest.large / fastest.small
  }
  return { ratio, told: `${fastest.small} ms and ${fastest.large} ms` }
}

/**
 * Minimum number of rows that each touches, on average: background work is counted and only adds rows. Repeats while there
 * seem to be too many.
 */
async function rowsOf(
  { small, large }: Pair,
  sendRequest: Ask
): Promise<{ few: number; many: number }> {
  let [few, many] = [Infinity, Infinity]
  for (let round = 0; round === 0 || (round < 5 && many > few + MAX_EXTRA_ROWS); round++) {
    const touched = await runConcurrently([small, large], (server) =>
      server.rowsTouched(() => sendRequest(server))
    )
    few = Math.min(few, touched[0])
    many = Math.min(many, touched[1])
  }
  return { few, many }
}

/** Runs both concurrently if each database has its own counters. */
async function runConcurrently(
  servers: SizedServer[],
  count: (server: SizedServer) => Promise<number>
): Promise<number[]> {
  if (env.get('DB_CONNECTION') === 'pg') {
    return Promise.all(servers.map(count))
  }
  const counted: number[] = []
  for (const server of servers) counted.push(await count(server))
  return counted
}

test.group('An installation with sixty times the zones', (group) => {
  const counts = env.get('DB_CONNECTION') !== 'sqlite'
  let pair: Pair
  group.setup(async () => {
    const small = await SizedServer.start(SMALL.zones, SMALL.records, OWNED)
    const large = await SizedServer.start(LARGE.zones, LARGE.records, OWNED)
    pair = { small, large }
    await small.buildSortKeys()
    await large.buildSortKeys()
    return async () => {
      await small.stop()
      await large.stop()
    }
  })

  const measured = (what: string, sendRequest: Ask, { counted, perHit }: Partial<Page>) => {
    test(`${what}: is as fast`, async ({ assert }) => {
      const maximum = MOST * (perHit ? await hitsRatio(pair, sendRequest) : 1)
      const { ratio, told } = await ratioOf(pair, sendRequest, maximum)
      assert.isAtMost(ratio, maximum, told)
    }).timeout(120_000)

    if (!counted || !counts) return
    test(`${what}: touches as many rows`, async ({ assert }) => {
      const { few, many } = await rowsOf(pair, sendRequest)
      assert.isAtMost(many, few + MAX_EXTRA_ROWS)
    }).timeout(120_000)
  }

  for (const page of PAGES) {
    const { what, user, path } = page
    measured(what, (server) => server.get(path(server.filled), user), page)
  }
  for (const { what, user, work } of WRITES) {
    measured(what, (server) => work(server, user), { counted: true })
  }
})
