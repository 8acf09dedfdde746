import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract'
import type { WriteSession } from '#backends/write_session'
import type { ChangeSet } from '#changes/change_set'
import type { RRsetChange } from '#dns/types'

/** What became of one zone. */
export interface AppliedZone {
  /** The zone as it is now; as it last was when it was deleted. */
  zone: BackendZone
  /** RRset changes, with the ids that the records have now. */
  changes: RRsetChange[]
  /** Number of the journal entry; null when there was nothing to change. */
  entry: number | null
  serialBefore: number | null
  serialAfter: number | null
}

/** A write in progress: the session that holds the locks, and the transaction that own tables share. */
export interface ChangeContext {
  set: ChangeSet
  session: WriteSession
  trx: TransactionClientContract
}
