import { inject } from '@adonisjs/core'
import type { BackendZone, DnsBackend, OutsideBounds } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { HistoryQuery } from '#changes/journal/filters'
import { JournalReader, type Window } from '#changes/journal/reader'
import type { JournalEntryDetail, JournalRow } from '#changes/model/journal_entry'
import { netSteps, renamedSet, reversed, withSerialOf } from '#changes/journal/net_changes'
import { syncExternalChanges } from '#changes/recovery/sync_server'
import { notesAt } from '#changes/comments/comment_store'
import { findZoneRow } from '#changes/zone_index/zone_rows'
import { runYielding, mapYielding } from '#database/event_loop'
import { applySteps } from '#dns/diff'
import { serialOfSet } from '#dns/rdata/soa'
import type { RRset, RRsetChange } from '#dns/types'
import type { RecordComment } from '#dns/zonefile/index'
import { conflict, notFound, type Refusal } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'

/** A point in the life of a zone: right after an entry of its journal, or at a moment. */
export type HistoryPoint = { entry: number } | { time: string } | 'now'

/** A zone as it was. */
export interface ZoneAt {
  zone: BackendZone
  description: string | null
  /** Number of the last entry before or at the point; 0 before the first. */
  entry: number
  /** Moment of that entry; null before the first. */
  time: string | null
  serial: number | null
  rrsets: RRset[]
  /** What was written about its records. */
  comments: RecordComment[]
}

/** A part of the history of a zone. */
export interface HistoryList {
  entries: JournalRow[]
  hasMore: boolean
  /** How many match; null where that was not asked. */
  total: number | null
  /** Whether there are more than `total`: they were counted no further. */
  isMore: boolean
  journal: JournalReader
}

/** What the journal of a zone was read up to, and the reader. */
export interface Book {
  journal: JournalReader
  lastEntry: number
  description: string | null
}

/** How often a read starts again because the zone changed meanwhile. */
const TRIES = 5

/** The journal of one zone, and the zone as it was. */
@inject()
export class ZoneHistory {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Entries, the newest first, and whether there are more behind them. Outside changes become entries first, those of large
   * zones within a minute if they have no serial. How many match
   * in all is counted up to `countTo`, and not where the query goes on from a cursor, which would have to count what was
   * told already.
   */
  async list(
    { zone }: OpenZone,
    query: HistoryQuery,
    { offset, limit }: Window,
    countTo = Infinity
  ): Promise<HistoryList> {
    const { journal } = await this.glance(zone)
    const found = await journal.entries(query, { offset, limit: limit + 1 })
    const total = query.before === undefined ? await journal.count(query, countTo + 1) : null
    return {
      entries: found.slice(0, limit),
      hasMore: found.length > limit,
      total: total && Math.min(total, countTo),
      isMore: total !== null && total > countTo,
      journal,
    }
  }

  /** One entry with what it changed. Throws a 404 `Refusal` when there is none. */
  async entry({ zone }: OpenZone, number: number): Promise<JournalEntryDetail> {
    const { journal } = await this.glance(zone)
    return this.#found(journal, number)
  }

  /**
   * The zone as it was. Throws a 404 `Refusal` for a point that the journal does not reach, or at which the
   * zone did not exist.
   */
  at({ zone }: OpenZone, point: HistoryPoint): Promise<ZoneAt> {
    return this.#stable(zone, async (book) => {
      const entry = await this.entryAt(book, point)
      await this.#demandExisted(book, entry)
      const entries = await this.#between(book, entry, book.lastEntry)
      const net = await runYielding(netSteps(entries, zone.name))
      const current = await this.#backend.allRRsets(zone)
      const { name = zone.name, description = book.description, ...rest } = net.before
      const then = await book.journal.head(entry)
      const serial = then ? then.serialAfter : (entries[0]?.serialBefore ?? serialIn(current))
      const past = await runYielding(applySteps(current, reversed(net.changes)))
      const sets = await mapYielding(past, (set) =>
        withSerialOf(renamedSet(set, zone.name, name), serial)
      )
      // In order of the names that they had.
      const rrsets = await runYielding(applySteps(sets, []))
      const time = then?.time ?? null
      const kept = await notesAt(zone, null)
      for (const change of net.changes) {
        change.notes?.forEach((note) => kept.put(change, note, note.before))
      }
      const comments = kept.among(sets, name)
      return {
        zone: { ...zone, ...rest, name },
        description,
        entry,
        time,
        serial,
        rrsets,
        comments,
      }
    })
  }

  /**
   * What differs between two points, from the first to the second, whichever is older. Names stand under
   * the name that the zone has now.
   */
  diff(
    { zone }: OpenZone,
    from: HistoryPoint,
    to: HistoryPoint
  ): Promise<{ from: number; to: number; changes: RRsetChange[]; properties: PropertyDiff }> {
    return this.#stable(zone, async (book) => {
      const [a, b] = [await this.entryAt(book, from), await this.entryAt(book, to)]
      const entries = await this.#between(book, Math.min(a, b), Math.max(a, b))
      const { changes, before, after } = await runYielding(netSteps(entries, zone.name))
      const isForward = a <= b
      return {
        from: a,
        to: b,
        changes: isForward ? changes : reversed(changes),
        properties: isForward ? { before, after } : { before: after, after: before },
      }
    })
  }

  /** The journal of a zone, with what others changed as its newest entry. */
  open(zone: BackendZone): Promise<Book> {
    return this.#settled(zone, {})
  }

  /** As `open`, at the same cost however large the zone is, for who only looks: see `OutsideBounds.mayBelieve`. */
  glance(zone: BackendZone): Promise<Book> {
    return this.#settled(zone, { mayBelieve: true })
  }

  async #settled(zone: BackendZone, bounds: OutsideBounds): Promise<Book> {
    await syncExternalChanges(this.#backend, zone, bounds)
    const row = await findZoneRow(zone)
    return {
      journal: new JournalReader(row?.uid ?? ''),
      lastEntry: row?.last_entry ?? 0,
      description: row?.description ?? null,
    }
  }

  /**
   * Number of the last entry at a point at which the zone existed. Throws as `at` does: a zone cannot become
   * what it was before it existed.
   */
  async entryOf({ zone }: OpenZone, point: HistoryPoint): Promise<number> {
    const book = await this.open(zone)
    const entry = await this.entryAt(book, point)
    await this.#demandExisted(book, entry)
    return entry
  }

  /** What makes the records of a zone what they were after an entry. */
  async wayBack(
    book: Pick<Book, 'journal' | 'lastEntry'>,
    zone: BackendZone,
    entry: number
  ): Promise<RRsetChange[]> {
    const entries = await this.#between(book, entry, book.lastEntry)
    const net = await runYielding(netSteps(entries, zone.name))
    return reversed(net.changes)
  }

  /** Throws a 404 `Refusal` where the zone did not exist: before it was made, and while it was deleted. */
  async #demandExisted({ journal }: Pick<Book, 'journal'>, entry: number): Promise<void> {
    const here = await journal.head(entry)
    const next = entry === 0 ? await journal.head(1) : null
    if (here && here.zoneBefore && !here.zoneAfter) {
      throw notFound(`The zone did not exist after entry ${entry}, which deleted it`)
    }
    if (next && !next.zoneBefore && next.zoneAfter) {
      throw notFound('The zone did not exist before entry 1, which made it')
    }
  }

  /**
   * Number of the last entry at a point, 0 before the first. Throws a 404 `Refusal` for an entry that there
   * is not, and for what was pruned.
   */
  async entryAt(
    { journal, lastEntry }: Pick<Book, 'journal' | 'lastEntry'>,
    point: HistoryPoint
  ): Promise<number> {
    if (point === 'now') {
      return lastEntry
    }
    const entry = 'entry' in point ? point.entry : ((await journal.lastUntil(point.time)) ?? 0)
    if (entry > lastEntry) {
      throw notFound(`The history of this zone has no entry ${entry}; the newest is ${lastEntry}`)
    }
    const oldest = await journal.oldest()
    if (oldest !== null && entry < oldest - 1) {
      throw notFound(`The history of this zone is kept from entry ${oldest} on`)
    }
    return entry
  }

  async #found(journal: JournalReader, number: number): Promise<JournalEntryDetail> {
    const entry = await journal.entry(number)
    if (!entry) {
      throw await this.missingEntry(journal, number)
    }
    return entry
  }

  /** Entries after `from` up to `to`. Throws a 404 `Refusal` when some of them are pruned meanwhile. */
  async #between(
    { journal }: Pick<Book, 'journal'>,
    from: number,
    to: number
  ): Promise<JournalEntryDetail[]> {
    const entries = await journal.between(from, to)
    if (entries.length < to - from) {
      throw await this.missingEntry(journal, from + 1)
    }
    return entries
  }

  /** Why there is no such entry: the journal starts later, or ends before. */
  async missingEntry(journal: JournalReader, number: number): Promise<Refusal> {
    const oldest = await journal.oldest()
    return oldest !== null && number < oldest
      ? notFound(`The history of this zone is kept from entry ${oldest} on`)
      : notFound(`The history of this zone has no entry ${number}`)
  }

  /** Reads journal and records so that both tell of the same moment. */
  async #stable<T>(zone: BackendZone, read: (book: Book) => Promise<T>): Promise<T> {
    for (let i = 0; i < TRIES; i++) {
      const book = await this.open(zone)
      const result = await read(book)
      const row = await findZoneRow(zone)
      if ((row?.last_entry ?? 0) === book.lastEntry) {
        return result
      }
    }
    throw conflict('The zone is being changed all the time; try again')
  }
}

function serialIn(rrsets: RRset[]): number | null {
  return serialOfSet(rrsets.find(({ type }) => type === 'SOA'))
}

/** Properties of a zone that differ. */
export interface PropertyDiff {
  before: ZoneProperties
  after: ZoneProperties
}
