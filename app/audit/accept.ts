import db from '@adonisjs/lucid/services/db'
import { inTransaction } from '#database/transaction'
import { GENESIS, type ChainPoint } from '#audit/chain'
import type { AuditActor } from '#audit/event'
import { faultOf, readEnds, saveEnds, takeLock } from '#audit/head'
import { record } from '#audit/record'

/**
 * Signs the current end of the chain so that sealing continues: after APP_KEY was changed, or after somebody examined a broken
 * end. It repairs nothing: altered and missing events stay as they are. Audited. Does nothing, and returns null, if the end is
 * valid.
 */
export async function acceptEnd(actor: AuditActor): Promise<ChainPoint | null> {
  return inTransaction(db.connection(), async (trx) => {
    await takeLock(trx)
    const ends = await readEnds(trx)
    const fault = faultOf(ends)
    if (fault === null) {
      return null
    }
    if (!ends) {
      const { hash } = GENESIS
      const row = { id: 1, position: 0, hash, anchor_position: 0, anchor_hash: hash, mac: null }
      await trx.table('zw_audit_head').insert(row)
    }
    const stored = ends ?? (await readEnds(trx))
    if (!stored) {
      return null
    }
    await saveEnds(trx, { head: stored.last, anchor: stored.anchor })
    await record(trx, actor, {
      action: 'audit.accepted',
      detail: {
        reason: fault,
        signed: stored.head.position,
        accepted: stored.last.position,
        beginning: stored.anchor.position,
      },
    })
    return stored.last
  })
}
