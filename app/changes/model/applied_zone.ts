import type { BackendZone } from '#backends/contract/backend'
import type { JournalState, SideEffects } from '#changes/model/side_effects'
import type { Violation } from '#dns/rules'
import type { RRsetChange } from '#dns/types'

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
