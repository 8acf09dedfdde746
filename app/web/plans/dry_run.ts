import type { Actor } from '#access/actor'
import { intentOf, type Intent } from '#changes/model/intent'
import { PlanOnly, type ChangePlan } from '#changes/model/zone_plan'

/** What a write would do, by the write itself as a dry run. Throws what the write throws. */
export async function dryRun(
  actor: Actor,
  write: (intent: Intent) => Promise<unknown>
): Promise<ChangePlan> {
  try {
    await write(intentOf(actor, { dryRun: true, review: 'file' }))
  } catch (error) {
    if (error instanceof PlanOnly) {
      return error.plan
    }
    throw error
  }
  throw new Error('A dry run ended without its plan')
}
