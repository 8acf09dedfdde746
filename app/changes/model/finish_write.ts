import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Intent } from '#changes/model/intent'
import { planHash } from '#changes/model/plan_hash'
import { markApplied } from '#changes/idempotency/requests'
import { PlanOnly } from '#changes/model/zone_plan'

/**
 * The last step of a write that changes neither records nor properties of a zone: notes inside its
 * transaction that the request is carried out. A dry run ends here as a `PlanOnly` without zones, and
 * rolls back.
 */
export async function settle(
  trx: TransactionClientContract,
  { dryRun, repeatId }: Pick<Intent, 'dryRun' | 'repeatId'>
): Promise<void> {
  if (dryRun) {
    throw new PlanOnly({ hash: planHash([]), zones: [] })
  }
  if (repeatId !== null) {
    await markApplied(trx, repeatId)
  }
}
