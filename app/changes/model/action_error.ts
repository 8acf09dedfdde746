import { InvalidDns } from '#dns/errors'
import { finished } from '#dns/steps'
import type { RRsetKey } from '#dns/types'
import { Refusal, notFound } from '#exceptions/refusal'

/** Maximum of actions whose errors one answer contains. */
export const MAX_ACTION_ERRORS = 100

/** Refusal of one action of several. It has the status of its reason. */
export class ActionRefused extends Refusal {
  /** Further refused actions of the same change set. */
  others: ActionRefused[] = []

  constructor(
    /** Index of the action, from 0. */
    readonly action: number,
    readonly reason: Refusal | InvalidDns,
    /** The zone of the action, once it is known. */
    public zoneId: number | null = null
  ) {
    const isRefusal = reason instanceof Refusal
    super(isRefusal ? reason.status : 400, reason.message, isRefusal ? reason.data : null)
    this.because(reason)
  }

  /** This refusal and the others, in the order of the actions. */
  get all(): ActionRefused[] {
    return [this, ...this.others]
  }
}

/** Collects the refusals of many actions for one answer. */
export class ActionErrors {
  readonly #refused: ActionRefused[] = []

  /** Whether the limit of an answer is reached. */
  get isFull(): boolean {
    return this.#refused.length >= MAX_ACTION_ERRORS
  }

  /** Adds the refusal of an action. Rethrows an error that is no refusal. */
  add(action: number, error: unknown): void {
    this.#refused.push(refusedAction(action, error))
  }

  /** Throws the first refusal, which carries the others. */
  throwIfAny(): void {
    const [first, ...others] = this.#refused
    if (!first) return
    first.others = others
    throw first
  }
}

/** Runs work for each item of a list. Throws `ActionRefused` with all refused items, up to 100. */
export function forEachAction<T, R>(items: readonly T[], work: (item: T, index: number) => R): R[] {
  return finished(actionSteps(items, work))
}

/** As `forEachAction`, one item per step. */
export function actionSteps<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R
): Generator<undefined, R[]> {
  return actionParts(items, function* (item, index) {
    return work(item, index)
  })
}

/** As `actionSteps`, for work that has steps itself. */
export function* actionParts<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Generator<undefined, R>
): Generator<undefined, R[]> {
  const errors = new ActionErrors()
  const results: R[] = []
  for (const [index, item] of items.entries()) {
    yield
    try {
      results.push(yield* work(item, index))
    } catch (error) {
      errors.add(index, error)
      if (errors.isFull) break
    }
  }
  errors.throwIfAny()
  return results
}

/**
 * A refusal whose message names an action by its number. `place` and `why` are for the web
 * interface, which shows no numbers.
 */
export class RRsetActionRefused extends Refusal {
  constructor(
    status: number,
    message: string,
    readonly place: { name: string; type: string },
    readonly why: string,
    data: Record<string, unknown> | null = null
  ) {
    super(status, message, data)
  }
}

/** Runs work for an action; a refusal carries the index of the action. */
export function forAction<T>(action: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refusedAction(action, error)
  }
}

function refusedAction(action: number, error: unknown): ActionRefused {
  if (error instanceof ActionRefused) return error
  const isReason = error instanceof Refusal || error instanceof InvalidDns
  if (!isReason) throw error
  return new ActionRefused(action, error)
}

/** Refusal of an action that names no record of the zone. */
export function missingRecord() {
  return notFound('Record not found in this zone')
}

/**
 * A record, an RRset or the properties differ from the state that an undo or a restore starts from.
 * Nothing was changed; the caller computes the change again.
 */
export class StateChanged extends Error {
  /** @param moved the RRset; 'properties' for those of the zone */
  constructor(moved: RRsetKey | 'properties') {
    super(
      moved === 'properties'
        ? 'The properties of the zone were changed in the meantime'
        : `'${moved.name} ${moved.type}' is not what the history says: it was changed in the meantime, or another tool wrote its name in capitals; such records have to be deleted first`
    )
  }
}
