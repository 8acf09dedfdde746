import db from '@adonisjs/lucid/services/db'
import { inTransaction } from '#database/transaction'
import { GENESIS_POINT, type ChainPoint } from '#audit/chain'
import type { AuditActor } from '#audit/event'
import { faultOf, readEnds, saveEnds, takeLock } from '#audit/head'
import { record } from '#audit/record'

/**
 * Signs the current end of the chain, so that sealing continues: after a change of APP_KEY, or
 * after a maintainer examined a broken end. Altered and missing events stay as they are. Audited.
 * Returns null without a change if the end is valid.
 */
export async function acceptEnd(actor: AuditActor): Promise<ChainPoint | null> {
  return inTransaction(db.connection(), async (trx) => {
    await takeLock(trx)
    const storedEnds = await readEnds(trx)
    const fault = faultOf(storedEnds)
    if (fault === null) {
      return null
    }
    if (!storedEnds) {
      const { hash } = GENESIS_POINT
      const row = { id: 1, position: 0, hash, anchor_position: 0, anchor_hash: hash, mac: null }
      await trx.table('zw_audit_head').insert(row)
    }
    const stored = storedEnds ?? (await readEnds(trx))
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
