import { type ActionErrors, ActionRefused, itemMessages } from '#changes/model/action_error'
import { Refusal } from '#exceptions/refusal'

/**
 * Adds the refused actions of a plan.
 *
 * @param indexes index in the request of each action of the plan
 */
export function addRefusedActions(
  errors: ActionErrors,
  error: ActionRefused,
  indexes: readonly number[]
): void {
  for (const refused of [error, ...error.otherActions]) {
    errors.add(indexes[refused.action], new ActionRefused(indexes[refused.action], refused))
  }
}

/** Messages that the text of an answer joins; `errors` has all. */
const MAX_JOINED_MESSAGES = 10

/**
 * Throws a `Refusal` with the errors of all stages, in the order of the actions, if there are any.
 *
 * @param hasEarlierErrors whether some are of a stage before the planning, whose messages are joined
 */
export function throwActionErrors(errors: ActionErrors, hasEarlierErrors: boolean): void {
  try {
    errors.throwIfAny()
  } catch (error) {
    if (!(error instanceof ActionRefused)) throw error
    const messagesOf = (refused: ActionRefused) =>
      refused.messages().map((message) => `Action ${refused.action + 1}: ${message}`)
    const messages = [...new Set(error.all.flatMap(messagesOf))]
    const summary = hasEarlierErrors
      ? messages.slice(0, MAX_JOINED_MESSAGES).join('; ')
      : messagesOf(error)[0]
    const message = itemMessages(error.all) ?? summary
    throw new Refusal(error.status, message, { errors: messages }).because(error)
  }
}
