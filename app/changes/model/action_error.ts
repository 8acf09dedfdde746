import { InvalidDns, InvalidRecords } from '#dns/errors'
import { finished } from '#dns/steps'
import type { RRsetKey } from '#dns/types'
import { Refusal, notFound } from '#exceptions/refusal'

/** Maximum of actions whose errors one answer contains. */
export const MAX_ACTION_ERRORS = 100

/** Refusal of one action of several. It has the status of its reason. */
export class ActionRefused extends Refusal {
  /** Further refused actions of the same change set. */
  otherActions: ActionRefused[] = []

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
    return [this, ...this.otherActions].sort((a, b) => a.action - b.action)
  }

  /** Refusals of other records of the same action. */
  otherRecords: ActionRefused[] = []

  /** Index of the record in the action, from 0; null if the refusal is of the whole action. */
  record: number | null = null

  /**
   * The messages of this refusal, one for each invalid record.
   *
   * @param recordIndexes index in the request of each record
   */
  messages(recordIndexes?: readonly number[]): string[] {
    const withRecordNumber = (record: number, message: string) =>
      `Record ${recordIndexes?.[record] ?? record}: ${message}`
    const messages = [this, ...this.otherRecords].flatMap(({ reason, record, message }) => {
      const cause = reason instanceof ActionRefused ? reason.reason : reason
      if (cause instanceof InvalidRecords) {
        return [...cause.wrong].map(([index, error]) => withRecordNumber(index, error.message))
      }
      return record !== null && cause instanceof InvalidDns
        ? withRecordNumber(record, message)
        : message
    })
    return [...new Set(messages)]
  }
}

/** The item of a request that an action comes from; `record` if it is one of several records. */
export interface ItemPosition {
  item: number
  record: number | null
}

/** The messages that name their item themselves, as `Field 'actions.3.ttl'`; null without any. */
export function itemMessages(refused: readonly ActionRefused[]): string | null {
  const messages = refused.map(({ message }) => message)
  const named = messages.filter((message) => /^Field '\w+\.\d+[.']/.test(message))
  return named.length > 0 ? named.join('; ') : null
}

/**
 * Collects the refusals of many actions for one answer, over all stages of a plan. A refused action
 * takes no part in later stages.
 */
export class ActionErrors {
  readonly #refused = new Map<number, ActionRefused>()

  /** Whether no action is refused yet. */
  get isEmpty(): boolean {
    return this.#refused.size === 0
  }

  /** Whether the limit of an answer is reached. */
  get isFull(): boolean {
    return this.#refused.size >= MAX_ACTION_ERRORS
  }

  /** Returns whether the action is refused. */
  has(action: number): boolean {
    return this.#refused.has(action)
  }

  /** Adds the first refusal of an action. Rethrows an error that is no refusal. */
  add(action: number, error: unknown): void {
    const refused = refusedAction(action, error)
    if (!this.isFull && !this.has(action)) this.#refused.set(action, refused)
  }

  /** Runs work for an action that is not refused, and adds its refusal. */
  attempt<T>(action: number, work: () => T): T | undefined {
    if (this.isFull || this.has(action)) return undefined
    try {
      return work()
    } catch (error) {
      this.add(action, error)
      return undefined
    }
  }

  /** Throws the refusal of the earliest stage, which carries the others. */
  throwIfAny(): void {
    const [first, ...otherActions] = this.#refused.values()
    if (!first) return
    first.otherActions = otherActions
    throw first
  }

  /**
   * Throws the collected refusals with those of the error. An error that is no refusal of actions
   * yields to collected refusals, except for failures of the service.
   *
   * @param positionOf the item in this list of a refused action
   */
  throwWith(
    error: unknown,
    positionOf: (refused: ActionRefused) => ItemPosition | undefined
  ): never {
    if (error instanceof ActionRefused) {
      const added = new Map<number, ActionRefused>()
      for (const refused of error.all) {
        const position = positionOf(refused)
        if (!position) continue
        const copy = new ActionRefused(position.item, refused, refused.zoneId)
        copy.record = position.record
        const first = added.get(position.item)
        if (first) first.otherRecords.push(copy)
        else if (!this.has(position.item)) added.set(position.item, copy)
      }
      // The reason of the answer is the first refusal of the error.
      const order = [positionOf(error)?.item ?? -1, ...added.keys()]
      for (const item of order) {
        const refused = added.get(item)
        if (refused) this.add(item, refused)
      }
    } else if (!isExpected(error)) {
      throw error
    }
    this.throwIfAny()
    throw error
  }
}

/**
 * Throws the refusals of the items of a list, if there are any: the message of the first one, and all with
 * their place in `errors`.
 *
 * @param list member of the body
 */
export function throwItemErrors(errors: ActionErrors, list: string): void {
  try {
    errors.throwIfAny()
  } catch (error) {
    if (!(error instanceof ActionRefused)) throw error
    const recordIndexes = error.all.map(({ action, message }) => `${list}.${action}: ${message}`)
    const [{ status, message, reason }] = error.all
    throw new Refusal(status, message, { errors: recordIndexes }).because(reason)
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
  return actionGeneratorSteps(items, function* (item, index) {
    return work(item, index)
  })
}

/** As `actionSteps`, for work that has steps itself. */
export function* actionGeneratorSteps<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Generator<undefined, R>
): Generator<undefined, R[]> {
  const errors = new ActionErrors()
  const results = yield* collectGeneratorSteps(items, errors, work)
  errors.throwIfAny()
  return results as R[]
}

/**
 * As `actionGeneratorSteps`, but adds the refusals to `errors` and continues. Refused items have no result.
 */
export function* collectGeneratorSteps<T, R>(
  items: readonly T[],
  errors: ActionErrors,
  work: (item: T, index: number) => Generator<undefined, R>
): Generator<undefined, (R | undefined)[]> {
  const results: (R | undefined)[] = []
  for (const [index, item] of items.entries()) {
    yield
    if (errors.isFull) break
    if (errors.has(index)) {
      results.push(undefined)
      continue
    }
    try {
      results.push(yield* work(item, index))
    } catch (error) {
      errors.add(index, error)
      results.push(undefined)
    }
  }
  return results
}

/** As `collectGeneratorSteps`, for work without steps. */
export function collectSteps<T, R>(
  items: readonly T[],
  errors: ActionErrors,
  work: (item: T, index: number) => R
): Generator<undefined, (R | undefined)[]> {
  return collectGeneratorSteps(items, errors, function* (item, index) {
    return work(item, index)
  })
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
  if (!isUserError(error)) throw error
  return new ActionRefused(action, error)
}

/** Returns whether the caller is the reason of the error: a refusal, or an outdated state. */
export function isExpected(error: unknown): boolean {
  return isUserError(error) || error instanceof StateMismatch
}

function isUserError(error: unknown): error is Refusal | InvalidDns {
  return error instanceof Refusal || error instanceof InvalidDns
}

/** Refusal of an action that names no record of the zone. */
export function missingRecord() {
  return notFound('Record not found in this zone')
}

/** The stored state is not the one that the request expects. Nothing was changed. */
export class StateMismatch extends Error {}

/**
 * A record, an RRset or the properties differ from the state that an undo or a restore starts from.
 * Nothing was changed; the caller computes the change again.
 */
export class StateChanged extends StateMismatch {
  /** @param changedObject the RRset; 'properties' for those of the zone */
  constructor(changedObject: RRsetKey | 'properties') {
    super(
      changedObject === 'properties'
        ? 'The properties of the zone were changed in the meantime'
        : `'${changedObject.name} ${changedObject.type}' differs from the history: it was changed in the meantime, or another tool wrote its name in upper case; such records must be deleted first`
    )
  }
}
