import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PERMISSIONS } from '#access/permissions'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { holdRow } from '#database/rows/row_lock'

/** Result of a write, and its audit events; no events without a change. */
export interface AuditedWrite<T> {
  result: T
  events: AuditEvent[]
}

/**
 * Runs a write of templates and its audit events in one transaction. Serializes these rare writes,
 * so that a free name stays free.
 */
export function writeTemplates<T>(
  intent: Intent,
  change: (trx: TransactionClientContract) => Promise<AuditedWrite<T>>
): Promise<T> {
  return inTransaction(db.connection(), async (trx) => {
    // The first statement locks out other writes of templates.
    await holdRow(trx, 'zw_permissions', PERMISSIONS.zone_templ_add.id)
    const { result, events } = await change(trx)
    await record(trx, intent.actor, events)
    await finishWrite(trx, intent)
    return result
  })
}

/** Updates the modification time of a template. */
export async function touchTemplate(trx: TransactionClientContract, id: number): Promise<void> {
  await trx.from('zw_zone_templates').where('id', id).update({ updated_at: timestampNow() })
}
