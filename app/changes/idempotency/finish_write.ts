import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Intent } from '#changes/model/intent'
import { planHash } from '#changes/model/plan_hash'
import { recordApplied } from '#changes/idempotency/requests'
import { DryRunRollback } from '#changes/model/outcome'

/**
 * Ends a write that changes neither records nor properties of a zone. It marks the request as
 * applied in the transaction. A dry run throws `DryRunRollback` with a plan without zones; callers
 * run it in `outcomeOf`.
 */
export async function finishWrite(
  trx: TransactionClientContract,
  { dryRun, repeatId }: Pick<Intent, 'dryRun' | 'repeatId'>
): Promise<void> {
  if (dryRun) {
    throw new DryRunRollback({ hash: planHash([]), zones: [] })
  }
  if (repeatId !== null) {
    await recordApplied(trx, repeatId)
  }
}
