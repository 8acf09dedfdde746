import { defineList } from '#lists/declaration'
import type { ListQuery } from '#lists/query'
import { treeOf, ZONE_LIST, type ZoneQuery } from '#zones/list/zone_list'
import type { ZoneSummary } from '#zones/list/summaries'

/**
 * Fields that zone rows do not have. They are read for each page, and stored in a table for sorting
 * (`ZoneOrders`).
 */
export const COMPUTED_FIELDS = {
  records: 'number',
  serial: 'number',
  changed: 'plain',
  owners: 'natural',
  dnssec: 'plain',
} as const

/** The zone list, which can also be sorted by these fields. */
export const ZONE_PAGE_LIST = defineList({
  sort: { ...ZONE_LIST.sort, ...COMPUTED_FIELDS },
  filters: ZONE_LIST.filters,
  search: [...ZONE_LIST.search],
  defaultOrder: [...ZONE_LIST.defaultOrder],
})

export type ComputedField = keyof typeof COMPUTED_FIELDS

export type ZonePageQuery = ListQuery<
  keyof typeof ZONE_PAGE_LIST.sort,
  keyof typeof ZONE_PAGE_LIST.filters
>

/** Returns whether zone rows have an index for that order. */
export function isIndexed(query: ZonePageQuery): query is ZoneQuery {
  return query.sort.every(({ field }) => Object.hasOwn(ZONE_LIST.sort, field))
}

/** Returns the values to sort by. Fields that the actor may not view are null. */
export function sortable({
  id,
  name,
  type,
  records,
  serial,
  lastChange,
  owners,
  signing,
}: ZoneSummary) {
  const names = owners && [...owners.users, ...owners.groups].map((owner) => owner.name)
  return {
    id,
    name,
    stored_name: name,
    type,
    tree: treeOf(name),
    records,
    serial,
    changed: lastChange?.time ?? null,
    owners: names && names.length > 0 ? names.join(', ') : null,
    dnssec: signing,
  }
}
