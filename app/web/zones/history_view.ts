import type { JournalEntryDetail } from '#changes/model/journal_entry'
import { changesCommentsOnly } from '#dns/record_comments'
import { propertyLines } from '#web/plans/planned'
import { shownDiffs, type Cut, type DiffLine, type NameDiff } from '#web/plans/plan_view'

/** An entry of the history of a zone, for display. */
export interface HistoryEntry {
  entry: number
  time: string
  username: string
  channel: string
  reason: string | null
  serialBefore: number | null
  serialAfter: number | null
  /** The origin of a derived change, such as a template or request, with its id. */
  origin: { kind: string; id: string | null } | null
  names: NameDiff[]
  /** RRsets that it changed, of which `names` may show some only. */
  rrsets: number
  cut: Cut | null
  /** Properties of the zone that it changed. */
  properties: DiffLine[]
  /** The entry created or deleted the zone, and cannot be undone here; null for others. */
  boundary: 'made' | 'deleted' | null
  /** Only comments on records changed. */
  isOfComments: boolean
}

/** Limits of a displayed entry. */
export interface EntryTerms {
  apex: string
  /** Maximum lines of all differences; by default those of the page of one entry. */
  lines?: number
  /** Whether a shortened difference includes the full text. */
  withText?: boolean
  withMetadata: boolean
}

/** Returns an entry with its changes, shortened if necessary. */
export async function historyEntry(
  entry: JournalEntryDetail & { total: number },
  { apex, lines, withText, withMetadata }: EntryTerms
): Promise<HistoryEntry> {
  const { zoneBefore, zoneAfter, changes, originKind, originId, total } = entry
  const isBoundary = (zoneBefore === null) !== (zoneAfter === null)
  return {
    entry: entry.entry,
    time: entry.time,
    username: entry.username,
    channel: entry.channel,
    reason: entry.reason,
    serialBefore: entry.serialBefore,
    serialAfter: entry.serialAfter,
    origin: originKind === null ? null : { kind: originKind, id: originId },
    ...(await shownDiffs(apex, changes, { lines, total, withText })),
    rrsets: total,
    properties: isBoundary ? [] : propertyLines(zoneBefore, zoneAfter, withMetadata),
    boundary: isBoundary ? (zoneAfter ? 'made' : 'deleted') : null,
    isOfComments:
      total === changes.length && !zoneAfter && total > 0 && changes.every(changesCommentsOnly),
  }
}
