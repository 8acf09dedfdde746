/*
 * Measures writes at several sizes of installation and zone: creating, changing and deleting one record through the use cases
 * of the API, without HTTP. The cases alternate, so that other load affects all of them.
 *
 * Exits with an error if a write costs more than 1.5 times as much in a large installation or zone. Also if one request with 1
 * 000 records is less than 10 times as fast as 1 000 requests.
 *
 *   npm run bench -- writes [--db=sqlite|pg|mysql] [--zones=100000] [--records=500000] [--rounds=60]
 */
import { fileURLToPath } from 'node:url'
import { startBenchServer } from './support/database.ts'
import { quick, serveTasks, Worker } from './support/worker.ts'
import { option } from './support/options.ts'

const OPERATIONS = ['create', 'update', 'delete'] as const
const MOST = 1.5
const BULK = 1_000
const LEAST_GAIN = 10

/** Fields of knex's query event. */
type KnexQuery = { __knexQueryUid: string; sql: string }
type Statement = { sql: string; ms: number }
type Times = Record<(typeof OPERATIONS)[number], number[]>

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { maintainer } = await import('#access/actor')
  const { fillZones } = await import('#bench/seed/zones')
  const { BackendManager } = await import('#backends/manager')
  const { intentOf } = await import('#changes/model/intent')
  const { appliedResult } = await import('#changes/model/outcome')
  const { importNewZones } = await import('#changes/zone_index/discover')
  const { ZoneDirectory } = await import('#zones/directory')
  const { RecordBulk } = await import('#zones/records/bulk')
  const { ZoneRecords } = await import('#zones/records/records')

  const manager = await app.container.make(BackendManager)
  const directory = await app.container.make(ZoneDirectory)
  const records = await app.container.make(ZoneRecords)
  const bulk = await app.container.make(RecordBulk)
  const intent = intentOf(maintainer())
  const open = (zone: number) => directory.open(intent.actor, zone, 'zone.edit_records')
  const wish = (name: string) => ({ name, type: 'A', content: '192.0.2.1', ttl: 300 })
  let count = 0
  const created = async (zone: number) =>
    appliedResult(records.create(intent, await open(zone), wish(`new-${count++}`)))

  const timed = async (times: number[], work: () => Promise<void>) => {
    const since = performance.now()
    await work()
    times.push(performance.now() - since)
  }

  return {
    /** Creates zones. Returns the id of the first. */
    async fill(zones: number, each: number) {
      const { firstId } = await fillZones(db.connection(), { zones, records: each })
      await importNewZones(manager.use())
      return firstId
    },

    /** Milliseconds of creating, changing and deleting single records. */
    async measure(zone: number, rounds: number): Promise<Times> {
      const times: Times = { create: [], update: [], delete: [] }
      for (let round = 0; round < rounds; round++) {
        let id = 0
        await timed(times.create, async () => {
          const { record } = await created(zone)
          id = Number(record.id)
        })
        await timed(times.update, async () => {
          await records.update(intent, await open(zone), id, { content: '192.0.2.2' })
        })
        await timed(times.delete, async () => {
          await records.delete(intent, await open(zone), id)
        })
      }
      return times
    },

    /** Statements of creating, changing and deleting one record, with the milliseconds of each. */
    async statements(zone: number): Promise<Record<string, Statement[]>> {
      const found: Record<string, Statement[]> = {}
      let current: Statement[] = []
      const started = new Map<string, number>()
      const begin = ({ __knexQueryUid: uid }: KnexQuery) => started.set(uid, performance.now())
      const end = (_: unknown, { __knexQueryUid: uid, sql }: KnexQuery) =>
        current.push({ sql, ms: performance.now() - started.get(uid)! })
      const knex = db.connection().getWriteClient()
      knex.on('query', begin).on('query-response', end)
      const { record } = await created(zone)
      found.create = current.splice(0)
      await records.update(intent, await open(zone), record.id, { content: '192.0.2.2' })
      found.update = current.splice(0)
      await records.delete(intent, await open(zone), record.id)
      found.delete = current.splice(0)
      knex.off('query', begin).off('query-response', end)
      return found
    },

    /** Milliseconds of new records in one request, and in one request each. */
    async compareBulk(zone: number, size: number) {
      const operations = Array.from({ length: size }, () => {
        return { action: 'create', ...wish(`new-${count++}`) }
      })
      const whole: number[] = []
      await timed(whole, async () => void (await bulk.handle(intent, await open(zone), operations)))
      const single: number[] = []
      await timed(single, async () => {
        for (let i = 0; i < size; i++) {
          await created(zone)
        }
      })
      const journal = await db.from('zw_journal').where('origin_kind', 'bulk').count('* as total')
      return { bulk: whole[0], single: single[0], entries: Number(journal[0].total) }
    },
  }
}

async function run(): Promise<boolean> {
  const sizes = { zones: option('zones', 100_000), records: option('records', 500_000) }
  const rounds = option('rounds', 60)
  const server = await startBenchServer(process.argv)
  const file = fileURLToPath(import.meta.url)
  const workers: Worker[] = []
  try {
    for (const name of ['zonewright_small', 'zonewright_large']) {
      workers.push(await Worker.start(file, server.createDatabase(name)))
    }
    const [small, large] = workers
    const first = await small.ask<number>('fill', 10, 10)
    const many = await large.ask<number>('fill', 10, 10)
    await large.ask('fill', sizes.zones - 10, 2)
    const long = await large.ask<number>('fill', 1, sizes.records)
    const cases = [
      { what: '10 zones, zone of 10 records', worker: small, zone: first },
      { what: `${sizes.zones} zones, zone of 10 records`, worker: large, zone: many },
      { what: `${sizes.zones} zones, zone of ${sizes.records}`, worker: large, zone: long },
    ].map((one) => ({ ...one, times: { create: [], update: [], delete: [] } as Times }))
    for (const { worker, zone } of cases) await worker.ask('measure', zone, 20)
    for (let round = 0; round < rounds; round++) {
      for (const { worker, zone, times } of cases) {
        const more = await worker.ask<Times>('measure', zone, 3)
        for (const operation of OPERATIONS) times[operation].push(...more[operation])
      }
    }
    let isGood = true
    console.log('one record, fastest tenth                 create   update   delete   ratios')
    for (const { what, times } of cases) {
      const found = OPERATIONS.map((operation) => quick(times[operation]))
      const ratios = OPERATIONS.map((operation, i) => found[i] / quick(cases[0].times[operation]))
      isGood &&= ratios.every((ratio) => ratio <= MOST)
      const shown = found.map((time) => `${time.toFixed(2)} ms`.padStart(8)).join(' ')
      console.log(`${what.padEnd(38)} ${shown}   ${ratios.map((r) => r.toFixed(2)).join(' ')}`)
    }
    const statements = await large.ask<Record<string, Statement[]>>('statements', long)
    console.log(`\nA new record takes ${statements.create.length} statements, COMMIT included.`)
    if (process.argv.includes('--statements')) {
      for (const [operation, list] of Object.entries(statements)) {
        console.log(`\n${operation}:`)
        list.forEach(({ sql, ms }) => console.log(ms.toFixed(2).padStart(8), sql))
      }
    }
    const { bulk, single, entries } = await small.ask<Record<string, number>>(
      'compareBulk',
      first,
      BULK
    )
    const gain = single / bulk
    isGood &&= gain >= LEAST_GAIN && entries === 1
    console.log(
      `${BULK} records in one request: ${Math.round(bulk)} ms, ${entries} journal entry; one by one: ` +
        `${Math.round(single)} ms; ${gain.toFixed(1)} times as fast`
    )
    return isGood
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await server.stop()
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
} else if (!(await run())) {
  console.error(`A write grew with the size by more than ${MOST}, or the bulk gained too little.`)
  process.exit(1)
}
