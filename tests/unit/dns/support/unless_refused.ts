import { InvalidDns } from '#dns/errors'

/** Returns the result of `read`; undefined if it throws InvalidDns. */
export function taken<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidDns) return undefined
    throw error
  }
}
