import { InvalidDns } from '#dns/errors'

/** What `read` gives, or undefined when it refuses its input as it should: with InvalidDns. */
export function taken<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidDns) return undefined
    throw error
  }
}
