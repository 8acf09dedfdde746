import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Actor } from '#access/actor'
import type { ZoneIndex } from '#backends/contract/backend'
import type { ContentSearch } from '#backends/contract/search'
import { asciiOf } from '#backends/contract/search_lookups'
import { isText, type Term } from '#dns/search/terms'
import { seesAllZones, visibleZones } from '#zones/visibility'

/** So many zones are named one by one; of more of them each hit is held against the rights of the caller. */
const FEW_ZONES = 1000

/** What to look for, and where the caller may look. */
export interface SearchScope extends ContentSearch {
  index: ZoneIndex
  /** Narrows a query that has `zw_zones` to zones that may be seen. */
  onlyVisible: (rows: DatabaseQueryBuilderContract) => void
}

/** Finds out where a search has to look: in zones that the caller may see and that the search names. */
export async function scopeOf(
  actor: Actor,
  index: ZoneIndex,
  terms: readonly Term[],
  limit: number
): Promise<SearchScope> {
  const { table, columns } = index
  const seesAll = seesAllZones(actor)
  const onlyVisible = await visibleZones(actor)
  const onlySeen = (rows: DatabaseQueryBuilderContract) => {
    if (!seesAll) {
      rows
        .join('zw_zones', 'zw_zones.id', `${table}.${columns.id}`)
        // A zone that another tool made under an old id belongs to nobody.
        .whereRaw('lower(??) = zw_zones.name', [`${table}.${columns.name}`])
      onlyVisible(rows)
    }
  }
  const named = terms.filter(isText).filter(({ field, isPattern, negated }) => {
    return field === 'zone' && !isPattern && !negated
  })
  const scope = { index, terms, limit, onlySeen, onlyVisible }
  if (seesAll && named.length === 0) {
    return { ...scope, zoneIds: null }
  }
  const rows = db.from(table).select(`${table}.${columns.id} as id`)
  onlySeen(rows)
  named.forEach(({ texts }) => rows.whereIn(`${table}.${columns.name}`, asciiOf(texts)))
  const zones = (await rows.limit(FEW_ZONES + 1)) as { id: number | string }[]
  const zoneIds = zones.length > FEW_ZONES ? null : zones.map(({ id }) => Number(id))
  return { ...scope, zoneIds }
}
