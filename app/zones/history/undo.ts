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
import {
  undoRefusal,
  withTouches,
  type UndoClash,
  type UndoConflict,
} from '#zones/history/undo_conflicts'
import { conflictsOf } from '#zones/history/undo_properties'
import { retryIfChanged } from '#zones/history/retry_if_changed'
import { ZoneHistory, type OpenHistory } from '#zones/history/history'

/** An entry to undo. */
export interface EntryToUndo {
  openedZone: OpenZone
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
    openedZone: OpenZone,
    number: number,
    options: { merge: boolean; condition?: Condition }
  ): Promise<Outcome<AppliedZone>> {
    return mapOutcome(
      this.handleAll(intent, [{ openedZone, number }], options),
      ([applied]) => applied
    )
  }

  /**
   * Undoes one entry per zone, as one change set. Throws as `handle`.
   *
   * @param options `condition` applies to the first zone
   */
  async handleAll(
    intent: Intent,
    entries: EntryToUndo[],
    { merge, condition }: { merge: boolean; condition?: Condition }
  ): Promise<Outcome<AppliedZone[]>> {
    for (const { openedZone } of entries) {
      demand(intent.actor, { action: 'zone.view_history', zone: openedZone.facts })
    }
    return retryIfChanged(async () => {
      const edits: ZoneEdit[] = []
      const clashes: UndoClash[] = []
      for (const entry of entries) {
        edits.push(await this.#undoEdit(intent, entry, merge, clashes))
      }
      if (clashes.length > 0) {
        throw undoRefusal(clashes, entries.length > 1)
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
  async #undoEdit(
    intent: Intent,
    { openedZone, number }: EntryToUndo,
    merge: boolean,
    clashes: UndoClash[]
  ): Promise<ZoneEdit> {
    const { facts } = openedZone
    const zone = (await this.#backend.findZone(openedZone.zone.id)) ?? openedZone.zone
    const history = await this.history.open(zone)
    const entry = await history.journal.entry(number)
    if (!entry) {
      throw await this.history.missingEntry(history.journal, number)
    }
    checkKind(entry)
    if (entry.changes.length > 0) {
      demand(intent.actor, { action: 'zone.edit_records', zone: facts })
    }
    const conflicts: UndoConflict[] = []
    const properties = await this.#undoProperties(
      intent,
      { zone, facts },
      entry,
      history,
      conflicts
    )
    const changes = await this.#undoChanges(zone, history.journal, entry, merge, conflicts)
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
  async #undoChanges(
    zone: BackendZone,
    journal: JournalReader,
    entry: JournalEntryDetail,
    merge: boolean,
    conflicts: UndoConflict[]
  ): Promise<RRsetChange[]> {
    const oldName = entry.zoneBefore?.name ?? entry.zoneName
    const renamedChanges = await mapYielding(entry.changes, (change) =>
      renamedChange(change, oldName, zone.name)
    )
    const owners = [...new Set(renamedChanges.map(({ name }) => name))]
    const storedSets = await this.#backend.rrsetsAt(zone, owners)
    const current = new Map(storedSets.map((set) => [`${set.name} ${set.type}`, set]))
    const storedComments = await loadCommentsAt(
      zone,
      renamedChanges.some(({ comments }) => comments) ? owners : []
    )
    const touched: RRsetKey[] = []
    const changes: RRsetChange[] = []
    for (const change of renamedChanges) {
      const pause = yieldIfDue()
      if (pause) await pause
      const { name, type } = change
      const currentSet = current.get(`${name} ${type}`) ?? null
      const setAfterUndo = stateWithoutChange(change, currentSet, merge)
      const comments = undoComments(
        change,
        [currentSet, setAfterUndo === 'conflict' ? null : setAfterUndo],
        storedComments,
        merge
      )
      if (setAfterUndo === 'conflict' || comments === 'conflict') {
        touched.push({ name, type })
      } else {
        changes.push({ name, type, before: currentSet, after: setAfterUndo, comments })
      }
    }
    conflicts.push(...(await withTouches(journal, entry, zone.name, touched)))
    return changes
  }

  /** Returns the properties that the entry changed, with their previous values. */
  async #undoProperties(
    { actor }: Intent,
    { zone, facts }: OpenZone,
    entry: JournalEntryDetail,
    { journal, description }: OpenHistory,
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
function stateWithoutChange(
  change: RRsetChange,
  currentSet: RRset | null,
  merge: boolean
): RRset | null | 'conflict' {
  if (changesCommentsOnly(change)) {
    return currentSet
  }
  const isUntouched = isSameState(currentSet, change.after)
  return isUntouched ? change.before : merge ? undoInCurrent(change, currentSet) : 'conflict'
}

/**
 * Returns the comments before the change. A merge skips comments that changed later, or whose
 * record exists neither before nor after the undo.
 */
function undoComments(
  change: RRsetChange,
  states: (RRset | null)[],
  storedComments: ZoneComments,
  merge: boolean
): CommentChange[] | 'conflict' {
  const comments = reversedCommentChanges(change.comments ?? [])
  const { type } = change
  const records = states.flatMap((set) => set?.records ?? [])
  const recordKeys = new Set(records.map((record) => recordKey(type, record)))
  const untouched = comments.filter(
    (comment) =>
      isSameComment(storedComments.commentOn(change, comment), comment.before) &&
      recordKeys.has(recordKey(type, comment))
  )
  return untouched.length < comments.length && !merge ? 'conflict' : untouched
}

function checkKind(entry: JournalEntryDetail): void {
  if (!entry.zoneBefore && entry.zoneAfter) {
    throw conflict(`Entry ${entry.entry} created the zone; to revert this, delete the zone`)
  }
  if (entry.zoneBefore && !entry.zoneAfter) {
    throw conflict(`Entry ${entry.entry} deleted the zone, which has been restored since`)
  }
  if (!entry.zoneBefore && entry.changes.length === 0) {
    throw conflict(
      `Entry ${entry.entry} changed how the zone is signed; to revert this, change its DNSSEC keys`
    )
  }
}

function renamedChange(change: RRsetChange, from: string, to: string): RRsetChange {
  const set = (state: RRset | null) => state && renameSet(state, from, to)
  return { ...renameSet(change, from, to), before: set(change.before), after: set(change.after) }
}
