import type { CurrentObject } from '#changes/planning/preconditions'
import { metadataTag, recordTag, rrsetTag, zoneTag } from '#changes/model/etags'
import { recordDetail } from '#transformers/record'
import { rrsetDetail } from '#transformers/rrset'
import { zoneDetail } from '#transformers/zone'

/** The current object of a failed precondition with its entity tag. */
export function currentState(current: CurrentObject): { current: object | null; tag?: string } {
  switch (current.kind) {
    case 'zone': {
      const { zone, description } = current.tagged
      return { current: zoneDetail(zone, description), tag: zoneTag(current.tagged) }
    }
    case 'rrset':
      return current.rrset
        ? { current: rrsetDetail(current.zone, current.rrset), tag: rrsetTag(current.rrset) }
        : { current: null }
    case 'metadata': {
      const { name, values } = current
      return values
        ? { current: metadataItem(name, values), tag: metadataTag(name, values) }
        : { current: null }
    }
    case 'record':
      return current.record
        ? { current: recordDetail(current.zone, current.record), tag: recordTag(current.record) }
        : { current: null }
  }
}

/** One kind of metadata of the API. */
export function metadataItem(kind: string, values: string[]) {
  return { kind, values }
}
