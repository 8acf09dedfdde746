import { ActionRefused } from '#changes/model/action_error'
import { Refusal } from '#exceptions/refusal'

/** Adds the number of the refused action in the body; clients of this call count from 1. */
export function actionRefusal(indexes: number[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActionRefused)) {
      throw error
    }
    const errors = error.all.map(
      ({ action, message }) => `Action ${(indexes[action] ?? 0) + 1}: ${message}`
    )
    throw new Refusal(error.status, errors[0], { errors: [...new Set(errors)] }).because(error)
  }
}
