import type { BackendZone } from '#backends/contract'
import { relativeName } from '#dns/names'
import type { RRset } from '#dns/types'
import { stateItem } from '#transformers/plan'

/** An RRset in a list of the API: its name is absolute. */
export function rrsetItem(rrset: RRset) {
  return { name: rrset.name, type: rrset.type, ...stateItem(rrset) }
}

/** One RRset of the API: its name is relative to the zone, `@` at the apex. */
export function rrsetDetail(zone: BackendZone, rrset: RRset) {
  return { ...rrsetItem(rrset), name: relativeName(rrset.name, zone.name) }
}
