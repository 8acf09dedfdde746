import { inject } from '@adonisjs/core'
import { demand } from '#access/demand'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition, ZoneEdit } from '#changes/model/change_set'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { Intent } from '#changes/model/intent'
import { undoInCurrent, buildRestoringAction } from '#changes/journal/undo_actions'
import type { JournalReader } from '#changes/journal/reader'
import type { JournalEntryDetail } from '#changes/model/journal_entry'
import { renameSet, isSameState } from '#changes/journal/net_changes'
import { loadCommentsAt, type ZoneComments } from '#changes/comments/comment_store'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { findChangedSince, demandProperties } from '#changes/planning/properties'
import { mapYielding, yieldIfDue } from '#database/event_loop'
import { recordKey } from '#dns/diff'
import { changesCommentsOnly, reversedCommentChanges, isSameComment } from '#dns/record_comments'
import type { CommentChange, RRset, RRsetChange, RRsetKey } from '#dns/types'
import { conflict } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { checkOverlap } from '#zones/overlap'
import { clashed, withTouches, type Clash, type UndoConflict } from '#zones/history/undo_conflicts'
import { conflictsOf } from '#zones/history/undo_properties'
import { retryIfChanged } from '#zones/history/retry_if_changed'
import { ZoneHistory, type Book } from '#zones/history/history'

/** An entry to undo. */
export interface UndoneEntry {
  open: OpenZone
  number: number
}

/** Undoes an entry of the journal by a new change set. */
@inject()
export class UndoEntry {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly history: ZoneHistory
  ) {
    this.#backend = manager.use()
  }

  /**
   * Undoes an entry. Throws a 404 `Refusal` if it does not exist, and a 409 with all `conflicts` if
   * later entries changed the same data. `merge` limits conflicts to changes that exclude each
   * other.
   */
  async handle(
    intent: Intent,
    open: OpenZone,
    number: number,
    options: { merge: boolean; condition?: Condition }
  ): Promise<Outcome<AppliedZone>> {
    return mapOutcome(this.handleAll(intent, [{ open, number }], options), ([applied]) => applied)
  }

  /**
   * Undoes one entry per zone, as one change set. Throws as `handle`.
   *
   * @param options `condition` applies to the first zone
   */
  async handleAll(
    intent: Intent,
    entries: UndoneEntry[],
    { merge, condition }: { merge: boolean; condition?: Condition }
  ): Promise<Outcome<AppliedZone[]>> {
    for (const { open } of entries) {
      demand(intent.actor, { action: 'zone.view_history', zone: open.facts })
    }
    return retryIfChanged(async () => {
      const edits: ZoneEdit[] = []
      const clashes: Clash[] = []
      for (const entry of entries) {
        edits.push(await this.#editBack(intent, entry, merge, clashes))
      }
      if (clashes.length > 0) {
        throw clashed(clashes, entries.length > 1)
      }
      return submitChangeSet(this.#backend, {
        intent,
        // Each edit has its own origin.
        origin: null,
        zones: edits.map((edit, index) => (index === 0 ? { ...edit, condition } : edit)),
      })
    })
  }

  /** Returns the edit that undoes an entry in its zone. Adds conflicts to `clashes`. */
  async #editBack(
    intent: Intent,
    { open, number }: UndoneEntry,
    merge: boolean,
    clashes: Clash[]
  ): Promise<ZoneEdit> {
    const { facts } = open
    const zone = (await this.#backend.findZone(open.zone.id)) ?? open.zone
    const book = await this.history.open(zone)
    const entry = await book.journal.entry(number)
    if (!entry) {
      throw await this.history.missingEntry(book.journal, number)
    }
    checkKind(entry)
    if (entry.changes.length > 0) {
      demand(intent.actor, { action: 'zone.edit_records', zone: facts })
    }
    const conflicts: UndoConflict[] = []
    const properties = await this.#propertiesBack(intent, { zone, facts }, entry, book, conflicts)
    const changes = await this.#changesBack(zone, book.journal, entry, merge, conflicts)
    if (conflicts.length > 0) {
      clashes.push({ zoneName: zone.name, entry: number, conflicts })
    }
    return {
      op: 'edit',
      zoneId: zone.id,
      properties,
      propertiesFrom: entry.zoneBefore ? (entry.zoneAfter ?? undefined) : undefined,
      actions: changes.map(buildRestoringAction),
      continuesSerial: true,
      origin: { kind: 'undo', id: String(number) },
    }
  }

  /** Changes from the current RRsets to those without the entry. */
  async #changesBack(
    zone: BackendZone,
    journal: JournalReader,
    entry: JournalEntryDetail,
    merge: boolean,
    conflicts: UndoConflict[]
  ): Promise<RRsetChange[]> {
    const then = entry.zoneBefore?.name ?? entry.zoneName
    const undone = await mapYielding(entry.changes, (change) => moved(change, then, zone.name))
    const owners = [...new Set(undone.map(({ name }) => name))]
    const stored = await this.#backend.rrsetsAt(zone, owners)
    const current = new Map(stored.map((set) => [`${set.name} ${set.type}`, set]))
    const storedComments = await loadCommentsAt(
      zone,
      undone.some(({ comments }) => comments) ? owners : []
    )
    const touched: RRsetKey[] = []
    const changes: RRsetChange[] = []
    for (const change of undone) {
      const due = yieldIfDue()
      if (due) await due
      const { name, type } = change
      const now = current.get(`${name} ${type}`) ?? null
      const wanted = stateBack(change, now, merge)
      const comments = commentsBack(
        change,
        [now, wanted === 'conflict' ? null : wanted],
        storedComments,
        merge
      )
      if (wanted === 'conflict' || comments === 'conflict') {
        touched.push({ name, type })
      } else {
        changes.push({ name, type, before: now, after: wanted, comments })
      }
    }
    conflicts.push(...(await withTouches(journal, entry, zone.name, touched)))
    return changes
  }

  /** Returns the properties that the entry changed, with their previous values. */
  async #propertiesBack(
    { actor }: Intent,
    { zone, facts }: OpenZone,
    entry: JournalEntryDetail,
    { journal, description }: Book,
    conflicts: UndoConflict[]
  ): Promise<ZoneProperties> {
    const { zoneBefore, zoneAfter } = entry
    if (!zoneBefore || !zoneAfter) {
      return {}
    }
    demandProperties(actor, facts, zoneBefore)
    if (zoneBefore.kind !== undefined) {
      demand(actor, { action: 'zone.create', kind: zoneBefore.kind })
    }
    const metadata = zoneAfter.metadata ? await this.#backend.metadataOf(zone) : {}
    const changed = findChangedSince({ ...zone, description, metadata }, zoneAfter)
    if (changed.length > 0) {
      const steps = await journal.zoneChangesAfter(entry.entry)
      conflicts.push(...conflictsOf(zone.name, changed, steps))
      return zoneBefore
    }
    const { name } = zoneBefore
    if (name !== undefined && name !== zone.name) {
      await checkOverlap(this.#backend, actor, name, zone.id)
    }
    return zoneBefore
  }
}

/** Returns the RRset without the change; unchanged if only comments differ. */
function stateBack(
  change: RRsetChange,
  now: RRset | null,
  merge: boolean
): RRset | null | 'conflict' {
  if (changesCommentsOnly(change)) {
    return now
  }
  const isUntouched = isSameState(now, change.after)
  return isUntouched ? change.before : merge ? undoInCurrent(change, now) : 'conflict'
}

/**
 * Returns the comments before the change. A merge skips comments that changed later, or whose
 * record exists neither before nor after the undo.
 */
function commentsBack(
  change: RRsetChange,
  states: (RRset | null)[],
  stored: ZoneComments,
  merge: boolean
): CommentChange[] | 'conflict' {
  const comments = reversedCommentChanges(change.comments ?? [])
  const { type } = change
  const records = states.flatMap((set) => set?.records ?? [])
  const there = new Set(records.map((record) => recordKey(type, record)))
  const untouched = comments.filter(
    (comment) =>
      isSameComment(stored.commentOn(change, comment), comment.before) &&
      there.has(recordKey(type, comment))
  )
  return untouched.length < comments.length && !merge ? 'conflict' : untouched
}

function checkKind(entry: JournalEntryDetail): void {
  if (!entry.zoneBefore && entry.zoneAfter) {
    throw conflict(`Entry ${entry.entry} made the zone; to take that back, delete the zone`)
  }
  if (entry.zoneBefore && !entry.zoneAfter) {
    throw conflict(`Entry ${entry.entry} deleted the zone, and it was brought back since`)
  }
  if (!entry.zoneBefore && entry.changes.length === 0) {
    throw conflict(
      `Entry ${entry.entry} changed how the zone is signed; to take that back, change its DNSSEC keys`
    )
  }
}

function moved(change: RRsetChange, from: string, to: string): RRsetChange {
  const set = (state: RRset | null) => state && renameSet(state, from, to)
  return { ...renameSet(change, from, to), before: set(change.before), after: set(change.after) }
}
