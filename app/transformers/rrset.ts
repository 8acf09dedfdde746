import type { BackendZone } from '#backends/contract/backend'
import { relativeName } from '#dns/names'
import { stateItem } from '#transformers/plan'
import type { CommentedRRset } from '#zones/records/rrsets'

/** An RRset in a list, with an absolute name. */
export function rrsetItem(rrset: CommentedRRset) {
  const { name, type, comments } = rrset
  const { ttl, records } = stateItem(rrset)
  return {
    name,
    type,
    ttl,
    records: comments
      ? records.map((record, index) => ({ ...record, comment: comments[index] }))
      : records,
  }
}

/** An RRset with a name relative to the zone, `@` at the apex. */
export function rrsetDetail(zone: BackendZone, rrset: CommentedRRset) {
  return { ...rrsetItem(rrset), name: relativeName(rrset.name, zone.name) }
}
