import type { BackendZone } from '#backends/contract/backend'
import { storedOwnerName } from '#dns/names'
import type { RRsetKey } from '#dns/types'

/** A zone, as far as its records depend on it. */
export type Apex = Pick<BackendZone, 'name'>

/**
 * The canonical key of an RRset that a user names. Stored names may have any characters. Throws
 * `InvalidDns` for an invalid name.
 */
export function rrsetKey(zone: Apex, { name, type }: RRsetKey): RRsetKey {
  return { name: storedOwnerName(name, zone.name), type: type.toUpperCase() }
}

/**
 * The key of the RRset of an action. A key from the journal is not normalised: other programs may
 * have written it.
 */
export function keyOfInput(
  zone: Apex,
  { name, type, isKnown }: RRsetKey & { isKnown?: boolean }
): RRsetKey {
  return isKnown ? { name: name.replace(/\.$/, ''), type } : rrsetKey(zone, { name, type })
}
