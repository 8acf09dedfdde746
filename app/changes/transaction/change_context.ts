import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import type { ChangeSet } from '#changes/model/change_set'
import type { ZoneSideEffects } from '#changes/planning/side_effects'
import type { ZoneTally } from '#changes/transaction/zone_transaction'
import type { Violation } from '#dns/rules/violation'
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
  /** What the journal and the trash keep of the zone itself; absent where nothing was written. */
  kept?: KeptState
  /** What own tables got beside its records; absent where that is nothing, or the zone is new. */
  beside?: ZoneSideEffects
}

/** The zone itself before and after a change, as the journal keeps it, see `JournalEntry`. */
export interface KeptState {
  zoneBefore: object | null
  zoneAfter: object | null
  /** Of a zone that is deleted: its DNSSEC keys, sealed; null where it has none. */
  keys?: string | null
}

/** A write in progress: the session that holds the locks, and the transaction that own tables share. */
export interface ChangeContext {
  set: ChangeSet
  session: WriteSession
  trx: TransactionClientContract
  /** What the write does to the list of zones. */
  tally: ZoneTally
}
