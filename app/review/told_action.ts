import { ActionRefused } from '#changes/action_refused'
import { Refusal } from '#exceptions/refusal'

/** Says of a refused action which one of the body it was, counted from 1 as clients of this call do. */
export function actionRefusal(indexes: number[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActionRefused)) {
      throw error
    }
    const index = indexes[error.action] ?? 0
    const message = `Action ${index + 1}: ${error.message}`
    throw new Refusal(error.status, message, { errors: [message] }).because(error)
  }
}
