import { test } from '@japa/runner'
import env from '#start/env'
import { SizedServer, type Filled } from '#tests/support/faults/sized_server'

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
 * How many more rows a page may read on average, whatever the size: RRsets of a large zone are gathered one by one, and what the
 * server does of its own accord is counted, too. Far fewer than either installation has.
 */
const MOST_MORE_ROWS = 500

type Path = (of: Filled) => string
interface Page {
  what: string
  user: 'admin' | 'owner'
  path: Path
  /** Whether the rows that it reads are counted, too, where the database tells: that needs no luck. */
  counted?: true
}

const zones =
  (query: string): Path =>
  () =>
    `/zones?per_page=50${query}`
const records =
  (query: string): Path =>
  ({ large }) =>
    `/zones/${large}/records?per_page=50${query}`

const sets =
  (query: string): Path =>
  ({ large }) =>
    `/zones/${large}/rrsets?per_page=50${query}`

const PAGES: Page[] = [
  { what: 'the first zones', user: 'admin', path: zones(''), counted: true },
  { what: 'the last zones', user: 'admin', path: lastZones, counted: true },
  {
    what: 'zones by type and name',
    user: 'admin',
    path: zones('&page=2&sort=type,name'),
    counted: true,
  },
  {
    what: 'zones by name, backwards',
    user: 'admin',
    path: zones('&sort=name:desc'),
    counted: true,
  },
  { what: 'zones with a text', user: 'admin', path: zones('&q=hotel28') },
  {
    what: 'a zone by name',
    user: 'admin',
    path: zones('&name=missing.bench.invalid'),
    counted: true,
  },
  { what: 'own zones', user: 'owner', path: zones(''), counted: true },
  {
    what: 'own zones by name, backwards',
    user: 'owner',
    path: zones('&page=2&sort=name:desc'),
    counted: true,
  },
  { what: 'a zone', user: 'admin', path: ({ last }) => `/zones/${last}`, counted: true },
  {
    what: 'records of a zone',
    user: 'admin',
    path: ({ last }) => `/zones/${last}/records`,
    counted: true,
  },
  { what: 'the first records', user: 'admin', path: records(''), counted: true },
  { what: 'records by type', user: 'admin', path: records('&type=MX&page=1'), counted: true },
  {
    what: 'records by content, backwards, and by TTL',
    user: 'admin',
    path: records('&sort=content:desc,ttl'),
    counted: true,
  },
  {
    what: 'records of a type that have one content, backwards',
    user: 'admin',
    path: records('&type=MX&sort=content:desc'),
    counted: true,
  },
  {
    what: 'many records with a text, by name',
    user: 'admin',
    path: records('&name=e&sort=name&cursor=*'),
    counted: true,
  },
  {
    what: 'many RRsets with a text, by name',
    user: 'admin',
    path: sets('&content=1&sort=name&cursor=*'),
    counted: true,
  },
  {
    what: 'RRsets by name, backwards',
    user: 'admin',
    path: sets('&sort=name:desc'),
    counted: true,
  },
  {
    what: 'RRsets by TTL, in the middle',
    user: 'admin',
    path: sets('&sort=ttl&page=3'),
    counted: true,
  },
]

function lastZones({ first, last }: Filled): string {
  const pages = Math.ceil((last - first + 2) / 50)
  return `/zones?per_page=50&page=${pages}`
}

/** At once where each database counts for itself. */
async function rowsRead(
  servers: SizedServer[],
  count: (server: SizedServer) => Promise<number>
): Promise<number[]> {
  if (env.get('DB_CONNECTION') === 'pg') {
    return Promise.all(servers.map(count))
  }
  const read: number[] = []
  for (const server of servers) read.push(await count(server))
  return read
}

test.group('Pages of lists', (group) => {
  let small: SizedServer
  let large: SizedServer
  group.setup(async () => {
    small = await SizedServer.start(SMALL.zones, SMALL.records, OWNED)
    large = await SizedServer.start(LARGE.zones, LARGE.records, OWNED)
    await large.makeSortKeys()
    return async () => {
      await small.stop()
      await large.stop()
    }
  })

  for (const { what, user, path, counted } of PAGES) {
    test(`${what}: as fast in an installation of sixty times the zones`, async ({ assert }) => {
      const fastest = { small: Infinity, large: Infinity }
      const ask = async (side: 'small' | 'large', server: SizedServer) => {
        fastest[side] = Math.min(fastest[side], await server.time(path(server.filled), user))
      }
      let ratio = Infinity
      for (let round = 0; round < ROUNDS && ratio > MOST; round++) {
        for (let i = 0; i < ANSWERS; i++) {
          await ask('small', small)
          await ask('large', large)
        }
        ratio = fastest.large / fastest.small
      }
      assert.isAtMost(ratio, MOST, `${fastest.small} ms and ${fastest.large} ms`)
    }).timeout(120_000)

    if (!counted || env.get('DB_CONNECTION') === 'sqlite') continue
    test(`${what}: as many rows read in an installation of sixty times the zones`, async ({
      assert,
    }) => {
      // What the keepers read meanwhile is counted too: it only ever makes more of them.
      let [few, many] = [Infinity, Infinity]
      for (let round = 0; round === 0 || (round < 5 && many > few + MOST_MORE_ROWS); round++) {
        const read = await rowsRead([small, large], (server) =>
          server.rowsRead(path(server.filled), user)
        )
        few = Math.min(few, read[0])
        many = Math.min(many, read[1])
      }
      assert.isAtMost(many, few + MOST_MORE_ROWS)
    }).timeout(120_000)
  }
})
