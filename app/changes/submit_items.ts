import type { DnsBackend } from '#backends/contract/backend'
import type { ActionErrors, ActionRefused, ItemPlace } from '#changes/model/action_error'
import type { ChangeSet } from '#changes/model/change_set'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'

/** A change set of the valid items of a request. */
export interface ItemSet {
  set: ChangeSet
  /** The item of a refused action; undefined if the action is of no item. */
  placeOf: (refused: ActionRefused) => ItemPlace | undefined
}

/**
 * Applies the change set if no item is refused yet. Otherwise it plans the valid items, and throws
 * one `ActionRefused` with the refusals of all stages.
 *
 * @param errors the items that an earlier stage refused
 */
export async function submitOrRefuse(
  backend: DnsBackend,
  errors: ActionErrors,
  { set, placeOf }: ItemSet
): Promise<Outcome<AppliedZone[]>> {
  const intent = errors.isEmpty ? set.intent : { ...set.intent, dryRun: true, planHash: null }
  const outcome = await submitChangeSet(backend, { ...set, intent }).catch((error: unknown) =>
    errors.throwWith(error, placeOf)
  )
  errors.throwIfAny()
  return outcome
}
