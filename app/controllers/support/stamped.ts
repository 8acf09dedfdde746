import { InvalidDns } from '#dns/errors'
import { Refusal } from '#exceptions/refusal'
import { timestamp } from '#transformers/envelope'

/** Adds the time to errors of calls whose successful answers contain it, except to a 403. */
export async function stamped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isDns = error instanceof InvalidDns
    if (isDns || (error instanceof Refusal && error.status !== 403)) {
      const status = isDns ? 400 : error.status
      throw new Refusal(status, error.message, null, { meta: timestamp() }).because(error)
    }
    throw error
  }
}
