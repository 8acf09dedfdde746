import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Actor } from '#access/actor'
import type { ZoneIndex } from '#backends/contract/backend'
import type { ContentSearch } from '#backends/contract/search'
import { onlyAscii } from '#backends/contract/search_lookups'
import { isText, type Term } from '#dns/search/terms'
import { seesAllZones, visibleZones } from '#zones/visibility'

/** Up to this many zones the query lists their ids; above, the rights are checked per hit. */
const MAX_FILTERED_ZONES = 1000

/** Terms of a search, and the zones that it covers. */
export interface SearchScope extends ContentSearch {
  index: ZoneIndex
  /** Restricts a query that joins `zw_zones` to visible zones. */
  onlyVisible: (rows: DatabaseQueryBuilderContract) => void
}

/** Returns the zones to search: visible to the caller, and named by the query. */
export async function scopeOf(
  actor: Actor,
  index: ZoneIndex,
  terms: readonly Term[],
  limit: number
): Promise<SearchScope> {
  const { table, columns } = index
  const seesAll = seesAllZones(actor)
  const onlyVisible = await visibleZones(actor)
  const joinVisible = (rows: DatabaseQueryBuilderContract) => {
    if (!seesAll) {
      rows
        .join('zw_zones', 'zw_zones.id', `${table}.${columns.id}`)
        // A new zone with a reused id has another name, and none of these owners.
        .whereRaw('lower(??) = zw_zones.name', [`${table}.${columns.name}`])
      onlyVisible(rows)
    }
  }
  const named = terms.filter(isText).filter(({ field, isPattern, negated }) => {
    return field === 'zone' && !isPattern && !negated
  })
  const scope = { index, terms, limit, onlyVisibleZones: joinVisible, onlyVisible }
  if (seesAll && named.length === 0) {
    return { ...scope, zoneIds: null }
  }
  const rows = db.from(table).select(`${table}.${columns.id} as id`)
  joinVisible(rows)
  named.forEach(({ texts }) => rows.whereIn(`${table}.${columns.name}`, onlyAscii(texts)))
  const zones = (await rows.limit(MAX_FILTERED_ZONES + 1)) as { id: number | string }[]
  const zoneIds = zones.length > MAX_FILTERED_ZONES ? null : zones.map(({ id }) => Number(id))
  return { ...scope, zoneIds }
}
