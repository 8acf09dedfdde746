import { StateChanged } from '#changes/model/action_error'
import { conflict } from '#exceptions/refusal'

/** Attempts before a 409. */
const MAX_ATTEMPTS = 5

/**
 * Retries `work` from the start when another writer changed the zone (`StateChanged`). Throws a 409
 * `Refusal` after `TRIES` attempts.
 */
export async function retryIfChanged<T>(work: () => Promise<T>): Promise<T> {
  for (let i = 0; i < MAX_ATTEMPTS; i++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StateChanged)) throw error
    }
  }
  throw conflict('The zone keeps changing; try again')
}
