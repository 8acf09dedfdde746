import type { ChangePlan } from '#changes/model/zone_plan'
import type { ChangeRequest } from '#changes/model/change_request'

/** The result of a write. A write that fails throws. */
export type Outcome<T> = { kind: 'applied'; result: T } | Planned | Filed

/** A dry run: the plan is valid, and nothing was changed. */
export interface Planned {
  kind: 'planned'
  /** Without zones if the write changes neither records nor properties. */
  plan: ChangePlan
}

/** A change request was filed for review instead. */
export interface Filed {
  kind: 'filed'
  request: ChangeRequest
  /** Whether the actor may view the content of the zones. */
  isShown: boolean
}

/** Rolls the transaction of a dry run back. Only `outcomeOf` may catch it. */
export class DryRunRollback extends Error {
  constructor(readonly plan: ChangePlan) {
    super('Planned only, nothing was changed')
  }
}

/** Runs the transaction of a write. The rollback of a dry run becomes an outcome. */
export async function outcomeOf<T>(write: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'applied', result: await write() }
  } catch (error) {
    if (error instanceof DryRunRollback) {
      return { kind: 'planned', plan: error.plan }
    }
    throw error
  }
}

/** The outcome with its result mapped if the write was applied. */
export async function mapOutcome<T, U>(
  outcome: Outcome<T> | Promise<Outcome<T>>,
  map: (result: T) => U | Promise<U>
): Promise<Outcome<U>> {
  const resolved = await outcome
  return resolved.kind === 'applied'
    ? { kind: 'applied', result: await map(resolved.result) }
    : resolved
}

/** The result of a write that is no dry run and cannot be filed for review. */
export async function appliedResult<T>(outcome: Outcome<T> | Promise<Outcome<T>>): Promise<T> {
  const resolved = await outcome
  if (resolved.kind !== 'applied') {
    throw new Error(`A write ended as '${resolved.kind}', but its caller requires 'applied'`)
  }
  return resolved.result
}
