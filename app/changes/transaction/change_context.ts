import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { WriteSession } from '#backends/contract/write_session'
import type { ChangeSet } from '#changes/model/change_set'
import type { ZoneCountChange } from '#changes/transaction/zone_transaction'

/**
 * A write in progress: the session that holds the locks, and the transaction with Zonewright
 * tables.
 */
export interface ChangeContext {
  set: ChangeSet
  session: WriteSession
  trx: TransactionClientContract
  /** Effects of the write on the zone list. */
  countChange: ZoneCountChange
}
