import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { JournalEntryDetail, JournalRow } from '#changes/model/journal_entry'
import type { ZoneProperties } from '#changes/model/zone_properties'
import {
  filtersByRRset,
  isByNumbersOnly,
  matchingChanges,
  matchingEntries,
  type HistoryQuery,
} from '#changes/journal/filters'
import { JournalTimes, type Span } from '#changes/journal/time_index'
import { renameSet } from '#changes/journal/net_changes'
import type { RRset, RRsetChange } from '#dns/types'
import { chunks } from '#database/statements/chunks'
import { mapYielding } from '#database/event_loop'

/** A part of a list: from 0, and how many. */
export interface ListWindow {
  offset: number
  limit: number
}

/** Reads the journal of one zone by its uid. */
export class JournalReader {
  constructor(
    private readonly uid: string,
    private readonly client: QueryClientContract = db.connection()
  ) {}

  /**
   * Entries, the newest first. Reads at most `offset + limit` entries; a query by numbers and times
   * alone reads at most `limit`.
   */
  async entries(query: HistoryQuery, { offset, limit }: ListWindow): Promise<JournalRow[]> {
    const entries: JournalRow[] = []
    let skipped = offset
    for (const partQuery of await this.#splitQuery(query)) {
      const window = { offset: skipped, limit: limit - entries.length }
      const found = await this.#entriesIn(partQuery, window)
      entries.push(...found)
      if (entries.length === limit) break
      skipped -= found.length > 0 || skipped === 0 ? skipped : await this.#countIn(partQuery)
    }
    return entries
  }

  /**
   * Number of matching entries. Reads all of them from an index, except for a query by numbers and
   * times alone.
   *
   * @param maxCount upper limit of the count
   */
  async count(query: HistoryQuery, maxCount = Infinity): Promise<number> {
    let total = 0
    for (const partQuery of await this.#splitQuery(query)) {
      total += await this.#countIn(partQuery, maxCount - total)
      if (total >= maxCount) return maxCount
    }
    return total
  }

  /** One entry without its changes; null without one. */
  async entryWithoutChanges(number: number): Promise<JournalRow | null> {
    const row: StoredEntry | null = await this.#rows().where('entry', number).first()
    return row && journalRowOf(row)
  }

  /** One entry; null without one. */
  async entry(number: number): Promise<JournalEntryDetail | null> {
    const row = await this.entryWithoutChanges(number)
    const [detail] = row ? await this.withChanges([row]) : [null]
    return detail
  }

  /** Adds the changes to entries. */
  async withChanges(entries: JournalRow[]): Promise<JournalEntryDetail[]> {
    const details = new Map(entries.map((entry) => [entry.id, { ...entry, changes: [] }]))
    for (const ids of chunks([...details.keys()])) {
      const rows: StoredChange[] = await this.client
        .from('zw_journal_changes')
        .whereIn('journal_id', ids)
        .orderBy(['journal_id', 'position'])
      await mapYielding(rows, (row) => {
        const entry: JournalEntryDetail | undefined = details.get(Number(row.journal_id))
        entry?.changes.push(changeOf(row))
      })
    }
    return [...details.values()]
  }

  /**
   * Adds the first `maxCount` changed RRsets to each entry, and the total of its changes. Entries of
   * imports can have any number.
   */
  async withFirstChanges(
    entries: JournalRow[],
    maxCount: number
  ): Promise<(JournalEntryDetail & { total: number })[]> {
    const counts: { journal_id: number | string; total: number | string }[] = await this.client
      .from('zw_journal_changes')
      .whereIn(
        'journal_id',
        entries.map(({ id }) => id)
      )
      .groupBy('journal_id')
      .select('journal_id')
      .count('* as total')
    const totals = new Map(counts.map((row) => [Number(row.journal_id), Number(row.total)]))
    const details: (JournalEntryDetail & { total: number })[] = []
    for (const entry of entries) {
      const rows: StoredChange[] = await this.client
        .from('zw_journal_changes')
        .where('journal_id', entry.id)
        .orderBy('position')
        .limit(maxCount)
      details.push({ ...entry, changes: rows.map(changeOf), total: totals.get(entry.id) ?? 0 })
    }
    return details
  }

  /** Entries after `from` up to and including `to`, the oldest first, with their changes. */
  async entriesBetween(from: number, to: number): Promise<JournalEntryDetail[]> {
    const rows: StoredEntry[] = await this.#rows()
      .where('entry', '>', from)
      .where('entry', '<=', to)
      .orderBy('entry')
    return this.withChanges(rows.map(journalRowOf))
  }

  /** Number of the oldest stored entry; null without one. */
  async oldestNumber(): Promise<number | null> {
    const [row] = await this.#rows().min('entry as oldest')
    const { oldest } = row as unknown as { oldest: number | null }
    return oldest === null ? null : Number(oldest)
  }

  /** Number of the last entry up to a timestamp; null without one. */
  async lastEntryUntil(timestamp: string): Promise<number | null> {
    // The highest number, not the latest time: clocks can be set back, numbers cannot.
    const [newest] = await this.entries({ until: timestamp }, { offset: 0, limit: 1 })
    return newest?.entry ?? null
  }

  /**
   * Numbers of the newest entries after `entry` that changed RRsets of these names, by "name type".
   */
  async lastChangesOf(entry: number, names: string[]): Promise<Map<string, number>> {
    const lastEntries = new Map<string, number>()
    for (const part of chunks(names)) {
      const rows = (await this.client
        .from('zw_journal_changes')
        .where('zone_uid', this.uid)
        .where('entry', '>', entry)
        .whereIn('name', part)
        .groupBy('name', 'type')
        .select('name', 'type')
        .max('entry as last')) as { name: string; type: string; last: number }[]
      rows.forEach(({ name, type, last }) => lastEntries.set(`${name} ${type}`, Number(last)))
    }
    return lastEntries
  }

  /** Entries after `entry` that changed the zone itself, the newest first. */
  async zoneChangesAfter(entry: number): Promise<JournalRow[]> {
    const rows = await this.#rows()
      .where('entry', '>', entry)
      .whereIn('zone_action', ['create', 'rename', 'properties'])
      .orderBy('entry', 'desc')
    return rows.map(journalRowOf)
  }

  /**
   * Renames of the zone after `entry`, the newest first. The changes of such an entry have the old
   * name.
   */
  async renamesAfter(entry: number): Promise<{ entry: number; from: string; to: string }[]> {
    const rows = await this.#rows()
      .where('entry', '>', entry)
      .where('zone_action', 'rename')
      .orderBy('entry', 'desc')
    return rows.map(journalRowOf).flatMap(({ entry: number, zoneBefore, zoneAfter }) => {
      const [from, to] = [zoneBefore?.name, zoneAfter?.name]
      return from === undefined || to === undefined ? [] : [{ entry: number, from, to }]
    })
  }

  /**
   * One query for each part of the journal with one zone name and a rising clock, the newest first.
   * Each filters by entry numbers instead of times.
   */
  async #splitQuery(query: HistoryQuery): Promise<HistoryQuery[]> {
    const spans = await this.#spansOf(query)
    const queriesByName = query.name === undefined ? [query] : await this.#splitByName(query)
    if (spans === null) {
      return queriesByName
    }
    return queriesByName.flatMap(({ since, until, ...one }) =>
      spans
        .map((span) => ({ ...one, ...intersectSpan(span, one) }))
        .filter(({ after, before }) => before - after > 1)
    )
  }

  /** Number ranges of a query by times or numbers alone; else null. */
  async #spansOf(query: HistoryQuery): Promise<Span[] | null> {
    const { since, until, ...others } = query
    const isTimed = since !== undefined || until !== undefined
    return isTimed || isByNumbersOnly(others)
      ? new JournalTimes(this.uid, this.client).spans({ since, until })
      : null
  }

  async #splitByName({ name = '', after = 0, ...rest }: HistoryQuery): Promise<HistoryQuery[]> {
    const queries: HistoryQuery[] = []
    let newer: HistoryQuery & { name: string } = { ...rest, name }
    for (const { entry, from, to } of await this.renamesAfter(after)) {
      queries.push({ ...newer, after: entry })
      const older = renameSet({ name: newer.name, type: '' }, to, from)
      newer = { ...newer, name: older.name, before: Math.min(entry + 1, rest.before ?? Infinity) }
    }
    return [...queries, { ...newer, after }]
  }

  async #entriesIn(partQuery: HistoryQuery, { offset, limit }: ListWindow): Promise<JournalRow[]> {
    if (filtersByRRset(partQuery)) {
      const found = (await matchingChanges(this.client, this.uid, partQuery)
        .distinct('c.entry')
        .orderBy('c.entry', 'desc')
        .offset(offset)
        .limit(limit)) as { entry: number }[]
      return this.#entriesWithNumbers(found.map(({ entry }) => entry))
    }
    // Numbers have no gaps: the offset of a page is a difference of numbers.
    const isByNumbers = isByNumbersOnly(partQuery)
    const window = isByNumbers ? { before: Math.max(partQuery.before! - offset, 0) } : {}
    const rows = (await matchingEntries(this.client, this.uid, { ...partQuery, ...window })
      .select('j.*')
      .orderBy('j.entry', 'desc')
      .offset(isByNumbers ? 0 : offset)
      .limit(limit)) as StoredEntry[]
    return rows.map(journalRowOf)
  }

  async #countIn(partQuery: HistoryQuery, maxCount = Infinity): Promise<number> {
    if (isByNumbersOnly(partQuery)) {
      return partQuery.before! - partQuery.after! - 1
    }
    const [matches, entry] = filtersByRRset(partQuery)
      ? [matchingChanges(this.client, this.uid, partQuery).distinct('c.entry'), 'c.entry']
      : [matchingEntries(this.client, this.uid, partQuery).select('j.entry'), 'j.entry']
    // Ordered, so that the index is read only up to the limit.
    if (maxCount !== Infinity) matches.orderBy(entry, 'desc').limit(maxCount)
    const [{ total }] = (await this.client.from(matches.as('some')).count('* as total')) as {
      total: number | string
    }[]
    return Number(total)
  }

  #rows(): DatabaseQueryBuilderContract<StoredEntry> {
    return this.client
      .from('zw_journal')
      .where('zone_uid', this.uid) as DatabaseQueryBuilderContract<StoredEntry>
  }

  /** Entries of these numbers; the numbers have the order of the result. */
  async #entriesWithNumbers(numbers: number[]): Promise<JournalRow[]> {
    const entries: JournalRow[] = []
    for (const part of chunks(numbers)) {
      const rows = await this.#rows().whereIn('entry', part).orderBy('entry', 'desc')
      entries.push(...rows.map(journalRowOf))
    }
    return entries
  }
}

interface StoredEntry {
  id: number | string
  entry: number
  zone_id: number
  zone_name: string
  time: string
  user_id: number | null
  username: string
  api_key_id: number | null
  address: string | null
  channel: string
  reason: string | null
  serial_before: number | string | null
  serial_after: number | string | null
  origin_kind: string | null
  origin_id: string | null
  zone_before: string | null
  zone_after: string | null
}

interface StoredChange {
  journal_id: number | string
  name: string
  type: string
  rrset_before: string | null
  rrset_after: string | null
}

type StoredSet = Pick<RRset, 'ttl' | 'records'> & Pick<RRsetChange, 'comments'>

function journalRowOf(row: StoredEntry): JournalRow {
  return {
    id: Number(row.id),
    entry: row.entry,
    zoneId: row.zone_id,
    zoneName: row.zone_name,
    time: row.time,
    userId: row.user_id,
    username: row.username,
    apiKeyId: row.api_key_id,
    address: row.address,
    channel: row.channel,
    reason: row.reason,
    serialBefore: numberOrNull(row.serial_before),
    serialAfter: numberOrNull(row.serial_after),
    originKind: row.origin_kind,
    originId: row.origin_id,
    zoneBefore: parseJson<ZoneProperties>(row.zone_before),
    zoneAfter: parseJson<ZoneProperties>(row.zone_after),
  }
}

function changeOf({ name, type, rrset_before: before, rrset_after: after }: StoredChange) {
  const [old, wanted] = [before, after].map((text) => parseJson<StoredSet>(text))
  const set = (state: StoredSet | null): RRset | null =>
    state && { name, type, ttl: state.ttl, records: state.records }
  const comments = (wanted ?? old)?.comments
  return {
    name,
    type,
    before: set(old),
    after: set(wanted),
    ...(comments ? { comments } : {}),
  }
}

/** The part of a span that a query by numbers covers. */
function intersectSpan(span: Span, { after = 0, before = Infinity }: HistoryQuery): Span {
  return { after: Math.max(span.after, after), before: Math.min(span.before, before) }
}

function numberOrNull(value: number | string | null): number | null {
  return value === null ? null : Number(value)
}

function parseJson<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
