import { setTimeout as wait } from 'node:timers/promises'
import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { isHeldElsewhere } from '#database/conflicts'
import { zoneNamesContaining } from '#database/trigram_index/lookup'
import { listSmallSelection } from '#lists/sql/cached_ids'
import { defineList } from '#lists/declaration'
import { listInDatabase } from '#lists/sql/paginate'
import { listInMemory } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListColumn, ListSource } from '#lists/source'
import { zoneOrdersVersion } from '#lists/sql/zone_count'
import {
  isIndexed,
  sortable,
  COMPUTED_FIELDS,
  ZONE_PAGE_LIST,
  type ComputedField,
  type ZonePageQuery,
} from '#zones/list/computed_fields'
import {
  fewVisibleZones,
  onlyVisible,
  seesAllZones,
  visibilityOf,
  type VisibilityScope,
} from '#zones/visibility'
import { listStateFor, NAME_TREES, ZoneList } from '#zones/list/zone_list'
import type { ListedZone } from '#zones/list/full_list'
import { ZONE_ORDERS, ZoneOrders } from '#zones/list/sort_table'
import { ZoneSummaries } from '#zones/list/summaries'

/** Zone ids, in the orders of the sort table. */
const SORTED_LIST = defineList({
  sort: { ...COMPUTED_FIELDS, id: 'number' },
  filters: { tree: NAME_TREES },
  search: ['name'],
  names: ['name'],
  defaultOrder: [{ field: 'id' }],
})

/**
 * Lists up to this length are sorted in memory if zone rows have no index; longer ones use the sort
 * table. An object, so that tests can lower the limit.
 */
export const SHORT = { most: 1_000 }

/** Attempts of a page to update locked sort rows, and the pause between them. */
const MAX_ATTEMPTS = 4
const RETRY_MS = 40

type Field = keyof typeof SORTED_LIST.sort
type Filter = keyof typeof SORTED_LIST.filters
type SortTableQuery = ListQuery<Field, Filter>
type Source = ListSource<Field | Filter | 'name'>

/** Visibility of all zones that a sort order requires, because the order reveals the values. */
const SECRETS: Partial<Record<ComputedField, VisibilityScope>> = {
  changed: 'history',
  owners: 'owners',
}

const ID = `${ZONE_ORDERS}.zone_id`

/** Pages of the zone list in any order of `ZONE_PAGE_LIST`. */
@inject()
export class SortedZones {
  constructor(
    private readonly zones: ZoneList,
    private readonly summaries: ZoneSummaries,
    private readonly orders: ZoneOrders
  ) {}

  /** Returns the fields that the actor can sort a list of this length by. */
  fields(actor: Actor, total: number): (keyof typeof ZONE_PAGE_LIST.sort)[] {
    const fields = Object.keys(ZONE_PAGE_LIST.sort) as (keyof typeof ZONE_PAGE_LIST.sort)[]
    return fields.filter((field) => total <= SHORT.most || isOpen(actor, field))
  }

  /**
   * Returns the page. Returns null if the list is too long for the order: several fields, or a
   * field that the actor may view for some zones only.
   */
  async page(actor: Actor, query: ZonePageQuery): Promise<ListResult<ListedZone> | null> {
    if (isIndexed(query)) {
      return this.zones.page(actor, query)
    }
    const plain = { ...query, sort: [] }
    const one = { number: 1, size: 1, offset: 0 }
    const { total } = await this.zones.page(actor, { ...plain, page: one })
    if ((total ?? 0) > SHORT.most) {
      return isInSortTable(query) && query.sort.every(({ field }) => isOpen(actor, field))
        ? this.#longPage(actor, query)
        : null
    }
    const { rows } = await this.zones.page(actor, { ...plain, page: { ...one, size: SHORT.most } })
    const summaries = await this.summaries.readVisible(actor, rows)
    // The filters are applied already.
    const sortedQuery = { ...query, filters: {}, q: null }
    const page = listInMemory(ZONE_PAGE_LIST, sortedQuery, summaries.map(sortable))
    return { ...page, rows: page.rows.map(({ id, name, type }) => ({ id, name, type })) }
  }

  /** Returns a page by the sort table, after an update of that table. */
  async #longPage(actor: Actor, query: SortTableQuery): Promise<ListResult<ListedZone>> {
    await this.#updateSortTable()
    const page = await this.#sortTablePage(actor, query)
    const rows = await this.zones.listByIds(actor, idsOf(page))
    if (rows.length === page.rows.length) {
      return { ...page, rows }
    }
    // Zones that another program deleted have left the list now.
    const currentPage = await this.#sortTablePage(actor, query)
    return { ...currentPage, rows: await this.zones.listByIds(actor, idsOf(currentPage)) }
  }

  /**
   * Updates the sort table. A page does not wait for large transactions; it uses the stored values.
   * Another update of the same rows is finished after a short pause.
   */
  async #updateSortTable(): Promise<void> {
    for (let tries = MAX_ATTEMPTS; tries > 0; tries--) {
      try {
        await this.orders.updateStale(false)
        return
      } catch (error) {
        if (!isHeldElsewhere(error)) throw error
        await wait(RETRY_MS)
      }
    }
  }

  async #sortTablePage(
    actor: Actor,
    query: SortTableQuery
  ): Promise<ListResult<{ id: number | string }>> {
    const seesAll = seesAllZones(actor)
    const source = sourceOf(query.q !== null || !seesAll)
    const listMarks = await listStateFor(actor)
    if (!seesAll) {
      const version = `${listMarks.version} ${await zoneOrdersVersion(db.connection())}`
      const matchingPage = await listSmallSelection<{ id: number }, Field, 'name' | 'id', Filter>(
        SORTED_LIST,
        query,
        {
          source,
          id: ID,
          state: { scope: `orders of ${visibilityOf(actor)}`, version },
          restrictPage: (rows) => onlyVisible(actor, rows),
          restrictToAll: () => fewVisibleZones(actor),
        }
      )
      if (matchingPage) return matchingPage
    }
    return listInDatabase(SORTED_LIST, query, {
      ...source,
      createQuery: () => {
        const rows = source.createQuery()
        if (!seesAll) onlyVisible(actor, rows)
        return rows
      },
      // The total does not depend on the order, so other orders share it.
      readState: async () => ({ ...listMarks, canReorder: true }),
    })
  }
}

/** Returns whether the sort table has that order. */
function isInSortTable(query: ZonePageQuery): query is ZonePageQuery & SortTableQuery {
  const [first, next] = query.sort
  const isOne = Object.hasOwn(COMPUTED_FIELDS, first.field) && (!next || next.field === 'id')
  return isOne && query.filters.name === undefined
}

/** Returns whether the order reveals only values that the actor may view. */
function isOpen(actor: Actor, field: keyof typeof ZONE_PAGE_LIST.sort): boolean {
  const sight = (SECRETS as Record<string, VisibilityScope | undefined>)[field]
  return sight === undefined || visibilityOf(actor, sight) === visibilityOf(actor)
}

function idsOf({ rows }: ListResult<{ id: number | string }>): number[] {
  return rows.map(({ id }) => Number(id))
}

/** @param isNamed whether to join zone rows, for filters by name and owner */
function sourceOf(isNamed: boolean): Source {
  const columnOf = (field: ComputedField): Exclude<ListColumn, string> => ({
    column: `${ZONE_ORDERS}.${field}`,
    indexed: [''],
  })
  return {
    columns: {
      records: columnOf('records'),
      serial: columnOf('serial'),
      changed: columnOf('changed'),
      owners: { ...columnOf('owners'), sortKey: `${ZONE_ORDERS}.owners` },
      dnssec: columnOf('dnssec'),
      id: ID,
      tree: `${ZONE_ORDERS}.tree`,
      name: 'zw_zones.name',
    },
    createQuery: () => {
      const rows = db.from(ZONE_ORDERS)
      return isNamed ? rows.join('zw_zones', 'zw_zones.id', ID) : rows
    },
    select: (rows) => rows.select(`${ID} as id`),
    search: (q) => zoneNamesContaining(db.connection(), 'zw_zones.name', q),
  }
}
