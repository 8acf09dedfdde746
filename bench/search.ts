/*
 * Measures searches: rare, common and short words, fields, and a caller who sees few zones. Calls the use case of the API.
 * Also measures time and size of the index, and its share of a write.
 *
 *   npm run bench -- search [--db=sqlite|pg|mysql] [--zones=100000] [--records=10] [--rounds=40]
 */
import { fileURLToPath } from 'node:url'
import { startBenchServer } from './support/database.ts'
import { quantile } from './support/http.ts'
import { option } from './support/options.ts'
import { serveTasks, Worker } from './support/worker.ts'

/** Queries. Those with `n`, a zone number, differ in each round. */
const SEARCHES: [about: string, query: (n: number) => string][] = [
  ['rare: one zone by a part of its name', (n) => `${n}.bench`],
  ['rare: an owner name', (n) => `h3.z${n}.bench`],
  ['rare: a word in contents', (n) => `needle${n % 100}`],
  ['absent', (n) => `nowhere${n}`],
  ['common: in every record', () => 'bench.invalid'],
  ['two letters, common', () => 'h3'],
  ['two letters, absent', () => 'qq'],
  ['type, rare', () => 'type:MX'],
  ['type, common, and a word', (n) => `type:A name:h5.*${n}*`],
  ['TTL, in few records', () => 'ttl<300'],
  ['content:', (n) => `content:10.0.0.${n % 10}`],
  ['zone:', (n) => `zone:z${n}.bench.invalid type:A`],
]

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { maintainer } = await import('#access/actor')
  const { fillZones } = await import('#bench/seed/zones')
  const { BackendManager } = await import('#backends/manager')
  const { importNewZones } = await import('#changes/zone_index/discover')
  const { intentOf } = await import('#changes/model/intent')
  const { feedTexts } = await import('#database/trigram_index/indexer')
  const { TEXT_SOURCES } = await import('#database/trigram_index/source')
  const { ZoneDirectory } = await import('#zones/directory')
  const { Search } = await import('#zones/search/search')
  const { ZoneRecords } = await import('#zones/records/records')

  const manager = await app.container.make(BackendManager)
  const search = await app.container.make(Search)
  const records = await app.container.make(ZoneRecords)
  const directory = await app.container.make(ZoneDirectory)
  const intent = intentOf(maintainer())

  return {
    async fill(zones: number, each: number) {
      const { firstId } = await fillZones(db.connection(), { zones, records: each })
      await importNewZones(manager.use())
      const rows = Array.from({ length: 1000 }, (_, i) => {
        const zone = firstId + Math.floor((i * zones) / 1000)
        const name = `x${i}.z${zone - 1}.bench.invalid`
        const values =
          i % 2 === 0 ? ['MX', 'mail.bench.invalid'] : ['TXT', `"needle${i % 100} ${i}"`]
        const rest = { ttl: i % 4 === 0 ? 60 : 3600, prio: 0, disabled: false, auth: true }
        return { domain_id: zone, name, type: values[0], content: values[1], ...rest }
      })
      for (let i = 0; i < rows.length; i += 100) {
        await db.table('records').multiInsert(rows.slice(i, i + 100))
      }
      return firstId
    },

    /** Seconds until the product's index is complete, and milliseconds of the longest transaction. */
    async feed() {
      const since = performance.now()
      let longest = 0
      for (const source of TEXT_SOURCES) {
        for (let more = true; more;) {
          const start = performance.now()
          more = await feedTexts(db.connection(), source)
          longest = Math.max(longest, performance.now() - start)
        }
      }
      return { seconds: (performance.now() - since) / 1000, longest }
    },

    /** Size of the index in MiB, if the database reports it. */
    async size() {
      const sql = {
        'better-sqlite3': "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'zw_%_grams'",
        'postgres':
          "SELECT pg_relation_size('zw_records_text') + pg_relation_size('zw_zones_text') AS bytes",
        'mysql': `SELECT sum(data_length) AS bytes FROM information_schema.tables
          WHERE table_schema = database() AND table_name LIKE 'zw_%_grams'`,
      }[db.connection().dialect.name as 'postgres']
      try {
        const answer = await db.rawQuery(sql)
        const [row] = (answer.rows ?? (Array.isArray(answer[0]) ? answer[0] : answer)) as {
          bytes: number
        }[]
        return Number(row.bytes) / 2 ** 20
      } catch {
        return null
      }
    },

    /** Elapsed and CPU milliseconds of each round, and the hits of the last one. */
    async find(number: number, firstId: number, zones: number, rounds: number, sees: number) {
      const actor = maintainer()
      if (sees > 0) {
        const some = Array.from(
          { length: sees },
          (_, i) => firstId + Math.floor((i * zones) / sees)
        )
        const named = new Map(some.map((id) => [id, `z${id - 1}.bench.invalid`]))
        actor.key = {
          id: 1,
          readOnly: true,
          operations: null,
          zones: named,
          patterns: null,
          networks: null,
          expiresAt: null,
          idleDays: null,
        }
      }
      const times: number[] = []
      const cpu: number[] = []
      let hits = 0
      for (let i = 0; i < rounds; i++) {
        const n = firstId - 1 + ((i * 7919) % zones)
        const since = performance.now()
        const before = process.cpuUsage()
        const { total } = await search.find(actor, SEARCHES[number][1](n), 0, 50)
        times.push(performance.now() - since)
        const { user, system } = process.cpuUsage(before)
        cpu.push((user + system) / 1000)
        hits = total
      }
      return { times, cpu, hits }
    },

    /** Milliseconds of creating single records. */
    async create(zone: number, rounds: number) {
      const times: number[] = []
      for (let i = 0; i < rounds; i++) {
        const since = performance.now()
        const opened = await directory.open(intent.actor, zone + i, 'zone.edit_records')
        const wish = { name: `new${Date.now()}-${i}`, type: 'A', content: '192.0.2.1', ttl: 300 }
        await records.create(intent, opened, wish)
        times.push(performance.now() - since)
      }
      return times
    },
  }
}

async function main(argv: string[]) {
  const zones = option('zones', 100_000)
  const each = option('records', 10)
  const rounds = option('rounds', 40)
  const server = await startBenchServer(argv)
  const worker = await Worker.start(fileURLToPath(import.meta.url), server.createDatabase('search'))
  try {
    const first = await worker.ask<number>('fill', zones, each)
    const line = (about: string, times: number[], more = '') => {
      const [half, most] = [0.5, 0.95].map((part) => quantile(times, part).toFixed(1))
      console.log(
        `${about.padEnd(44)} p50 ${half.padStart(8)} ms  p95 ${most.padStart(8)} ms  ${more}`
      )
    }
    const { seconds, longest } = await worker.ask<{ seconds: number; longest: number }>('feed')
    const size = await worker.ask<number | null>('size')
    console.log(`${zones} zones, ${zones * (each + 1) + 1000} records`)
    console.log(
      `index: ${seconds.toFixed(0)} s, longest step ${longest.toFixed(0)} ms, ${size?.toFixed(0) ?? '?'} MiB`
    )
    line('record created', await worker.ask<number[]>('create', first, 100))
    for (const [number, [about]] of SEARCHES.entries()) {
      for (const sees of [0, 100]) {
        const found = await worker.ask<{ times: number[]; cpu: number[]; hits: number }>(
          'find',
          number,
          first,
          zones,
          rounds,
          sees
        )
        line(
          sees === 0 ? about : `  in 100 zones`,
          found.times,
          `cpu p50 ${quantile(found.cpu, 0.5).toFixed(1)} p95 ${quantile(found.cpu, 0.95).toFixed(1)} ms, ${found.hits} hits`
        )
      }
    }
  } finally {
    await worker.stop()
    await server.stop()
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
} else {
  await main(process.argv.slice(2))
}
