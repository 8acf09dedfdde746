import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PERMISSIONS } from '#access/permissions'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import { momentNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { holdRow } from '#database/rows/row_lock'

/** A change that was made, and what the audit log is to tell of it: nothing where all is as it was. */
export interface ToldWrite<T> {
  result: T
  events: AuditEvent[]
}

/**
 * Carries out a change of zone templates with its events in the audit log: as a whole or not at all, and one after
 * the other, so that a name that was free still is when it is taken. These changes are rare.
 */
export function writeTemplates<T>(
  intent: Intent,
  change: (trx: TransactionClientContract) => Promise<ToldWrite<T>>
): Promise<T> {
  return inTransaction(db.connection(), async (trx) => {
    // First of all: it holds others off.
    await holdRow(trx, 'zw_permissions', PERMISSIONS.zone_templ_add.id)
    const { result, events } = await change(trx)
    await record(trx, intent.actor, events)
    await finishWrite(trx, intent)
    return result
  })
}

/** Notes that a template, or a record of it, was changed now. */
export async function touchTemplate(trx: TransactionClientContract, id: number): Promise<void> {
  await trx.from('zw_zone_templates').where('id', id).update({ updated_at: momentNow() })
}
