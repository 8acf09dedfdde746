import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { HistoryQuery } from '#changes/journal/filters'
import { JournalReader } from '#changes/journal/reader'
import { refreshStatistics } from '#database/schema/statistics'
import { unique } from '#tests/support/app/names'
import { CountedReads } from '#tests/support/faults/counted_reads'

const FEW = 300
/** The longer journal has 2^7 times the entries: 38 400. */
const DOUBLINGS = 7
const PAGE = 20
/** Maximum additional rows and index entries that a page of the longer journal reads. */
const MAX_EXTRA_READS = 20 * PAGE

const NAME = 'www.growth.example'
const RARE_NAME = 'seldom.growth.example'
const MIDDLE = (entries: number) => Math.floor(entries / 2)

/** The time of an entry before the clock was set back. */
const timeOf = (entry: number) => `2026-${100_000 + Math.floor(entry)}`
const EARLY = (entries: number) => ({ until: timeOf(entries / 8) })
/** A time that occurs twice. */
const TWICE = (entries: number) => ({
  since: timeOf((entries * 3) / 8),
  until: timeOf((entries * 3) / 8 + 2 * PAGE),
})

type NamedQuery = [what: string, query: HistoryQuery | ((entries: number) => HistoryQuery)]

/** Measured queries. One of a hundred entries has another name and type and was made by an undo. */
const QUERIES: NamedQuery[] = [
  ['of all entries', {}],
  ['since a time', (entries) => ({ since: timeOf((entries * 5) / 8) })],
  ['since a future time', (entries) => ({ since: timeOf(2 * entries) })],
  ['until an early time', EARLY],
  ['until a time before all entries', { until: timeOf(0) }],
  ['of a time that occurs twice', TWICE],
  ['of a frequent name until an early time', (entries) => ({ name: NAME, ...EARLY(entries) })],
  ['of a rare name until an early time', (entries) => ({ name: RARE_NAME, ...EARLY(entries) })],
  [
    'of a frequent type, of a time that occurs twice',
    (entries) => ({ type: 'A', ...TWICE(entries) }),
  ],
  [
    'of a frequent RRset until an early time',
    (entries) => ({ name: NAME, type: 'A', ...EARLY(entries) }),
  ],
  [
    'of a frequent user until an early time',
    (entries) => ({ username: 'often', ...EARLY(entries) }),
  ],
  [
    'of a frequent channel, of a time that occurs twice',
    (entries) => ({ channel: 'api', ...TWICE(entries) }),
  ],
  ['of a rare action until an early time', (entries) => ({ action: 'undo', ...EARLY(entries) })],
  ['of a frequent name', { name: NAME }],
  ['of a rare name', { name: RARE_NAME }],
  ['of a name without entries', { name: 'nowhere.growth.example' }],
  ['of a frequent type', { type: 'A' }],
  ['of a rare type', { type: 'TXT' }],
  ['of a type without entries', { type: 'MX' }],
  ['of a frequent RRset', { name: NAME, type: 'A' }],
  ['of a rare RRset', { name: RARE_NAME, type: 'TXT' }],
  ['of a frequent user', { username: 'often' }],
  ['of a frequent name by a frequent user', { name: NAME, username: 'often' }],
  ['of a rare type by a rare user', { type: 'TXT', username: 'seldom' }],
  ['of a frequent user over a frequent channel', { username: 'often', channel: 'api' }],
  ['of a rare action by a rare user', { action: 'undo', username: 'seldom' }],
  ['of a rare user', { username: 'seldom' }],
  ['of a frequent channel', { channel: 'api' }],
  ['of a channel without entries', { channel: 'dyndns' }],
  ['of a rare action', { action: 'undo' }],
  ['of an action without entries', { action: 'import' }],
  ['of a rare action on the zone', { action: 'properties' }],
  ['of an action without entries on the zone', { action: 'delete' }],
]

/** Queries that are counted by entry numbers and whose later pages are found by them. */
const NUMBERED = QUERIES.filter(([, query]) =>
  Object.keys(queryIn(query, FEW)).every((key) => ['since', 'until'].includes(key))
)

function queryIn(query: NamedQuery[1], entries: number): HistoryQuery {
  return typeof query === 'function' ? query(entries) : query
}

/** Each entry changes two RRsets of one name, except for one of a hundred. The clock is set back in the middle. */
async function writeJournal(uid: string, doublings: number): Promise<number> {
  const isRare = (entry: number) => entry % 100 === 0
  const first = Array.from({ length: FEW }, (_, index) => index + 1).map((entry) => ({
    zone_uid: uid,
    entry,
    zone_id: 0,
    zone_name: 'growth.example',
    time: new Date(Date.UTC(2026, 0, 1)).toISOString(),
    username: isRare(entry) ? 'seldom' : 'often',
    channel: isRare(entry) ? 'cli' : 'api',
    origin_kind: isRare(entry) ? 'undo' : null,
    zone_action: isRare(entry) ? 'properties' : null,
  }))
  await db.table('zw_journal').multiInsert(first)
  const columns = Object.keys(first[0]).filter((column) => !['zone_uid', 'entry'].includes(column))
  let entries = FEW
  for (let i = 0; i < doublings; i++, entries *= 2) {
    await db.rawQuery(
      `INSERT INTO zw_journal (zone_uid, entry, ${columns.join(', ')})
       SELECT zone_uid, entry + ?, ${columns.join(', ')} FROM zw_journal WHERE zone_uid = ?`,
      [entries, uid]
    )
  }
  await db.rawQuery(
    `UPDATE zw_journal SET time = CONCAT('2026-', ? + entry - CASE WHEN entry > ? THEN ? ELSE 0 END)
     WHERE zone_uid = ?`,
    [100_000, entries / 2, entries / 4, uid]
  )
  await db.table('zw_clock_jumps').insert({ zone_uid: uid, entry: entries / 2 + 1 })
  for (const [position, type] of ['A', 'AAAA'].entries()) {
    await db.rawQuery(
      `INSERT INTO zw_journal_changes (journal_id, position, zone_uid, entry, name, type)
       SELECT id, ?, zone_uid, entry, CASE username WHEN 'seldom' THEN ? ELSE ? END,
         CASE username WHEN 'seldom' THEN 'TXT' ELSE ? END
       FROM zw_journal WHERE zone_uid = ?`,
      [position, RARE_NAME, NAME, type, uid]
    )
  }
  return entries
}

test.group('Pages of the history', (group) => {
  const journals = { short: unique('short'), long: unique('long') }
  const entries = { short: 0, long: 0 }
  let reads: CountedReads
  group.setup(async () => {
    entries.short = await writeJournal(journals.short, 0)
    entries.long = await writeJournal(journals.long, DOUBLINGS)
    await refreshStatistics(db.connection(), ['zw_journal', 'zw_journal_changes'])
    reads = new CountedReads({ zw_journal: 'entry', zw_journal_changes: 'entry' })
    return async () => {
      await reads.close()
      const uids = Object.values(journals)
      await db.from('zw_journal_changes').whereIn('zone_uid', uids).delete()
      await db.from('zw_journal').whereIn('zone_uid', uids).delete()
      await db.from('zw_clock_jumps').whereIn('zone_uid', uids).delete()
    }
  })

  const readOf = async (
    journal: keyof typeof journals,
    look: (reader: JournalReader) => Promise<number>
  ) => {
    let found = 0
    const rows = await reads.of(async (client) => {
      found = await look(new JournalReader(journals[journal], client))
    })
    return { rows, found }
  }

  const pageOf = async (reader: JournalReader, query: HistoryQuery, offset = 0) => {
    const page = await reader.entries(query, { offset, limit: PAGE })
    return page.length
  }

  for (const [what, namedQuery] of QUERIES) {
    test(`${what}: reads as many rows in a journal a hundred times as long`, async ({ assert }) => {
      for (const isFromCursor of [false, true]) {
        const ask = (journal: keyof typeof journals) => {
          const cursor = isFromCursor ? { before: MIDDLE(entries[journal]) } : {}
          const query = { ...queryIn(namedQuery, entries[journal]), ...cursor }
          return readOf(journal, (reader) => pageOf(reader, query))
        }
        const [few, many] = [await ask('short'), await ask('long')]
        assert.isAtLeast(few.rows, few.found, 'what is found was read')
        assert.isAtLeast(many.rows, many.found, 'what is found was read')
        assert.isAtMost(many.rows, few.rows + MAX_EXTRA_READS)
      }
    })
  }

  for (const [what, namedQuery] of NUMBERED) {
    test(`${what}: the count and a middle page are found by entry numbers`, async ({ assert }) => {
      for (const journal of ['short', 'long'] as const) {
        const query = queryIn(namedQuery, entries[journal])
        const counted = await readOf(journal, (reader) => reader.count(query))
        const matches = db.from('zw_journal').where('zone_uid', journals[journal])
        if (query.since) matches.where('time', '>=', query.since)
        if (query.until) matches.where('time', '<=', query.until)
        const [{ total }] = await matches.count('* as total')
        assert.equal(counted.found, Number(total))
        const offset = Math.floor(counted.found / 2)
        const page = await readOf(journal, (reader) => pageOf(reader, query, offset))
        assert.equal(page.found, Math.min(PAGE, counted.found - offset))
        for (const { rows } of [counted, page]) assert.isAtMost(rows, 2 * MAX_EXTRA_READS)
      }
    })
  }

  test('entries are counted only up to the requested maximum', async ({ assert }) => {
    for (const query of [
      { name: NAME },
      { username: 'often' },
      { name: NAME, username: 'often' },
    ]) {
      const { rows, found } = await readOf('long', (reader) => reader.count(query, PAGE))
      assert.equal(found, PAGE)
      assert.isAtMost(rows, MAX_EXTRA_READS)
    }
  })
})
