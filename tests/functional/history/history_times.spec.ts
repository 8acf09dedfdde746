// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import fc from 'fast-check'
import type { HistoryQuery } from '#changes/journal/filters'
import { JournalReader } from '#changes/journal/reader'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { historyEntries } from '#tests/support/app/zones/history'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

interface Written {
  entry: number
  time: string
  username: string
  name: string
}

const second = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

/** Writes a journal with entries at these times in seconds. Each entry concerns one of two names and one of two users. */
async function writeJournal(uid: string, first: number, seconds: number[]): Promise<Written[]> {
  const written = seconds.map((time, index) => ({
    entry: first + index,
    time: second(time),
    username: index % 3 === 0 ? 'seldom' : 'often',
    name: `${index % 2 === 0 ? 'www' : 'mail'}.times.example`,
  }))
  const entries = written.map(({ name: _, ...entry }) => ({
    ...entry,
    zone_uid: uid,
    zone_id: 0,
    zone_name: 'times.example',
    channel: 'api',
  }))
  await db.table('zw_journal').multiInsert(entries)
  const ids: { id: number; entry: number }[] = await db.from('zw_journal').where('zone_uid', uid)
  await db.table('zw_journal_changes').multiInsert(
    ids.map(({ id, entry }) => ({
      journal_id: id,
      position: 0,
      zone_uid: uid,
      entry,
      name: written[entry - first].name,
      type: 'A',
    }))
  )
  await db.rawQuery(
    `INSERT INTO zw_clock_jumps (zone_uid, entry)
     SELECT j.zone_uid, j.entry FROM zw_journal j
     JOIN zw_journal b ON b.zone_uid = j.zone_uid AND b.entry = j.entry - 1 AND b.time > j.time
     WHERE j.zone_uid = ? AND j.entry >= ?`,
    [uid, first]
  )
  return written
}

function matching(written: Written[], query: HistoryQuery): number[] {
  const { since = '', until = '~', before = Infinity, name, username } = query
  return written
    .filter(({ time }) => time >= since && time <= until)
    .filter((one) => one.entry < before)
    .filter((one) => name === undefined || one.name === name)
    .filter((one) => username === undefined || one.username === username)
    .map(({ entry }) => entry)
    .reverse()
}

const moment = fc.integer({ min: -2, max: 62 }).map(second)
const timeRange = fc.record(
  {
    since: moment,
    until: moment,
    name: fc.constant('www.times.example'),
    username: fc.constant('seldom'),
    before: fc.integer({ min: 0, max: 60 }),
  },
  { requiredKeys: [] }
)

test.group('Entries in a time range', () => {
  for (const [what, steps] of [
    ['a clock that is never set back', 0],
    ['a clock that is set back', 4],
    ['a clock that is always set back', 30],
  ] as const) {
    test(`the entries are those with a time in the range, by ${what}`, async ({ assert }) => {
      const uid = unique('times')
      const random = fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: 45, seed: steps + 1 })
      const runs = Array.from({ length: steps + 1 }, (_, run) => {
        const size = Math.ceil(random.length / (steps + 1))
        return random.slice(run * size, (run + 1) * size).sort((a, b) => a - b)
      })
      const written = await writeJournal(uid, 4, runs.flat())
      const reader = new JournalReader(uid)
      const page = fc.record({ offset: fc.integer({ min: 0, max: 50 }), limit: fc.constant(7) })
      const law = fc.asyncProperty(timeRange, page, async (query, { offset, limit }) => {
        const all = matching(written, query)
        const entries = await reader.entries(query, { offset, limit })
        assert.deepEqual(
          entries.map(({ entry }) => entry),
          all.slice(offset, offset + limit)
        )
        assert.equal(await reader.count(query), all.length)
        assert.equal(await reader.count(query, 5), Math.min(5, all.length))
        const until = query.until ?? second(0)
        assert.equal(await reader.lastEntryUntil(until), matching(written, { until })[0] ?? null)
      })
      await fc.assert(law, { numRuns: 100 })
    })
  }

  test('entries are found if the clock was set back between them', async ({ client, assert }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    const add = (name: string) => createRecord(as, zone, { name, type: 'A', content: '192.0.2.1' })
    await add('a')
    const journal = () => db.from('zw_journal').where('zone_id', zone.id)
    const later = (ms: number) => new Date(Date.now() + ms).toISOString()
    // A node whose clock is some seconds ahead, and then one that is a day ahead.
    await journal()
      .where('entry', 2)
      .update({ time: later(30_000) })
    await add('b')
    await journal()
      .where('entry', 3)
      .update({ time: later(86_400_000) })
    await add('c')
    const entries: { entry: number; time: string }[] = await historyEntries(as, zone, '')
    assert.deepEqual(entries[0].time <= later(0), true, 'a step back is no matter of the entry')
    const numbersOf = async (query: string) => {
      const found: { entry: number }[] = await historyEntries(as, zone, query)
      return found.map(({ entry }) => entry)
    }
    assert.deepEqual(await numbersOf(`&since=${later(60_000)}`), [3])
    assert.deepEqual(await numbersOf(`&until=${later(60_000)}`), [4, 2, 1])
    assert.deepEqual(await numbersOf(`&name=b&since=${later(60_000)}`), [3])
  })
})
