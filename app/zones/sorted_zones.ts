import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { defineList } from '#lists/declaration'
import { listInMemory } from '#lists/in_memory'
import type { Listed } from '#lists/listed'
import type { ListQuery } from '#lists/query'
import { treeOf, ZONE_LIST, ZoneList, type ListedZone, type ZoneQuery } from '#zones/zone_list'
import { ZoneSummaries, type ZoneSummary } from '#zones/zone_summaries'

/** What no index has the zones in the order of; it is read for the zones of short lists. */
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

/** What a page of that list is asked for. */
export type ShownZoneQuery = ListQuery<
  keyof typeof SHOWN_ZONES.sort,
  keyof typeof SHOWN_ZONES.filters
>

/** Pages of the list of zones in any order of `SHOWN_ZONES`: the longer ones in that of an index only. */
@inject()
export class SortedZones {
  /** Zones of a list that is sorted by what no index has: it is read for all of them, whatever the page. */
  readonly most: number = 1_000

  constructor(
    private readonly zones: ZoneList,
    private readonly summaries: ZoneSummaries
  ) {}

  /** The page; null where the list is too long for the order that is asked for. */
  async page(actor: Actor, query: ShownZoneQuery): Promise<Listed<ListedZone> | null> {
    if (isIndexed(query)) {
      return this.zones.page(actor, query)
    }
    const window = { number: 1, size: this.most, offset: 0 }
    const { rows, total } = await this.zones.page(actor, { ...query, sort: [], page: window })
    if (total === null || total > this.most) {
      return null
    }
    const summaries = await this.summaries.of(actor, rows)
    // They are filtered already.
    const order = { ...query, filters: {}, q: null }
    const listed = listInMemory(SHOWN_ZONES, order, summaries.map(sortable))
    return { ...listed, rows: listed.rows.map(({ id, name, type }) => ({ id, name, type })) }
  }
}

/** Whether an index has the zones in that order. */
function isIndexed(query: ShownZoneQuery): query is ZoneQuery {
  return query.sort.every(({ field }) => Object.hasOwn(ZONE_LIST.sort, field))
}

/** What rows compare by. What somebody may not see of a zone is null, and so tells them nothing. */
function sortable({ id, name, type, records, serial, lastChange, owners, signing }: ZoneSummary) {
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
