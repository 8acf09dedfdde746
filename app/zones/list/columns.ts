import { defineList } from '#lists/declaration'
import type { ListQuery } from '#lists/query'
import { treeOf, ZONE_LIST, type ZoneQuery } from '#zones/list/zone_list'
import type { ZoneSummary } from '#zones/list/summaries'

/** What own rows of zones do not hold: it is read for the rows of a page, and kept in a table for orders (`ZoneOrders`). */
export const SHOWN_FIELDS = {
  records: 'number',
  serial: 'number',
  changed: 'plain',
  owners: 'natural',
  dnssec: 'plain',
} as const

/** The list of zones, sorted also by what is read for the rows of a page. */
export const SHOWN_ZONES = defineList({
  sort: { ...ZONE_LIST.sort, ...SHOWN_FIELDS },
  filters: ZONE_LIST.filters,
  search: [...ZONE_LIST.search],
  defaultOrder: [...ZONE_LIST.defaultOrder],
})

export type ShownField = keyof typeof SHOWN_FIELDS

/** What a page of that list is asked for. */
export type ShownZoneQuery = ListQuery<
  keyof typeof SHOWN_ZONES.sort,
  keyof typeof SHOWN_ZONES.filters
>

/** Whether own rows of zones have an index of that order. */
export function isIndexed(query: ShownZoneQuery): query is ZoneQuery {
  return query.sort.every(({ field }) => Object.hasOwn(ZONE_LIST.sort, field))
}

/** What rows compare by. What somebody may not see of a zone is null, and so tells them nothing. */
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
