import type { ZoneProperties } from '#changes/model/zone_properties'
import type { JournalRow } from '#changes/model/journal_entry'
import type { ChangedProperty } from '#changes/planning/properties'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRsetKey } from '#dns/types'

/** A property of the zone that was changed again, at the apex with the type ''. */
export interface PropertyConflict extends RRsetKey {
  property: keyof ZoneProperties
  /** Of `metadata`: which kind. */
  kind?: string
  /** null where no entry tells, since the journal was pruned. */
  entry: number | null
}

/** Says of changed properties which of these entries, the newest first, changed each of them. */
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
