// @databases
import { test } from '@japa/runner'
import env from '#support/env'
import { PAGES, type Page } from '#tests/support/faults/grown_pages'
import { WRITES } from '#tests/support/faults/grown_writes'
import { SizedServer, type Answer } from '#tests/support/faults/sized_server'

/*
 * What a page costs must not depend on what is behind it. Two installations side by side, one many times as large as
 * the other; a list that is read whole to answer a page takes many times as long in it.
 *
 * The fastest of many answers is compared, taken in turns: what else the machine does only ever makes answers slower,
 * and seldom all of those of one side. A list that looks slow is measured again and again before it has failed.
 */
const SMALL = { zones: 100, records: 300 }
/** More records than filters may leave to be sorted in memory. */
const LARGE = { zones: 6_000, records: 16_000 }
const OWNED = 100

const MOST = 2.5
const ANSWERS = 12
const ROUNDS = 15

/**
 * How many more rows a page may read, and a write touch, on average, whatever the size: RRsets of a large zone are gathered one by one, and what the
 * server does of its own accord is counted, too. Far fewer than either installation has.
 */
const MAX_EXTRA_ROWS = 500

/** Two installations side by side. */
interface Pair {
  small: SizedServer
  large: SizedServer
}

type Ask = (server: SizedServer) => Promise<Answer>

/** How much is found in the large one for each that is in the small one, 1 at least. */
async function hitsRatio({ small, large }: Pair, ask: Ask): Promise<number> {
  const [few, many] = [await ask(small), await ask(large)].map(
    ({ pagination }) => pagination!.total
  )
  return Math.max(1, many / few)
}

/** How many times as long the large one takes, at its best; and the times, for people. */
async function ratioOf(
  { small, large }: Pair,
  ask: Ask,
  most: number
): Promise<{ ratio: number; told: string }> {
  const fastest = { small: Infinity, large: Infinity }
  const time = async (side: keyof Pair, server: SizedServer) => {
    const since = performance.now()
    await ask(server)
    fastest[side] = Math.min(fastest[side], performance.now() - since)
  }
  let ratio = Infinity
  for (let round = 0; round < ROUNDS && ratio > most; round++) {
    for (let i = 0; i < ANSWERS; i++) {
      await time('small', small)
      await time('large', large)
    }
    ratio = fastest.large / fastest.small
  }
  return { ratio, told: `${fastest.small} ms and ${fastest.large} ms` }
}

/**
 * The fewest rows that each was seen to touch, on average: what the keepers do meanwhile is counted too, and only ever
 * makes more of them. Looks again while there seem to be too many.
 */
async function rowsOf({ small, large }: Pair, ask: Ask): Promise<{ few: number; many: number }> {
  let [few, many] = [Infinity, Infinity]
  for (let round = 0; round === 0 || (round < 5 && many > few + MAX_EXTRA_ROWS); round++) {
    const touched = await atOnce([small, large], (server) => server.rowsTouched(() => ask(server)))
    few = Math.min(few, touched[0])
    many = Math.min(many, touched[1])
  }
  return { few, many }
}

/** At once where each database counts for itself. */
async function atOnce(
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

test.group('In an installation of sixty times the zones', (group) => {
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

  const measured = (what: string, ask: Ask, { counted, perHit }: Partial<Page>) => {
    test(`${what}: as fast`, async ({ assert }) => {
      const most = MOST * (perHit ? await hitsRatio(pair, ask) : 1)
      const { ratio, told } = await ratioOf(pair, ask, most)
      assert.isAtMost(ratio, most, told)
    }).timeout(120_000)

    if (!counted || !counts) return
    test(`${what}: as many rows`, async ({ assert }) => {
      const { few, many } = await rowsOf(pair, ask)
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
