import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ZoneProperties } from '#changes/change_set'
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

/** What entries can be asked for: where the change came from, or what of the zone as a whole it was about. */
export const HISTORY_ACTIONS = [
  'create',
  'delete',
  'properties',
  'undo',
  'restore',
  'request',
  'template',
  'import',
  'bulk',
] as const
export type HistoryAction = (typeof HISTORY_ACTIONS)[number]

/** Which entries of a zone; absent members do not narrow. */
export interface HistoryQuery {
  /** Owner names, canonical. */
  names?: string[]
  type?: string
  username?: string
  door?: string
  /** What was done: a way that changes come about, or something done to the zone as a whole. */
  action?: HistoryAction
  /** Moments as own tables store them, both included. */
  since?: string
  until?: string
  /** Only entries before this one. */
  before?: number
  /** Only entries after this one. */
  after?: number
}

/** Reads the journal of one zone by its uid. */
export class JournalReader {
  constructor(
    private readonly uid: string,
    private readonly client: QueryClientContract = db.connection()
  ) {}

  /** Entries, the newest first. */
  async entries(
    query: HistoryQuery,
    window: { offset: number; limit: number }
  ): Promise<JournalRow[]> {
    const rows = await this.#matching(query)
      .select('zw_journal.*')
      .orderBy('entry', 'desc')
      .offset(window.offset)
      .limit(window.limit)
    return rows.map(rowOf)
  }

  /** How many entries match. */
  async count(query: HistoryQuery): Promise<number> {
    const [row] = await this.#matching(query).count('* as total')
    const { total } = row as unknown as { total: number | string }
    return Number(total)
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
        .join('zw_journal', 'zw_journal.id', 'zw_journal_changes.journal_id')
        .where('zw_journal.zone_uid', this.uid)
        .where('zw_journal.entry', '>', entry)
        .whereIn('zw_journal_changes.name', part)
        .groupBy('zw_journal_changes.name', 'zw_journal_changes.type')
        .select('zw_journal_changes.name', 'zw_journal_changes.type')
        .max('zw_journal.entry as last')) as { name: string; type: string; last: number }[]
      rows.forEach(({ name, type, last }) => touches.set(`${name} ${type}`, Number(last)))
    }
    return touches
  }

  /** Entries after `entry` that changed the zone itself, the newest first. */
  async zoneSteps(entry: number): Promise<JournalRow[]> {
    const rows = await this.#rows()
      .where('entry', '>', entry)
      .whereNotNull('zone_after')
      .orderBy('entry', 'desc')
    return rows.map(rowOf)
  }

  #rows(): DatabaseQueryBuilderContract<StoredEntry> {
    return this.client
      .from('zw_journal')
      .where('zone_uid', this.uid) as DatabaseQueryBuilderContract<StoredEntry>
  }

  #matching({ names, type, username, door, action, since, until, before, after }: HistoryQuery) {
    const rows = this.#rows()
    if (action !== undefined) narrowToAction(rows, action)
    const exact = { username, door }
    for (const [column, value] of Object.entries(exact)) {
      if (value !== undefined) rows.where(column, value)
    }
    if (since !== undefined) rows.where('time', '>=', since)
    if (until !== undefined) rows.where('time', '<=', until)
    if (before !== undefined) rows.where('entry', '<', before)
    if (after !== undefined) rows.where('entry', '>', after)
    if (names !== undefined) {
      // Few entries are about one name: they are found by it, and not the other way round.
      rows.whereIn('zw_journal.id', (changes) => {
        changes.from('zw_journal_changes').select('journal_id').whereIn('name', names)
        if (type !== undefined) changes.where('type', type)
      })
    } else if (type !== undefined) {
      rows.whereExists((changes) =>
        changes
          .from('zw_journal_changes')
          .whereColumn('journal_id', 'zw_journal.id')
          .where('type', type)
      )
    }
    return rows
  }
}

/** Entries of zones as a whole have one side only; those of properties both. */
function narrowToAction(
  rows: DatabaseQueryBuilderContract<StoredEntry>,
  action: HistoryAction
): void {
  switch (action) {
    case 'create':
      rows.whereNull('zone_before').whereNotNull('zone_after')
      break
    case 'delete':
      rows.whereNotNull('zone_before').whereNull('zone_after')
      break
    case 'properties':
      rows.whereNotNull('zone_before').whereNotNull('zone_after')
      break
    default:
      rows.where('origin_kind', action)
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

function numberOf(value: number | string | null): number | null {
  return value === null ? null : Number(value)
}

function jsonOf<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
