import { isDeepStrictEqual } from 'node:util'
import type { ZoneProperties } from '#changes/change_set'
import type { JournalRow } from '#changes/journal_reader'
import { sameValues, type Metadata } from '#dns/metadata/metadata'
import type { RRsetKey } from '#dns/types'

/** A property of the zone that was changed again, at the apex with the type ''. */
export interface PropertyConflict extends RRsetKey {
  property: keyof ZoneProperties
  /** Of `metadata`: which kind. */
  kind?: string
  /** null where no entry tells, since the journal was pruned. */
  entry: number | null
}

/** The properties that are not what an entry made them. */
export function changedSince(
  { metadata: stored = {}, ...properties }: ZoneProperties,
  { metadata = {}, ...made }: ZoneProperties
): { property: keyof ZoneProperties; kind?: string }[] {
  const keys = (Object.keys(made) as (keyof typeof made)[]).filter(
    (key) => !isDeepStrictEqual(properties[key], made[key])
  )
  const kinds = Object.keys(metadata).filter(
    (kind) => !sameValues(stored[kind] ?? [], metadata[kind])
  )
  return [
    ...keys.map((property) => ({ property })),
    ...kinds.map((kind) => ({ property: 'metadata' as const, kind })),
  ]
}

/** Says of changed properties which of these entries, the newest first, changed each of them. */
export function conflictsOf(
  apex: string,
  changed: ReturnType<typeof changedSince>,
  steps: JournalRow[]
): PropertyConflict[] {
  return changed.map((about) => {
    const entry = steps.find(({ zoneAfter }) => zoneAfter && changes(zoneAfter, about))?.entry
    return { name: apex, type: '', ...about, entry: entry ?? null }
  })
}

function changes(
  after: ZoneProperties,
  { property, kind }: { property: keyof ZoneProperties; kind?: string }
): boolean {
  const metadata: Metadata = after.metadata ?? {}
  return kind === undefined ? property in after : kind in metadata
}
