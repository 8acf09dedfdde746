import type { JournalEntryDetail } from '#changes/journal_reader'
import { isOfNotesAlone } from '#dns/record_notes'
import { propertyLines } from '#web/planned'
import { nameDiffs, type DiffLine, type NameDiff } from '#web/plan_view'

/** An entry of a zone's history, for people. */
export interface HistoryEntry {
  entry: number
  time: string
  username: string
  door: string
  reason: string | null
  serialBefore: number | null
  serialAfter: number | null
  /** How the change came about, where it was not made by itself: with what stands behind it. */
  origin: { kind: string; id: string | null } | null
  names: NameDiff[]
  /** RRsets that it changed, of which `names` may show some only. */
  rrsets: number
  isCut: boolean
  /** Properties of the zone that it changed. */
  properties: DiffLine[]
  /** It made or ended the zone, which is not undone here; null for all others. */
  boundary: 'made' | 'deleted' | null
  /** It changed what is written about records, and no record. */
  isOfComments: boolean
}

/** How much of an entry is shown. */
export interface EntryTerms {
  apex: string
  /** Lines of differences in all. */
  lines: number
  withMetadata: boolean
}

/** An entry with what it changed, or the first of it. */
export function historyEntry(
  entry: JournalEntryDetail & { total: number },
  { apex, lines, withMetadata }: EntryTerms
): HistoryEntry {
  const { zoneBefore, zoneAfter, changes, originKind, originId, total } = entry
  const isBoundary = (zoneBefore === null) !== (zoneAfter === null)
  const all = nameDiffs(apex, changes)
  const names = firstLines(all, lines)
  return {
    entry: entry.entry,
    time: entry.time,
    username: entry.username,
    door: entry.door,
    reason: entry.reason,
    serialBefore: entry.serialBefore,
    serialAfter: entry.serialAfter,
    origin: originKind === null ? null : { kind: originKind, id: originId },
    names,
    rrsets: total,
    isCut: total > changes.length || linesIn(names) < linesIn(all),
    properties: isBoundary ? [] : propertyLines(zoneBefore, zoneAfter, withMetadata),
    boundary: isBoundary ? (zoneAfter ? 'made' : 'deleted') : null,
    isOfComments:
      total === changes.length && !zoneAfter && total > 0 && changes.every(isOfNotesAlone),
  }
}

function firstLines(names: NameDiff[], most: number): NameDiff[] {
  let room = most
  return names.flatMap(({ name, lines }) => {
    const shown = lines.slice(0, Math.max(room, 0))
    room -= shown.length
    return shown.length > 0 ? [{ name, lines: shown }] : []
  })
}

function linesIn(names: NameDiff[]): number {
  return names.reduce((sum, { lines }) => sum + lines.length, 0)
}
