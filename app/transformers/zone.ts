import type { BackendZone } from '#backends/contract/backend'
import type { ListedZone } from '#zones/list/full_list'

/** A zone in a list of the API. */
export function zoneItem(zone: ListedZone) {
  return {
    id: zone.id,
    canonical_id: zone.id,
    name: zone.name,
    type: zone.type,
    created_at: null,
  }
}

/** A zone. `master` and `masters` are equal: there are clients of both names. */
export function zoneDetail(zone: BackendZone, description: string | null) {
  const masters = zone.masters.length > 0 ? zone.masters.join(',') : null
  return {
    id: zone.id,
    canonical_id: zone.id,
    name: zone.name,
    type: zone.kind,
    master: masters,
    masters,
    account: zone.account,
    description,
    created_at: null,
  }
}
