import { inject } from '@adonisjs/core'
import type { BackendZone, DnsBackend, ExternalCheckBounds } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { HistoryQuery } from '#changes/journal/filters'
import { JournalReader, type ListWindow } from '#changes/journal/reader'
import type { JournalEntryDetail, JournalRow } from '#changes/model/journal_entry'
import { netChangeSteps, renameSet, reverseChanges, withSerial } from '#changes/journal/net_changes'
import { syncExternalChanges } from '#changes/recovery/sync_server'
import { loadCommentsAt } from '#changes/comments/comment_store'
import { findZoneRow } from '#changes/zone_index/zone_rows'
import { runYielding, mapYielding } from '#database/event_loop'
import { applySteps } from '#dns/diff'
import { serialOfSet } from '#dns/rdata/soa'
import type { RRset, RRsetChange } from '#dns/types'
import type { RecordComment } from '#dns/zonefile/index'
import { conflict, notFound, type Refusal } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'

/** A point in the history of a zone: after a journal entry, or at a time. */
export type HistoryPoint = { entry: number } | { time: string } | 'now'

/** A zone at a point of its history. */
export interface ZoneAt {
  zone: BackendZone
  description: string | null
  /** Number of the last entry up to the point; 0 before the first entry. */
  entry: number
  /** Time of that entry; null before the first entry. */
  time: string | null
  serial: number | null
  rrsets: RRset[]
  /** Record comments at the point. */
  comments: RecordComment[]
}

/** A page of the history of a zone. */
export interface HistoryList {
  entries: JournalRow[]
  hasMore: boolean
  /** Number of matching entries; null if not counted. */
  total: number | null
  /** Whether more than `total` entries match; counting stopped there. */
  isMore: boolean
  journal: JournalReader
}

/** The journal reader, and the state of the zone row when it was opened. */
export interface OpenHistory {
  journal: JournalReader
  lastEntry: number
  description: string | null
}

/** Attempts of a read when the zone changes at the same time. */
const MAX_ATTEMPTS = 5

/** The journal of a zone, and earlier states of the zone. */
@inject()
export class ZoneHistory {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Returns entries, newest first. Records external changes first; large zones without a serial can
   * lag by one minute. Counts matches up to `countTo`, except after a cursor.
   */
  async list(
    { zone }: OpenZone,
    query: HistoryQuery,
    { offset, limit }: ListWindow,
    countTo = Infinity
  ): Promise<HistoryList> {
    const { journal } = await this.openHistory(zone)
    const entries = await journal.entries(query, { offset, limit: limit + 1 })
    const total = query.before === undefined ? await journal.count(query, countTo + 1) : null
    return {
      entries: entries.slice(0, limit),
      hasMore: entries.length > limit,
      total: total && Math.min(total, countTo),
      isMore: total !== null && total > countTo,
      journal,
    }
  }

  /** Returns an entry with its changes. Throws a 404 `Refusal` if it does not exist. */
  async entry({ zone }: OpenZone, number: number): Promise<JournalEntryDetail> {
    const { journal } = await this.openHistory(zone)
    return this.#requireEntry(journal, number)
  }

  /**
   * Returns the zone at a point. Throws a 404 `Refusal` if the journal does not reach the point, or
   * if the zone did not exist then.
   */
  stateAt({ zone }: OpenZone, point: HistoryPoint): Promise<ZoneAt> {
    return this.#retryIfZoneChanged(zone, async (history) => {
      const entry = await this.entryAt(history, point)
      await this.#requireExisted(history, entry)
      const entries = await this.#entriesBetween(history, entry, history.lastEntry)
      const net = await runYielding(netChangeSteps(entries, zone.name))
      const current = await this.#backend.allRRsets(zone)
      const { name = zone.name, description = history.description, ...pastProperties } = net.before
      const entryRow = await history.journal.entryWithoutChanges(entry)
      const serial = entryRow
        ? entryRow.serialAfter
        : (entries[0]?.serialBefore ?? serialIn(current))
      const pastRRsets = await runYielding(applySteps(current, reverseChanges(net.changes)))
      const sets = await mapYielding(pastRRsets, (set) =>
        withSerial(renameSet(set, zone.name, name), serial)
      )
      // Sorts by the names at that point.
      const rrsets = await runYielding(applySteps(sets, []))
      const time = entryRow?.time ?? null
      const pastComments = await loadCommentsAt(zone, null)
      for (const change of net.changes) {
        change.comments?.forEach((comment) =>
          pastComments.setComment(change, comment, comment.before)
        )
      }
      const comments = pastComments.commentsAmong(sets, name)
      return {
        zone: { ...zone, ...pastProperties, name },
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
   * Returns the differences from the first to the second point, in either order of time. Names are
   * those of the current zone name.
   */
  diff(
    { zone }: OpenZone,
    from: HistoryPoint,
    to: HistoryPoint
  ): Promise<{ from: number; to: number; changes: RRsetChange[]; properties: PropertyDiff }> {
    return this.#retryIfZoneChanged(zone, async (history) => {
      const [a, b] = [await this.entryAt(history, from), await this.entryAt(history, to)]
      const entries = await this.#entriesBetween(history, Math.min(a, b), Math.max(a, b))
      const { changes, before, after } = await runYielding(netChangeSteps(entries, zone.name))
      const isForward = a <= b
      return {
        from: a,
        to: b,
        changes: isForward ? changes : reverseChanges(changes),
        properties: isForward ? { before, after } : { before: after, after: before },
      }
    })
  }

  /** Opens the journal. Records external changes as the newest entry first. */
  open(zone: BackendZone): Promise<OpenHistory> {
    return this.#openSynced(zone, {})
  }

  /**
   * As `open`, for reads: the cost does not depend on the size of the zone. See
   * `ExternalCheckBounds.allowsCached`.
   */
  openHistory(zone: BackendZone): Promise<OpenHistory> {
    return this.#openSynced(zone, { allowsCached: true })
  }

  async #openSynced(zone: BackendZone, bounds: ExternalCheckBounds): Promise<OpenHistory> {
    await syncExternalChanges(this.#backend, zone, bounds)
    const row = await findZoneRow(zone)
    return {
      journal: new JournalReader(row?.uid ?? ''),
      lastEntry: row?.last_entry ?? 0,
      description: row?.description ?? null,
    }
  }

  /** Returns the number of the last entry at a point at which the zone existed. Throws as `at`. */
  async entryOf({ zone }: OpenZone, point: HistoryPoint): Promise<number> {
    const history = await this.open(zone)
    const entry = await this.entryAt(history, point)
    await this.#requireExisted(history, entry)
    return entry
  }

  /** Returns the changes that restore the records to their state after an entry. */
  async restoreChanges(
    history: Pick<OpenHistory, 'journal' | 'lastEntry'>,
    zone: BackendZone,
    entry: number
  ): Promise<RRsetChange[]> {
    const entries = await this.#entriesBetween(history, entry, history.lastEntry)
    const net = await runYielding(netChangeSteps(entries, zone.name))
    return reverseChanges(net.changes)
  }

  /**
   * Throws a 404 `Refusal` if the zone did not exist: before its creation, or while it was deleted.
   */
  async #requireExisted({ journal }: Pick<OpenHistory, 'journal'>, entry: number): Promise<void> {
    const journalRow = await journal.entryWithoutChanges(entry)
    const next = entry === 0 ? await journal.entryWithoutChanges(1) : null
    if (journalRow && journalRow.zoneBefore && !journalRow.zoneAfter) {
      throw notFound(`The zone did not exist after entry ${entry}, which deleted it`)
    }
    if (next && !next.zoneBefore && next.zoneAfter) {
      throw notFound('The zone did not exist before entry 1, which created it')
    }
  }

  /**
   * Returns the number of the last entry at a point, 0 before the first. Throws a 404 `Refusal` for
   * a missing or pruned entry.
   */
  async entryAt(
    { journal, lastEntry }: Pick<OpenHistory, 'journal' | 'lastEntry'>,
    point: HistoryPoint
  ): Promise<number> {
    if (point === 'now') {
      return lastEntry
    }
    const entry = 'entry' in point ? point.entry : ((await journal.lastEntryUntil(point.time)) ?? 0)
    if (entry > lastEntry) {
      throw notFound(`The history of this zone has no entry ${entry}; the newest is ${lastEntry}`)
    }
    const oldest = await journal.oldestNumber()
    if (oldest !== null && entry < oldest - 1) {
      throw notFound(`The history of this zone starts at entry ${oldest}`)
    }
    return entry
  }

  async #requireEntry(journal: JournalReader, number: number): Promise<JournalEntryDetail> {
    const entry = await journal.entry(number)
    if (!entry) {
      throw await this.missingEntry(journal, number)
    }
    return entry
  }

  /**
   * Returns entries after `from` up to `to`. Throws a 404 `Refusal` if some of them were pruned.
   */
  async #entriesBetween(
    { journal }: Pick<OpenHistory, 'journal'>,
    from: number,
    to: number
  ): Promise<JournalEntryDetail[]> {
    const entries = await journal.entriesBetween(from, to)
    if (entries.length < to - from) {
      throw await this.missingEntry(journal, from + 1)
    }
    return entries
  }

  /** Returns the error for a missing entry: pruned, or newer than the last one. */
  async missingEntry(journal: JournalReader, number: number): Promise<Refusal> {
    const oldest = await journal.oldestNumber()
    return oldest !== null && number < oldest
      ? notFound(`The history of this zone starts at entry ${oldest}`)
      : notFound(`The history of this zone has no entry ${number}`)
  }

  /** Repeats the read until the journal did not change between start and end. */
  async #retryIfZoneChanged<T>(
    zone: BackendZone,
    read: (history: OpenHistory) => Promise<T>
  ): Promise<T> {
    for (let i = 0; i < MAX_ATTEMPTS; i++) {
      const history = await this.open(zone)
      const result = await read(history)
      const row = await findZoneRow(zone)
      if ((row?.last_entry ?? 0) === history.lastEntry) {
        return result
      }
    }
    throw conflict('The zone keeps changing; try again')
  }
}

function serialIn(rrsets: RRset[]): number | null {
  return serialOfSet(rrsets.find(({ type }) => type === 'SOA'))
}

export interface PropertyDiff {
  before: ZoneProperties
  after: ZoneProperties
}
