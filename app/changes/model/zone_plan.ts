import type { BackendZone } from '#backends/contract/backend'
import type { JournalState, SideEffects } from '#changes/model/side_effects'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { Violation } from '#dns/rules/violation'
import type { RRsetChange } from '#dns/types'

/** What a change set would do to one zone, worked out and permitted, and how to do it. */
export interface ZonePlan {
  /** null for a zone that is to be made. */
  zoneId: number | null
  /** Name of the zone before the change; after it, for a zone that is to be made. */
  zoneName: string
  /** By name, then type; the serial alone is no change. */
  changes: RRsetChange[]
  /** Properties that change, before and after; null where only records do. */
  properties: { before: ZoneProperties | null; after: ZoneProperties | null } | null
  /** null where the zone has no SOA record. */
  serialBefore: number | null
  serialAfter: number | null
  warnings: Violation[]
  /** What is planned has to go through review (`routing.ts`). */
  needsReview?: boolean
  /** Writes it, in the transaction in which it was planned. */
  apply(): Promise<AppliedZone>
}

/** What a change set would do. */
export interface ChangePlan {
  /** See `plan_hash.ts`. */
  hash: string
  zones: ZonePlan[]
}

/** What became of one zone. */
export interface AppliedZone {
  /** The zone as it is now; as it last was when it was deleted. */
  zone: BackendZone
  description: string | null
  /** RRset changes, with the ids that the records have now. */
  changes: RRsetChange[]
  /** Number of the journal entry; null when there was nothing to change. */
  entry: number | null
  /** Number of the newest journal entry of the zone. */
  lastEntry: number
  serialBefore: number | null
  serialAfter: number | null
  warnings: Violation[]
  /** The zone itself before and after, in the journal and the trash; absent where nothing was written. */
  journal?: JournalState
  /** Absent where there are none, or the zone is new. */
  effects?: Pick<SideEffects, 'template' | 'comments'>
}
