import { StateChanged } from '#changes/model/action_error'
import { conflict } from '#exceptions/refusal'

/** How often work starts again because somebody wrote in between. */
const TRIES = 5

/**
 * Runs work that reads a zone and then changes it, again from its start where somebody wrote in between
 * (`StateChanged`). Throws a 409 `Refusal` when that goes on.
 */
export async function retryIfChanged<T>(work: () => Promise<T>): Promise<T> {
  for (let i = 0; i < TRIES; i++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StateChanged)) throw error
    }
  }
  throw conflict('The zone is being changed all the time; try again')
}
