import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ZoneProperties } from '#changes/change_set'
import {
  asksForChanges,
  matchingChanges,
  matchingEntries,
  type HistoryQuery,
} from '#changes/journal_query'
import { renamedSet } from '#changes/net_changes'
import type { RRset, RRsetChange } from '#dns/types'
import { chunks } from '#database/chunks'

/** One entry of a zone's journal. */
export interface JournalRow {
  id: number
  entry: number
  zoneId: number
  zoneName: string
  time: string
  userId: number | null
  username: string
  apiKeyId: number | null
  address: string | null
  door: string
  reason: string | null
  serialBefore: number | null
  serialAfter: number | null
  originKind: string | null
  originId: string | null
  /** Properties before and after; null on both sides where only records changed. */
  zoneBefore: ZoneProperties | null
  zoneAfter: ZoneProperties | null
}

/** A journal entry with what it changed. */
export interface JournalEntryDetail extends JournalRow {
  changes: RRsetChange[]
}

/** Reads the journal of one zone by its uid. */
export class JournalReader {
  constructor(
    private readonly uid: string,
    private readonly client: QueryClientContract = db.connection()
  ) {}

  /** Entries, the newest first. Reads as many as the window ends at, however many match. */
  async entries(
    query: HistoryQuery,
    { offset, limit }: { offset: number; limit: number }
  ): Promise<JournalRow[]> {
    if (asksForChanges(query)) {
      return this.#numbered(await this.#changing(query, { offset, limit }))
    }
    const rows = (await matchingEntries(this.client, this.uid, query)
      .select('j.*')
      .orderBy('j.entry', 'desc')
      .offset(offset)
      .limit(limit)) as StoredEntry[]
    return rows.map(rowOf)
  }

  /** How many entries match; goes through all of them in an index. */
  async count(query: HistoryQuery): Promise<number> {
    if (!asksForChanges(query)) {
      return totalOf(await matchingEntries(this.client, this.uid, query).count('* as total'))
    }
    let total = 0
    for (const stretch of await this.#stretches(query)) {
      total += await this.#countIn(stretch)
    }
    return total
  }

  /** One entry without what it changed; null when there is none. */
  async head(number: number): Promise<JournalRow | null> {
    const row: StoredEntry | null = await this.#rows().where('entry', number).first()
    return row && rowOf(row)
  }

  /** One entry; null when there is none. */
  async entry(number: number): Promise<JournalEntryDetail | null> {
    const row = await this.head(number)
    const [detail] = row ? await this.withChanges([row]) : [null]
    return detail
  }

  /** Adds what they changed to entries. */
  async withChanges(entries: JournalRow[]): Promise<JournalEntryDetail[]> {
    const details = new Map(entries.map((entry) => [entry.id, { ...entry, changes: [] }]))
    for (const ids of chunks([...details.keys()])) {
      const rows: StoredChange[] = await this.client
        .from('zw_journal_changes')
        .whereIn('journal_id', ids)
        .orderBy(['journal_id', 'position'])
      for (const row of rows) {
        const entry: JournalEntryDetail | undefined = details.get(Number(row.journal_id))
        entry?.changes.push(changeOf(row))
      }
    }
    return [...details.values()]
  }

  /**
   * Adds the first of what they changed to entries, at most `most` RRsets each, and how many they changed in all: entries
   * of imports have any number.
   */
  async withFirstChanges(
    entries: JournalRow[],
    most: number
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
        .limit(most)
      details.push({ ...entry, changes: rows.map(changeOf), total: totals.get(entry.id) ?? 0 })
    }
    return details
  }

  /** Entries after `from` up to and including `to`, the oldest first, with what they changed. */
  async between(from: number, to: number): Promise<JournalEntryDetail[]> {
    const rows: StoredEntry[] = await this.#rows()
      .where('entry', '>', from)
      .where('entry', '<=', to)
      .orderBy('entry')
    return this.withChanges(rows.map(rowOf))
  }

  /** Number of the oldest entry that is kept; null when there is none. */
  async oldest(): Promise<number | null> {
    const [row] = await this.#rows().min('entry as oldest')
    const { oldest } = row as unknown as { oldest: number | null }
    return oldest === null ? null : Number(oldest)
  }

  /** Number of the last entry made up to a moment; null when there is none. */
  async lastUntil(moment: string): Promise<number | null> {
    // The highest number, not the latest time: clocks are set back, numbers are not.
    const [row] = await this.#rows().where('time', '<=', moment).max('entry as last')
    const { last } = row as unknown as { last: number | null }
    return last === null ? null : Number(last)
  }

  /** Numbers of the newest entries after `entry` that changed RRsets of these names, by "name type". */
  async lastTouches(entry: number, names: string[]): Promise<Map<string, number>> {
    const touches = new Map<string, number>()
    for (const part of chunks(names)) {
      const rows = (await this.client
        .from('zw_journal_changes')
        .where('zone_uid', this.uid)
        .where('entry', '>', entry)
        .whereIn('name', part)
        .groupBy('name', 'type')
        .select('name', 'type')
        .max('entry as last')) as { name: string; type: string; last: number }[]
      rows.forEach(({ name, type, last }) => touches.set(`${name} ${type}`, Number(last)))
    }
    return touches
  }

  /** Entries after `entry` that changed the zone itself, the newest first. */
  async zoneSteps(entry: number): Promise<JournalRow[]> {
    const rows = await this.#rows()
      .where('entry', '>', entry)
      .whereIn('zone_action', ['create', 'rename', 'properties'])
      .orderBy('entry', 'desc')
    return rows.map(rowOf)
  }

  /** How entries after `entry` renamed the zone, the newest first. What such an entry changed stands under the old name. */
  async renames(entry: number): Promise<{ entry: number; from: string; to: string }[]> {
    const rows = await this.#rows()
      .where('entry', '>', entry)
      .where('zone_action', 'rename')
      .orderBy('entry', 'desc')
    return rows.map(rowOf).flatMap(({ entry: number, zoneBefore, zoneAfter }) => {
      const [from, to] = [zoneBefore?.name, zoneAfter?.name]
      return from === undefined || to === undefined ? [] : [{ entry: number, from, to }]
    })
  }

  /** A query for each stretch of the journal in which the zone had one name, the newest first. */
  async #stretches(query: HistoryQuery): Promise<HistoryQuery[]> {
    const { after = 0, ...rest } = query
    if (query.name === undefined) {
      return [query]
    }
    const stretches: HistoryQuery[] = []
    let newer = { ...rest, name: query.name }
    for (const { entry, from, to } of await this.renames(after)) {
      stretches.push({ ...newer, after: entry })
      const { name } = renamedSet({ name: newer.name, type: '' }, to, from)
      newer = { ...newer, name, before: Math.min(entry + 1, query.before ?? Infinity) }
    }
    return [...stretches, { ...newer, after }]
  }

  /** Numbers of entries that changed what is asked for, the newest first. */
  async #changing(
    query: HistoryQuery,
    { offset, limit }: { offset: number; limit: number }
  ): Promise<number[]> {
    const numbers: number[] = []
    let skipped = offset
    for (const stretch of await this.#stretches(query)) {
      const found = (await matchingChanges(this.client, this.uid, stretch)
        .distinct('c.entry')
        .orderBy('c.entry', 'desc')
        .offset(skipped)
        .limit(limit - numbers.length)) as { entry: number }[]
      numbers.push(...found.map(({ entry }) => entry))
      if (numbers.length === limit) break
      skipped -= found.length > 0 || skipped === 0 ? skipped : await this.#countIn(stretch)
    }
    return numbers
  }

  async #countIn(stretch: HistoryQuery): Promise<number> {
    return totalOf(
      await matchingChanges(this.client, this.uid, stretch).countDistinct('c.entry as total')
    )
  }

  #rows(): DatabaseQueryBuilderContract<StoredEntry> {
    return this.client
      .from('zw_journal')
      .where('zone_uid', this.uid) as DatabaseQueryBuilderContract<StoredEntry>
  }

  /** Entries of these numbers, which are in the order of the result. */
  async #numbered(numbers: number[]): Promise<JournalRow[]> {
    const entries: JournalRow[] = []
    for (const part of chunks(numbers)) {
      const rows = await this.#rows().whereIn('entry', part).orderBy('entry', 'desc')
      entries.push(...rows.map(rowOf))
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
  door: string
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

type StoredSet = Pick<RRset, 'ttl' | 'records'> & Pick<RRsetChange, 'notes'>

function rowOf(row: StoredEntry): JournalRow {
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
    door: row.door,
    reason: row.reason,
    serialBefore: numberOf(row.serial_before),
    serialAfter: numberOf(row.serial_after),
    originKind: row.origin_kind,
    originId: row.origin_id,
    zoneBefore: jsonOf<ZoneProperties>(row.zone_before),
    zoneAfter: jsonOf<ZoneProperties>(row.zone_after),
  }
}

function changeOf({ name, type, rrset_before: before, rrset_after: after }: StoredChange) {
  const [old, wanted] = [before, after].map((text) => jsonOf<StoredSet>(text))
  const set = (state: StoredSet | null): RRset | null =>
    state && { name, type, ttl: state.ttl, records: state.records }
  const notes = (wanted ?? old)?.notes
  return { name, type, before: set(old), after: set(wanted), ...(notes ? { notes } : {}) }
}

function totalOf(rows: unknown[]): number {
  const [{ total }] = rows as { total: number | string }[]
  return Number(total)
}

function numberOf(value: number | string | null): number | null {
  return value === null ? null : Number(value)
}

function jsonOf<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
