import type { ZoneProperties } from '#changes/model/zone_properties'
import type { JournalRow } from '#changes/model/journal_entry'
import type { ChangedProperty } from '#changes/planning/properties'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRsetKey } from '#dns/types'

/** A zone property that a later entry changed; reported at the apex with the type ''. */
export interface PropertyConflict extends RRsetKey {
  property: keyof ZoneProperties
  /** Kind of `metadata`. */
  kind?: string
  /** null if the journal of that change was pruned. */
  entry: number | null
}

/** Finds the entry that changed each property last. `steps` are sorted by newest first. */
export function conflictsOf(
  apex: string,
  changed: ChangedProperty[],
  steps: JournalRow[]
): PropertyConflict[] {
  return changed.map((about) => {
    const entry = steps.find(({ zoneAfter }) => zoneAfter && changes(zoneAfter, about))?.entry
    return { name: apex, type: '', ...about, entry: entry ?? null }
  })
}

function changes(after: ZoneProperties, { property, kind }: ChangedProperty): boolean {
  const metadata: Metadata = after.metadata ?? {}
  return kind === undefined ? property in after : kind in metadata
}
