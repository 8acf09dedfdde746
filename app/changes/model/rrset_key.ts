import type { BackendZone } from '#backends/contract/backend'
import { storedOwnerName } from '#dns/names'
import type { RRsetKey } from '#dns/types'

/** A zone, as far as its records depend on it. */
export type Apex = Pick<BackendZone, 'name'>

/** The RRset that a person names, in canonical form; one that is stored may have any characters. Throws
 * `InvalidDns` for a name that is none. */
export function rrsetKey(zone: Apex, { name, type }: RRsetKey): RRsetKey {
  return { name: storedOwnerName(name, zone.name), type: type.toUpperCase() }
}

/** The RRset that a wish names. What the journal knows is taken as it stands: others may have written it. */
export function keyOfWish(
  zone: Apex,
  { name, type, isKnown }: RRsetKey & { isKnown?: boolean }
): RRsetKey {
  return isKnown ? { name: name.replace(/\.$/, ''), type } : rrsetKey(zone, { name, type })
}
