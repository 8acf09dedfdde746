import type { JournalEntryDetail } from '#changes/journal_reader'
import { nameDiffs, type NameDiff } from '#web/plan_view'

/** An entry of a zone's history, for people. */
export interface HistoryEntry {
  entry: number
  time: string
  username: string
  door: string
  reason: string | null
  serialAfter: number | null
  /** Entry that was undone by it. */
  undoes: string | null
  names: NameDiff[]
  rrsets: number
  /** Properties of the zone that it changed, by name. */
  properties: string[]
  /** It made or ended the zone, which is not undone here. */
  isBoundary: boolean
}

/** An entry with what it changed. */
export function historyEntry(entry: JournalEntryDetail, apex: string): HistoryEntry {
  const { zoneBefore, zoneAfter, changes, originKind, originId } = entry
  const isBoundary = (zoneBefore === null) !== (zoneAfter === null)
  return {
    entry: entry.entry,
    time: entry.time,
    username: entry.username,
    door: entry.door,
    reason: entry.reason,
    serialAfter: entry.serialAfter,
    undoes: originKind === 'undo' ? originId : null,
    names: nameDiffs(apex, changes),
    rrsets: changes.length,
    properties: isBoundary ? [] : Object.keys({ ...zoneBefore, ...zoneAfter }),
    isBoundary,
  }
}
