import type { JournalReader } from '#changes/journal/reader'
import type { JournalEntryDetail } from '#changes/model/journal_entry'
import { renamedSet } from '#changes/journal/net_changes'
import type { RRsetKey } from '#dns/types'
import { Refusal } from '#exceptions/refusal'
import type { PropertyConflict } from '#zones/history/undo_properties'

/** An RRset that was changed again, and by which entry; or a property of the zone. */
export interface UndoConflict
  extends RRsetKey, Partial<Pick<PropertyConflict, 'property' | 'kind'>> {
  /** null where no entry tells, since the journal was pruned. */
  entry: number | null
  /** Name of the zone, where entries of several are taken back at once. */
  zone?: string
}

/** An entry that cannot be taken back, and why. */
export interface Clash {
  zoneName: string
  entry: number
  conflicts: UndoConflict[]
}

/** Conflicts of an entry that the message of a refusal names; its data has all. */
const MAX_TOLD = 10

/**
 * A 409 that tells all conflicts of all entries.
 *
 * @param isOfSeveral whether entries of several zones are taken back: each is told with its zone then
 */
export function clashed(clashes: Clash[], isOfSeveral: boolean): Refusal {
  const told = clashes.map(({ zoneName, entry, conflicts }) => {
    const what = isOfSeveral ? `Entry ${entry} of zone '${zoneName}'` : `Entry ${entry}`
    return `${what} cannot be undone: changed again since: ${listed(conflicts)}`
  })
  const conflicts = clashes.flatMap((clash) =>
    isOfSeveral ? clash.conflicts.map((one) => ({ ...one, zone: clash.zoneName })) : clash.conflicts
  )
  return new Refusal(409, told.join('. '), { conflicts })
}

function listed(conflicts: UndoConflict[]): string {
  const what = conflicts
    .map(({ name, type, property, kind }) =>
      property ? [property, kind].join(' ').trim() : `${name} ${type}`
    )
    .slice(0, MAX_TOLD)
  const more = conflicts.length > MAX_TOLD ? ` and ${conflicts.length - MAX_TOLD} more` : ''
  return `${what.join(', ')}${more}`
}

/** Adds to RRsets by which entry each was changed last, under whichever name the zone had then. */
export async function withTouches(
  journal: JournalReader,
  entry: JournalEntryDetail,
  apex: string,
  sets: RRsetKey[]
): Promise<UndoConflict[]> {
  if (sets.length === 0) {
    return []
  }
  const renames = await journal.renames(entry.entry)
  const apexes = [...new Set([apex, ...renames.map(({ from }) => from)])]
  const namesOf = (name: string) =>
    apexes.map((old) => renamedSet({ name, type: '' }, apex, old).name)
  const names = [...new Set(sets.flatMap(({ name }) => namesOf(name)))]
  const touches = await journal.lastTouches(entry.entry, names)
  return sets.map(({ name, type }) => {
    const found = namesOf(name).map((old) => touches.get(`${old} ${type}`) ?? 0)
    return { name, type, entry: Math.max(...found) || null }
  })
}
