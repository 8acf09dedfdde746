import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { HistoryQuery } from '#changes/journal_query'
import { JournalReader } from '#changes/journal_reader'
import { refreshStatistics } from '#database/statistics'
import { unique } from '#tests/support/app/names'
import { CountedReads } from '#tests/support/faults/counted_reads'

const FEW = 300
/** The longer journal has this many times the entries: 38 400. */
const DOUBLINGS = 7
const PAGE = 20
/** Rows and index entries that a page of the longer journal may read beyond those of the shorter one. */
const MOST_MORE = 10 * PAGE

const NAME = 'www.growth.example'
const SELDOM = 'seldom.growth.example'
const MIDDLE = (entries: number) => Math.floor(entries / 2)

/** What is asked for. One entry in a hundred is about another name and type, and was made by an undo. */
const LOOKS: [what: string, query: HistoryQuery][] = [
  ['of a name of many', { name: NAME }],
  ['of a name of few', { name: SELDOM }],
  ['of a name that is nowhere', { name: 'nowhere.growth.example' }],
  ['of a type of many', { type: 'A' }],
  ['of a type of few', { type: 'TXT' }],
  ['of a type that is nowhere', { type: 'MX' }],
  ['of an RRset of many', { name: NAME, type: 'A' }],
  ['of an RRset of few', { name: SELDOM, type: 'TXT' }],
  ['of a user of many', { username: 'often' }],
  ['of a user of few', { username: 'seldom' }],
  ['of a door of many', { door: 'api' }],
  ['of a door that is nowhere', { door: 'dyndns' }],
  ['of an action of few', { action: 'undo' }],
  ['of an action that is nowhere', { action: 'import' }],
  ['of what few did to the zone', { action: 'properties' }],
  ['of what nobody did to the zone', { action: 'delete' }],
]

/** Two RRsets of one name are changed by each entry, but by one in a hundred. */
async function writeJournal(uid: string, doublings: number): Promise<number> {
  const isSeldom = (entry: number) => entry % 100 === 0
  const first = Array.from({ length: FEW }, (_, index) => index + 1).map((entry) => ({
    zone_uid: uid,
    entry,
    zone_id: 0,
    zone_name: 'growth.example',
    time: new Date(Date.UTC(2026, 0, 1)).toISOString(),
    username: isSeldom(entry) ? 'seldom' : 'often',
    door: isSeldom(entry) ? 'cli' : 'api',
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
    }
  })

  const readOf = async (journal: keyof typeof journals, query: HistoryQuery) => {
    let found = 0
    const rows = await reads.of(async (client) => {
      const page = { offset: 0, limit: PAGE }
      const told = await new JournalReader(journals[journal], client).entries(query, page)
      found = told.length
    })
    return { rows, found }
  }

  for (const [what, query] of LOOKS) {
    test(`${what}: as many rows read in a journal a hundred times as long`, async ({ assert }) => {
      for (const isFromCursor of [false, true]) {
        const ask = (journal: keyof typeof journals) =>
          readOf(journal, {
            ...query,
            ...(isFromCursor ? { before: MIDDLE(entries[journal]) } : {}),
          })
        const [few, many] = [await ask('short'), await ask('long')]
        assert.isAtLeast(few.rows, few.found, 'what is found was read')
        assert.isAtLeast(many.rows, many.found, 'what is found was read')
        assert.isAtMost(many.rows, few.rows + MOST_MORE)
      }
    })
  }
})
