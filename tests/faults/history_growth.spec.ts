import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { HistoryQuery } from '#changes/journal/filters'
import { JournalReader } from '#changes/journal/reader'
import { refreshStatistics } from '#database/schema/statistics'
import { unique } from '#tests/support/app/names'
import { CountedReads } from '#tests/support/faults/counted_reads'

const FEW = 300
/** The longer journal has this many times the entries: 38 400. */
const DOUBLINGS = 7
const PAGE = 20
/** Rows and index entries that a page of the longer journal may read beyond those of the shorter one. */
const MAX_EXTRA_READS = 20 * PAGE

const NAME = 'www.growth.example'
const SELDOM = 'seldom.growth.example'
const MIDDLE = (entries: number) => Math.floor(entries / 2)

/** The time of an entry that was made before the clock was set back. */
const at = (entry: number) => `2026-${100_000 + Math.floor(entry)}`
const EARLY = (entries: number) => ({ until: at(entries / 8) })
/** A time that came twice. */
const TWICE = (entries: number) => ({
  since: at((entries * 3) / 8),
  until: at((entries * 3) / 8 + 2 * PAGE),
})

type NamedQuery = [what: string, query: HistoryQuery | ((entries: number) => HistoryQuery)]

/** What is asked for. One entry in a hundred is about another name and type, and was made by an undo. */
const QUERIES: NamedQuery[] = [
  ['of all', {}],
  ['since a time', (entries) => ({ since: at((entries * 5) / 8) })],
  ['since a time that is to come', (entries) => ({ since: at(2 * entries) })],
  ['until an early time', EARLY],
  ['until a time before all', { until: at(0) }],
  ['of a time that came twice', TWICE],
  ['of a name of many until an early time', (entries) => ({ name: NAME, ...EARLY(entries) })],
  ['of a name of few until an early time', (entries) => ({ name: SELDOM, ...EARLY(entries) })],
  ['of a type of many, of a time that came twice', (entries) => ({ type: 'A', ...TWICE(entries) })],
  [
    'of an RRset of many until an early time',
    (entries) => ({ name: NAME, type: 'A', ...EARLY(entries) }),
  ],
  [
    'of a user of many until an early time',
    (entries) => ({ username: 'often', ...EARLY(entries) }),
  ],
  [
    'of a channel of many, of a time that came twice',
    (entries) => ({ channel: 'api', ...TWICE(entries) }),
  ],
  ['of an action of few until an early time', (entries) => ({ action: 'undo', ...EARLY(entries) })],
  ['of a name of many', { name: NAME }],
  ['of a name of few', { name: SELDOM }],
  ['of a name that is nowhere', { name: 'nowhere.growth.example' }],
  ['of a type of many', { type: 'A' }],
  ['of a type of few', { type: 'TXT' }],
  ['of a type that is nowhere', { type: 'MX' }],
  ['of an RRset of many', { name: NAME, type: 'A' }],
  ['of an RRset of few', { name: SELDOM, type: 'TXT' }],
  ['of a user of many', { username: 'often' }],
  ['of a name of many by a user of many', { name: NAME, username: 'often' }],
  ['of a type of few by a user of few', { type: 'TXT', username: 'seldom' }],
  ['of a user of many through a channel of many', { username: 'often', channel: 'api' }],
  ['of an action of few by a user of few', { action: 'undo', username: 'seldom' }],
  ['of a user of few', { username: 'seldom' }],
  ['of a channel of many', { channel: 'api' }],
  ['of a channel that is nowhere', { channel: 'dyndns' }],
  ['of an action of few', { action: 'undo' }],
  ['of an action that is nowhere', { action: 'import' }],
  ['of what few did to the zone', { action: 'properties' }],
  ['of what nobody did to the zone', { action: 'delete' }],
]

/** Those that are counted by their numbers, and whose pages further down are found by them. */
const NUMBERED = QUERIES.filter(([, query]) =>
  Object.keys(queryIn(query, FEW)).every((key) => ['since', 'until'].includes(key))
)

function queryIn(query: NamedQuery[1], entries: number): HistoryQuery {
  return typeof query === 'function' ? query(entries) : query
}

/** Two RRsets of one name are changed by each entry, but by one in a hundred. In the middle the clock is set back. */
async function writeJournal(uid: string, doublings: number): Promise<number> {
  const isSeldom = (entry: number) => entry % 100 === 0
  const first = Array.from({ length: FEW }, (_, index) => index + 1).map((entry) => ({
    zone_uid: uid,
    entry,
    zone_id: 0,
    zone_name: 'growth.example',
    time: new Date(Date.UTC(2026, 0, 1)).toISOString(),
    username: isSeldom(entry) ? 'seldom' : 'often',
    channel: isSeldom(entry) ? 'cli' : 'api',
    origin_kind: isSeldom(entry) ? 'undo' : null,
    zone_action: isSeldom(entry) ? 'properties' : null,
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
      [position, SELDOM, NAME, type, uid]
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

  for (const [what, asked] of QUERIES) {
    test(`${what}: as many rows read in a journal a hundred times as long`, async ({ assert }) => {
      for (const isFromCursor of [false, true]) {
        const ask = (journal: keyof typeof journals) => {
          const cursor = isFromCursor ? { before: MIDDLE(entries[journal]) } : {}
          const query = { ...queryIn(asked, entries[journal]), ...cursor }
          return readOf(journal, (reader) => pageOf(reader, query))
        }
        const [few, many] = [await ask('short'), await ask('long')]
        assert.isAtLeast(few.rows, few.found, 'what is found was read')
        assert.isAtLeast(many.rows, many.found, 'what is found was read')
        assert.isAtMost(many.rows, few.rows + MAX_EXTRA_READS)
      }
    })
  }

  for (const [what, asked] of NUMBERED) {
    test(`${what}: how many there are, and a page in the middle, by their numbers`, async ({
      assert,
    }) => {
      for (const journal of ['short', 'long'] as const) {
        const query = queryIn(asked, entries[journal])
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

  test('are counted no further than is asked', async ({ assert }) => {
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
