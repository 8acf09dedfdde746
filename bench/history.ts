/*
 * Measures the journal of a zone with 300 and with 30 000 entries: the first page, a page deep inside by cursor, and the zone
 * one entry ago. Calls the use cases of the API.
 *
 *   npm run bench -- history [--db=sqlite|pg|mysql] [--entries=30000]
 */
import { fileURLToPath } from 'node:url'
import { startBenchServer } from './support/database.ts'
import { quick, serveTasks, Worker } from './support/worker.ts'

const FEW = 300
const PAGE = 100
const ROUNDS = 15

type Figures = Record<string, number>

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { maintainer } = await import('#access/actor')
  const { fillZones } = await import('#bench/seed/zones')
  const { BackendManager } = await import('#backends/manager')
  const { importNewZones } = await import('#changes/zone_index/discover')
  const { findZoneRow } = await import('#changes/zone_index/zone_rows')
  const { ZoneDirectory } = await import('#zones/directory')
  const { ZoneHistory } = await import('#zones/history/history')

  const manager = await app.container.make(BackendManager)
  const directory = await app.container.make(ZoneDirectory)
  const history = await app.container.make(ZoneHistory)
  const open = (zone: number) => directory.open(maintainer(), zone, 'zone.view_history')

  /** Writes the journal of a zone with `entries` changes of one record. */
  async function writeJournal(id: number, entries: number) {
    const { zone } = await open(id)
    const row = await findZoneRow(zone)
    const address = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
    const stateOf = (n: number) =>
      JSON.stringify({
        ttl: 3600,
        records: [{ content: address(n), priority: 0, disabled: false }],
      })
    for (let from = 1; from <= entries; from += 200) {
      const numbers = Array.from({ length: Math.min(200, entries + 1 - from) }, (_, i) => from + i)
      const time = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()
      const about = { zone_uid: row!.uid, zone_id: id, zone_name: zone.name }
      await db.table('zw_journal').multiInsert(
        numbers.map((n) => ({
          ...about,
          entry: n,
          time: time(n),
          username: n % 100 === 0 ? 'seldom' : 'bench',
          channel: n % 100 === 0 ? 'cli' : 'api',
          serial_before: 2026010100 + n,
          serial_after: 2026010101 + n,
        }))
      )
      const written: { id: number; entry: number }[] = await db
        .from('zw_journal')
        .where('zone_uid', row!.uid)
        .whereBetween('entry', [numbers[0], numbers.at(-1)!])
        .select('id', 'entry')
      await db.table('zw_journal_changes').multiInsert(
        written.map(({ id: journalId, entry }) => ({
          journal_id: journalId,
          position: 0,
          zone_uid: row!.uid,
          entry,
          name: `h0.${zone.name}`,
          type: 'A',
          // The last entry leads to the current record.
          rrset_before: stateOf(entries - Number(entry) + 1),
          rrset_after: stateOf(entries - Number(entry)),
        }))
      )
    }
    await db.from('zw_zones').where('id', id).update({ last_entry: entries })
  }

  return {
    /** Creates a zone with a journal. Returns its id. */
    async fill(entries: number) {
      const { firstId } = await fillZones(db.connection(), { zones: 1, records: 10 })
      await importNewZones(manager.use())
      await writeJournal(firstId, entries)
      if (db.connection().dialect.name === 'postgres') {
        await db.connection().rawQuery('ANALYZE zw_journal, zw_journal_changes')
      }
      return firstId
    },

    /** Milliseconds of each read. */
    async measure(zone: number, entries: number): Promise<Figures> {
      const window = { offset: 0, limit: PAGE }
      const reads: Record<string, () => Promise<unknown>> = {
        'first page': async () => history.list(await open(zone), {}, window),
        'page by cursor': async () =>
          history.list(await open(zone), { before: Math.floor(entries / 2) }, window),
        'page of one name': async () => {
          const { zone: found, facts } = await open(zone)
          const query = { name: `h0.${found.name}`, type: 'A' }
          return history.list({ zone: found, facts }, query, window)
        },
        'of one name by cursor': async () => {
          const { zone: found, facts } = await open(zone)
          const query = { name: `h0.${found.name}`, before: Math.floor(entries / 2) }
          return history.list({ zone: found, facts }, query, window)
        },
        'page of one user': async () =>
          history.list(await open(zone), { username: 'seldom' }, window),
        'page of one channel': async () =>
          history.list(await open(zone), { channel: 'cli' }, window),
        'page of one type': async () => history.list(await open(zone), { type: 'TXT' }, window),
        'one entry back': async () => {
          const then = await history.stateAt(await open(zone), { entry: entries - 1 })
          const record = then.rrsets.find(({ name }) => name.startsWith('h0.'))?.records[0]
          if (record?.content !== '10.0.0.1') throw new Error(`It was ${record?.content}`)
        },
      }
      const figures: Figures = {}
      for (const [what, read] of Object.entries(reads)) {
        const since = performance.now()
        await read()
        figures[what] = performance.now() - since
      }
      return figures
    },
  }
}

async function run(): Promise<void> {
  const flag = process.argv.find((argument) => argument.startsWith('--entries='))
  const many = Number(flag?.slice('--entries='.length) ?? 30_000)
  const server = await startBenchServer(process.argv)
  const file = fileURLToPath(import.meta.url)
  const worker = await Worker.start(file, server.createDatabase('zonewright_history'))
  try {
    const zones = [FEW, many]
    const ids: number[] = []
    for (const entries of zones) ids.push(await worker.ask<number>('fill', entries))
    const found: Figures[][] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [i, entries] of zones.entries()) {
        const figures = await worker.ask<Figures>('measure', ids[i], entries)
        // The first round is a warm-up.
        if (round > 0) found[i].push(figures)
      }
    }
    console.log(`look, fastest tenth      ${FEW} entries  ${many} entries   ratio`)
    for (const what of Object.keys(found[0][0])) {
      const [few, lots] = found.map((rounds) => quick(rounds.map((figures) => figures[what])))
      const shown = [few, lots].map((time) => `${time.toFixed(2)} ms`.padStart(11)).join('    ')
      console.log(`${what.padEnd(20)} ${shown}    ${(lots / few).toFixed(2)}`)
    }
  } finally {
    await worker.stop()
    await server.stop()
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
} else {
  await run()
}
