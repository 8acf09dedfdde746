import type { JournalReader } from '#changes/journal/reader'
import type { JournalEntryDetail } from '#changes/model/journal_entry'
import { renameSet } from '#changes/journal/net_changes'
import type { RRsetKey } from '#dns/types'
import { Refusal } from '#exceptions/refusal'
import type { PropertyConflict } from '#zones/history/undo_properties'

/** An RRset or a zone property that a later entry changed. */
export interface UndoConflict
  extends RRsetKey, Partial<Pick<PropertyConflict, 'property' | 'kind'>> {
  /** null if the journal of that change was pruned. */
  entry: number | null
  /** Name of the zone, if the undo covers several zones. */
  zone?: string
}

/** An entry with conflicts. */
export interface UndoClash {
  zoneName: string
  entry: number
  conflicts: UndoConflict[]
}

/** Conflicts of an entry in the message of the error; its data contain all. */
const MAX_NAMED_CONFLICTS = 10

/**
 * Returns a 409 with all conflicts of all entries.
 *
 * @param isOfSeveral whether the undo covers several zones; adds the zone to each conflict
 */
export function undoRefusal(clashes: UndoClash[], isOfSeveral: boolean): Refusal {
  const lines = clashes.map(({ zoneName, entry, conflicts }) => {
    const what = isOfSeveral ? `Entry ${entry} of zone '${zoneName}'` : `Entry ${entry}`
    return `${what} cannot be reverted: later changes of ${conflictsText(conflicts)}`
  })
  const conflicts = clashes.flatMap((undoClash) =>
    isOfSeveral
      ? undoClash.conflicts.map((one) => ({ ...one, zone: undoClash.zoneName }))
      : undoClash.conflicts
  )
  return new Refusal(409, lines.join('. '), { conflicts })
}

function conflictsText(conflicts: UndoConflict[]): string {
  const what = conflicts
    .map(({ name, type, property, kind }) =>
      property ? [property, kind].join(' ').trim() : `${name} ${type}`
    )
    .slice(0, MAX_NAMED_CONFLICTS)
  const more =
    conflicts.length > MAX_NAMED_CONFLICTS
      ? ` and ${conflicts.length - MAX_NAMED_CONFLICTS} more`
      : ''
  return `${what.join(', ')}${more}`
}

/** Adds to each RRset the entry that changed it last, under any name of the zone. */
export async function withTouches(
  journal: JournalReader,
  entry: JournalEntryDetail,
  apex: string,
  sets: RRsetKey[]
): Promise<UndoConflict[]> {
  if (sets.length === 0) {
    return []
  }
  const renames = await journal.renamesAfter(entry.entry)
  const apexes = [...new Set([apex, ...renames.map(({ from }) => from)])]
  const namesOf = (name: string) =>
    apexes.map((old) => renameSet({ name, type: '' }, apex, old).name)
  const names = [...new Set(sets.flatMap(({ name }) => namesOf(name)))]
  const touches = await journal.lastChangesOf(entry.entry, names)
  return sets.map(({ name, type }) => {
    const found = namesOf(name).map((old) => touches.get(`${old} ${type}`) ?? 0)
    return { name, type, entry: Math.max(...found) || null }
  })
}
