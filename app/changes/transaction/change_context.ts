import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import type { ChangeSet } from '#changes/model/change_set'
import type { JournalState, SideEffects } from '#changes/transaction/pending_effects'
import type { ZoneTally } from '#changes/transaction/zone_transaction'
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

/** A write in progress: the session that holds the locks, and the transaction that own tables share. */
export interface ChangeContext {
  set: ChangeSet
  session: WriteSession
  trx: TransactionClientContract
  /** What the write does to the list of zones. */
  tally: ZoneTally
}
