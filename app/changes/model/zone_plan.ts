import type { BackendZone } from '#backends/contract/backend'
import type { JournalState, SideEffects } from '#changes/model/side_effects'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { Violation } from '#dns/rules/violation'
import type { RRsetChange } from '#dns/types'

/**
 * The effect of a change set on one zone, checked and permitted, with the function that applies it.
 */
export interface ZonePlan {
  /** null for a new zone. */
  zoneId: number | null
  /** Name of the zone before the change; of a new zone, its name after it. */
  zoneName: string
  /** By name, then type; a new serial alone is no change. */
  changes: RRsetChange[]
  /** Changed properties, before and after; null if only records change. */
  properties: { before: ZoneProperties | null; after: ZoneProperties | null } | null
  /** null without an SOA record. */
  serialBefore: number | null
  serialAfter: number | null
  warnings: Violation[]
  /** The change needs review (`review_routing.ts`). */
  needsReview?: boolean
  /** Writes the plan, in the transaction in which it was planned. */
  apply(): Promise<AppliedZone>
}

/** The effect of a change set. */
export interface ChangePlan {
  /** See `plan_hash.ts`. */
  hash: string
  zones: ZonePlan[]
}

/** The result of a change set in one zone. */
export interface AppliedZone {
  /** The current zone; of a deleted zone, its last state. */
  zone: BackendZone
  description: string | null
  /** RRset changes, with the current ids of the records. */
  changes: RRsetChange[]
  /** Number of the journal entry; null if there was nothing to change. */
  entry: number | null
  /** Number of the newest journal entry of the zone. */
  lastEntry: number
  serialBefore: number | null
  serialAfter: number | null
  warnings: Violation[]
  /** State of the zone itself for journal and trash; absent if nothing was written. */
  journal?: JournalState
  /** Absent without effects, and for a new zone. */
  effects?: Pick<SideEffects, 'template' | 'comments'>
}
