import { InvalidDns } from '#dns/errors'

/** Maximum TTL in seconds (RFC 2181, section 8). */
export const TTL_LIMIT = 2147483647

/**
 * Validates a TTL in whole seconds, 0..2147483647.
 *
 * @throws InvalidDns on 'ttl'
 */
export function ttl(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= TTL_LIMIT) return value + 0
  throw new InvalidDns('ttl', String(value), `0 to ${TTL_LIMIT} seconds (RFC 2181, 8)`, {
    problem: 'is not a TTL',
  })
}
