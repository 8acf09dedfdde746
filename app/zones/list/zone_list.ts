import type { ListedZone } from '#zones/list/full_list'
import db from '@adonisjs/lucid/services/db'
import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { canView } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { MAX_ZONES_ADDED_PER_REQUEST, importNewZones } from '#changes/zone_index/discover'
import { listedKind } from '#changes/zone_index/zone_rows'
import { repairZoneRows } from '#changes/recovery/reconcile'
import { spellingsOf } from '#dns/names/idn'
import { isWithin, zoneName } from '#dns/names'
import { naturalSortKey } from '#dns/names/sort_key'
import { defineList } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import { listSmallSelection } from '#lists/sql/cached_ids'
import { listInMemory } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListState, ListSource } from '#lists/source'
import { zoneListState } from '#lists/sql/zone_count'
import { chunks } from '#database/statements/chunks'
import { zoneNamesContaining } from '#database/trigram_index/lookup'
import { everyZone } from '#zones/list/full_list'
import {
  fewVisibleZones,
  onlyVisible,
  seesAllZones,
  visibilityOf,
  visibleZones,
} from '#zones/visibility'
import { dialectOf } from '#database/dialects/dialect_of'

/**
 * Parts of the name tree: reverse zones are those below in-addr.arpa and ip6.arpa (RFC 1035, 3.5;
 * RFC 3596, 2.5).
 */
export const NAME_TREES = ['forward', 'ipv4', 'ipv6'] as const

/** Columns and filters of the zone list. `name` is an exact match. */
export const ZONE_LIST = defineList({
  sort: { name: 'natural', type: 'plain', id: 'number' },
  filters: { name: 'exact', tree: NAME_TREES },
  search: ['name'],
  names: ['name'],
  // The collation of the database; `sort=name` is the natural order.
  defaultOrder: [{ field: 'stored_name' }, { field: 'id' }],
})

type Field = keyof typeof ZONE_LIST.sort
type Column = 'stored_name' | 'name' | 'id'
type Filter = keyof typeof ZONE_LIST.filters
export type ZoneQuery = ListQuery<Field, Filter>

/** A zone row and its zone in the backend; name and type are null if the zone is deleted. */
interface Row {
  id: number | string
  own_name: string
  own_type: string
  name: string | null
  type: string | null
}

/** The zones that an actor may view, by page or completely. */
@inject()
export class ZoneList {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Returns the requested page, or the whole list. */
  async page(actor: Actor, query: ZoneQuery): Promise<ListResult<ListedZone>> {
    const { name } = query.filters
    if (name !== undefined) {
      const named = await this.#findNamed(actor, name)
      const rows = named.map((zone) => ({
        ...zone,
        stored_name: zone.name,
        tree: treeOf(zone.name),
      }))
      const { tree } = query.filters
      const { rows: found, ...pageInfo } = listInMemory(
        ZONE_LIST,
        { ...query, filters: tree === undefined ? {} : { tree } },
        rows
      )
      return {
        rows: found.map(({ id, name: listedName, type }) => ({ id, name: listedName, type })),
        ...pageInfo,
      }
    }
    await importNewZones(this.#backend, { maxZones: MAX_ZONES_ADDED_PER_REQUEST })
    const page = await this.#read(actor, query)
    const areStale = await this.#repairStale(page.rows)
    const { rows, ...pageInfo } = areStale ? await this.#read(actor, query) : page
    return { rows: rows.flatMap((row) => listedZoneOf(actor, row)), ...pageInfo }
  }

  /** Returns those zones that the actor may view, in the order of the ids. */
  async listByIds(actor: Actor, ids: readonly number[]): Promise<ListedZone[]> {
    const found = new Map<number, ListedZone>()
    for (const part of chunks([...new Set(ids)])) {
      const read = async () => {
        const source = this.#source()
        const rows = source.select(source.createQuery()).whereIn('zw_zones.id', part)
        onlyVisible(actor, rows)
        return (await rows) as Row[]
      }
      const rows = await read()
      const currentRows = (await this.#repairStale(rows)) ? await read() : rows
      currentRows
        .flatMap((row) => listedZoneOf(actor, row))
        .forEach((zone) => found.set(zone.id, zone))
    }
    return [...new Set(ids)].flatMap((id) => found.get(id) ?? [])
  }

  /**
   * Suggests zones whose names begin with a text, then zones that contain it. A single character
   * suggests nothing.
   */
  async suggest(actor: Actor, text: string, limit: number): Promise<ListedZone[]> {
    const word = spellingsOf(text.trim().toLowerCase()).at(-1)!
    if (word.length < 2 || word.length > 255) {
      return []
    }
    const filterRows = (await fewVisibleZones(actor)) ?? ((rows) => onlyVisible(actor, rows))
    const source = this.#source()
    const begun = source.select(source.createQuery())
    filterRows(begun)
    // Sort keys encode numbers with their length, so a longer number may have another position.
    const key = naturalSortKey(word.replace(/\d+$/, ''))
    const rows =
      key === ''
        ? []
        : ((await begun
            .where('zw_zones.sort_key', '>=', key)
            .where('zw_zones.sort_key', '<', `${key}~`)
            .whereRaw(...beginning('zw_zones.name', word))
            .orderBy('zw_zones.sort_key')
            .limit(limit)) as Row[])
    const found = rows.flatMap((row) => listedZoneOf(actor, row))
    // Shorter texts match too many names, and the text index does not contain them.
    if (found.length >= limit || word.length < 3) {
      return found
    }
    const page = { number: 1, size: 2 * limit, offset: 0, after: null }
    const { rows: containing } = await this.page(actor, { sort: [], filters: {}, q: word, page })
    const foundIds = new Set(found.map(({ id }) => id))
    return [...found, ...containing.filter(({ id }) => !foundIds.has(id))].slice(0, limit)
  }

  /** Returns zone rows of a page, or of the whole list. */
  async #read(actor: Actor, query: ZoneQuery): Promise<ListResult<Row>> {
    const source = this.#source()
    const listMarks = await listStateFor(actor)
    if (query.page && query.page.after === undefined && !seesAllZones(actor)) {
      const matchingPage = await listSmallSelection<Row, Field, Column, Filter>(ZONE_LIST, query, {
        source,
        id: 'zw_zones.id',
        state: listMarks,
        restrictPage: (rows) => onlyVisible(actor, rows),
        restrictToAll: () => fewVisibleZones(actor),
      })
      if (matchingPage) return matchingPage
    }
    return listInDatabase(ZONE_LIST, query, {
      ...(await visible(source, actor)),
      readState: async () => listMarks,
    })
  }

  /** Yields the whole list in batches. */
  async *batches(actor: Actor, query: ZoneQuery): AsyncGenerator<ListedZone[], void> {
    if (query.filters.name !== undefined) {
      const { rows } = await this.page(actor, query)
      yield rows
      return
    }
    const isPlain = query.sort.length === 0 && query.q === null && query.filters.tree === undefined
    const isEvery = isPlain && seesAllZones(actor)
    // All zones are visible, so zone rows are not needed.
    if (isEvery && isOrderedAlike()) {
      yield* everyZone(this.#backend.zoneIndex)
      return
    }
    await importNewZones(this.#backend, isEvery ? {} : { maxZones: MAX_ZONES_ADDED_PER_REQUEST })
    const source = await visible(this.#source(), actor)
    const batches = batchesInDatabase<Row, Field, Column, Filter>(ZONE_LIST, query, source)
    for await (const rows of batches) {
      await this.#repairStale(rows)
      yield rows.flatMap((row) => listedZoneOf(actor, row))
    }
  }

  /**
   * Updates rows of zones that another program deleted or changed. Returns whether any row was
   * stale.
   */
  async #repairStale(rows: Row[]): Promise<boolean> {
    const stale = rows.filter((row) => !isRight(row)).map(({ id }) => Number(id))
    if (stale.length > 0) {
      await repairZoneRows(this.#backend, stale)
    }
    return stale.length > 0
  }

  /** Finds a zone by name in the backend, so that a new name by another program is found too. */
  async #findNamed(actor: Actor, text: string): Promise<ListedZone[]> {
    const name = nameFilter(text)
    const zone = name === null ? null : await this.#backend.findZoneByName(name)
    return zone && canView(actor, await loadZoneFacts(zone)) ? [itemOf(zone)] : []
  }

  /** All zones that have a zone row. */
  #source(): ListSource<Field | Column | Filter> {
    const { table, columns } = this.#backend.zoneIndex
    return {
      columns: {
        id: 'zw_zones.id',
        name: { column: 'zw_zones.name', sortKey: 'zw_zones.sort_key' },
        type: 'zw_zones.kind',
        tree: 'zw_zones.tree',
        stored_name: 'zw_zones.name',
      },
      createQuery: () => db.from('zw_zones').whereNotNull('zw_zones.kind'),
      select: (rows) =>
        rows
          .leftJoin(table, `${table}.${columns.id}`, 'zw_zones.id')
          .select(
            'zw_zones.id',
            'zw_zones.name as own_name',
            'zw_zones.kind as own_type',
            `${table}.${columns.name} as name`,
            `${table}.${columns.kind} as type`
          ),
      search: (q) => zoneNamesContaining(db.connection(), 'zw_zones.name', q),
    }
  }
}

/**
 * Returns whether zone rows sort as the backend does. On MariaDB, the collation of PowerDNS' tables
 * sorts `_` after letters.
 */
function isOrderedAlike(): boolean {
  return dialectOf(db.connection()).comparesBytes
}

/** Returns the version and, if it is known, the total of the zone list of this actor. */
export async function listStateFor(actor: Actor): Promise<ListState> {
  const { total, version } = await zoneListState(db.connection())
  const scope = `zones ${visibilityOf(actor)}`
  return { scope, version: String(version), ...(seesAllZones(actor) ? { total } : {}) }
}

/** Restricts the source to zones that the actor may view. */
async function visible<Name extends string>(
  source: ListSource<Name>,
  actor: Actor
): Promise<ListSource<Name>> {
  const filterRows = await visibleZones(actor)
  return {
    ...source,
    createQuery: () => {
      const rows = source.createQuery()
      filterRows(rows)
      return rows
    },
  }
}

/** Condition for a prefix; escapes `%` and `_`. */
function beginning(column: string, text: string): [sql: string, bindings: string[]] {
  return ["?? like ? escape '!'", [column, `${text.replace(/[!%_]/g, '!$&')}%`]]
}

/** Returns the part of the name tree that contains this name. */
export function treeOf(name: string): (typeof NAME_TREES)[number] {
  if (isWithin(name, 'in-addr.arpa')) return 'ipv4'
  return isWithin(name, 'ip6.arpa') ? 'ipv6' : 'forward'
}

/** Returns the canonical name; null for a text that is no zone name. */
function nameFilter(text: string): string | null {
  try {
    return zoneName(text)
  } catch {
    return null
  }
}

function itemOf({ id, name, kind }: BackendZone): ListedZone {
  return { id, name, type: kind }
}

/** Returns whether the zone row is current. */
function isRight({ name, type, own_name: storedName, own_type: storedType }: Row): boolean {
  return name?.toLowerCase() === storedName && listedKind(type ?? '') === storedType
}

/**
 * Returns the current zone, or nothing if it is deleted. A new zone under an old id belongs to no
 * owner, so only actors who see all zones get it.
 */
function listedZoneOf(actor: Actor, row: Row): ListedZone[] {
  const { id, name, type, own_name: storedName } = row
  const isSame = name?.toLowerCase() === storedName
  if (name === null || (!isSame && !seesAllZones(actor))) {
    return []
  }
  return [{ id: Number(id), name: name.toLowerCase(), type: listedKind(type ?? '') }]
}
