import { ActionRefused } from '#changes/model/action_error'
import { Refusal } from '#exceptions/refusal'

/** Adds the number of the refused action in the body; clients of this call count from 1. */
export function actionRefusal(indexes: number[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActionRefused)) {
      throw error
    }
    const textsOf = (refused: ActionRefused) =>
      refused
        .messages()
        .map((message) => `Action ${(indexes[refused.action] ?? 0) + 1}: ${message}`)
    const errors = [...new Set(error.all.flatMap(textsOf))]
    throw new Refusal(error.status, textsOf(error)[0], { errors }).because(error)
  }
}
