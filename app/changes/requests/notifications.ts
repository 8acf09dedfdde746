import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { approval } from '#access/approval'
import { enqueue } from '#changes/transaction/outbox'
import type { ChangeRequest } from '#changes/model/change_request'
import smtp from '#config/smtp'
import env from '#support/env'

/** What happened to a change request. */
export interface News {
  what: 'filed' | 'approved' | 'applied' | 'rejected' | 'cancelled' | 'failed'
  /** Who did it; null for nobody. */
  by: number | null
}

/** What an event of the outbox holds of it. */
export type StoredNews = News & { request: number }

/** Whether mail can be sent: links need the address at which browsers find the product. */
function sendsMail(): boolean {
  return smtp.host !== '' && smtp.from !== '' && env.get('APP_URL') !== undefined
}

/** Whether people are told of change requests by mail. */
export function tellsNews(): boolean {
  return approval.isEnabled && approval.settings.notify_by_mail && sendsMail()
}

/** Notes in the transaction of a step of a request that people are to be told of it, where they are. */
export async function noteNews(
  trx: TransactionClientContract,
  { id, zones: [zone] }: Pick<ChangeRequest, 'id' | 'zones'>,
  news: News
): Promise<void> {
  if (tellsNews()) {
    const payload: StoredNews = { request: id, ...news }
    await enqueue(trx, [{ kind: 'review', zoneId: zone.id, zoneName: zone.name, payload }])
  }
}
