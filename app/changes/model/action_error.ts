import { InvalidDns } from '#dns/errors'
import { finished } from '#dns/steps'
import type { RRsetKey } from '#dns/types'
import { Refusal, notFound } from '#exceptions/refusal'

/** An answer names the errors of at most so many actions. */
export const MAX_ACTION_ERRORS = 100

/** Why one action of several is refused. Answers as the reason itself does. */
export class ActionRefused extends Refusal {
  /** Further refused actions of the same change set. */
  others: ActionRefused[] = []

  constructor(
    /** Index of the action, from 0. */
    readonly action: number,
    readonly reason: Refusal | InvalidDns,
    /** The zone that the action is about, once it is known. */
    public zoneId: number | null = null
  ) {
    const isRefusal = reason instanceof Refusal
    super(isRefusal ? reason.status : 400, reason.message, isRefusal ? reason.data : null)
    this.because(reason)
  }

  /** This one and the others, in the order of the actions. */
  get all(): ActionRefused[] {
    return [this, ...this.others]
  }
}

/** Collects the refusals of many actions, to answer with all of them at once. */
export class ActionErrors {
  readonly #refused: ActionRefused[] = []

  /** Whether an answer cannot name more. */
  get isFull(): boolean {
    return this.#refused.length >= MAX_ACTION_ERRORS
  }

  /** Notes why an action is refused. Throws the error if it is a failure and no refusal. */
  add(action: number, error: unknown): void {
    this.#refused.push(refusedAction(action, error))
  }

  /** Throws the first refusal with all others, if there is one. */
  throwIfAny(): void {
    const [first, ...others] = this.#refused
    if (!first) return
    first.others = others
    throw first
  }
}

/** Runs work for each item of a list. Throws `ActionRefused` with every item that is refused, up to 100. */
export function forEachAction<T, R>(items: readonly T[], work: (item: T, index: number) => R): R[] {
  return finished(actionSteps(items, work))
}

/** As `forEachAction`, one item after the other. */
export function actionSteps<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R
): Generator<undefined, R[]> {
  return actionParts(items, function* (item, index) {
    return work(item, index)
  })
}

/** As `actionSteps`, for work on an item that has steps of its own. */
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

/** Why one action is refused, where the words name it by its number: which RRset it is about, and why, for who sees no numbers. */
export class RefusedInPlace extends Refusal {
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

/** Runs work for an action; a refusal says which action it was. */
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

/** Why an action that names a record of another zone, or none, is not carried out. */
export function missingRecord() {
  return notFound('Record not found in this zone')
}

/**
 * A record, an RRset, or the zone's properties, are no longer what a change starts from, such as an undo or a restore.
 * Nothing was changed; the caller works the change out again.
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
