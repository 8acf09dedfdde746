import { parsePrimary } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'
import { invalid } from '#exceptions/refusal'

/** Length of the PowerDNS column, in characters. */
const MAX_PRIMARIES = 128

/**
 * Parses primaries of a secondary zone: a comma list or an array of `ip`, `ip:port` or
 * `[ip6]:port`. Throws a 400 that names the invalid one.
 */
export function primaries(input: string | string[]): string[] {
  const parts = (Array.isArray(input) ? input : input.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
  try {
    const list = [...new Set(parts.map(parsePrimary))]
    if (list.join(',').length > MAX_PRIMARIES) {
      throw invalid(
        `Invalid master servers format: the list is longer than ${MAX_PRIMARIES} characters`
      )
    }
    return list
  } catch (error) {
    throw error instanceof InvalidDns
      ? invalid(`Invalid master servers format: ${error.message}`)
      : error
  }
}
