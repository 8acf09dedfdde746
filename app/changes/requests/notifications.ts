import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { approval } from '#access/approval'
import { enqueue } from '#changes/transaction/outbox'
import type { ChangeRequest } from '#changes/model/change_request'
import smtp from '#config/smtp'
import env from '#support/env'

/** An event of a change request. */
export interface RequestNotification {
  what: 'filed' | 'approved' | 'applied' | 'rejected' | 'cancelled' | 'failed'
  /** The user who caused it; null for none. */
  by: number | null
}

/** Payload of the outbox row. */
export type StoredNotification = RequestNotification & { request: number }

/** Whether mail can be sent: links need the public URL of Zonewright. */
function canSendMail(): boolean {
  return smtp.host !== '' && smtp.from !== '' && env.get('APP_URL') !== undefined
}

/** Whether users are notified of change requests by mail. */
export function sendsNotifications(): boolean {
  return approval.isEnabled && approval.settings.notify_by_mail && canSendMail()
}

/**
 * Adds a notification to the outbox, in the transaction of the change, if notifications are
 * enabled.
 */
export async function enqueueNotification(
  trx: TransactionClientContract,
  { id, zones: [zone] }: Pick<ChangeRequest, 'id' | 'zones'>,
  notification: RequestNotification
): Promise<void> {
  if (sendsNotifications()) {
    const payload: StoredNotification = { request: id, ...notification }
    await enqueue(trx, [{ kind: 'review', zoneId: zone.id, zoneName: zone.name, payload }])
  }
}
