import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { restrictToTerms, type SearchedColumns } from '#backends/contract/search_conditions'
import { exactNames, textLookups } from '#backends/contract/search_lookups'
import { whereInRanges } from '#database/trigram_index/lookup'
import { candidates } from '#database/trigram_index/ranges'
import { ZONE_TEXTS } from '#database/trigram_index/source'
import { separateGram } from '#database/trigram_index/trigrams'
import { scoreOf } from '#dns/search/score'
import type { Term } from '#dns/search/terms'
import type { SearchHit } from '#zones/search/hit'
import type { SearchScope } from '#zones/search/scope'

const NAME = 'zw_zones.name'
const NAMES: SearchedColumns = { zone: NAME, name: NAME, words: [NAME] }
const DESCRIPTION = 'zw_zones.description'
const DESCRIPTIONS: SearchedColumns = {
  zone: NAME,
  name: NAME,
  comment: DESCRIPTION,
  words: [DESCRIPTION],
}

/** Searches zones by name or description; returns at most `scope.limit`. */
export async function searchZones(
  scope: SearchScope,
  by: 'name' | 'description'
): Promise<{ hits: SearchHit[]; isComplete: boolean }> {
  const { terms, limit } = scope
  const columns = by === 'name' ? NAMES : DESCRIPTIONS
  const hits = new Map<number, SearchHit>()
  const add = async (filterRows: (rows: DatabaseQueryBuilderContract) => void) => {
    const rows = zoneRows(scope, by)
    filterRows(rows)
    restrictToTerms(rows, terms, columns)
    const found = (await rows.orderBy('zw_zones.id').limit(limit + 1)) as ZoneTextRow[]
    found.forEach((row) => hits.set(Number(row.id), hitOf(row, scope)))
    return hits.size > limit
  }
  const result = (isWhole: boolean) => ({
    hits: [...hits.values()].slice(0, limit),
    isComplete: isWhole && hits.size <= limit,
  })

  if (!restrictToTerms(db.from('zw_zones'), terms, columns)) {
    return result(true)
  }
  if (scope.zoneIds) {
    await add(() => {})
    return result(true)
  }
  if (by === 'name') {
    await add((rows) => void rows.whereIn(NAME, exactNames(terms)))
  }
  const pieces = candidates(db.connection(), ZONE_TEXTS, lookupsOf(terms, by))
  for (;;) {
    // The SQLite driver is synchronous: this lets other requests run between chunks.
    await turn()
    const { value, done } = await pieces.next()
    if (done) {
      return result(value.isComplete)
    }
    if (await add((rows) => value !== 'all' && whereInRanges(rows, 'zw_zones.id', value))) {
      return result(false)
    }
  }
}

/** Returns the terms for lookups by zone name, or by description of zones with matching names. */
function lookupsOf(terms: readonly Term[], by: 'name' | 'description'): number[][] {
  if (by === 'name') {
    return textLookups(terms, ['word', 'name'])
  }
  const names = textLookups(terms, ['name'])
  const texts = textLookups(terms, ['word', 'comment'])
  return texts.flatMap((text) => names.map((name) => [...name, ...text.map(separateGram)]))
}

interface ZoneTextRow {
  id: number | string
  name: string
  text: string | null
}

/** Visible zones whose zone row is current. */
function zoneRows(scope: SearchScope, by: 'name' | 'description') {
  const { table, columns } = scope.index
  const rows = db
    .from(table)
    .join('zw_zones', 'zw_zones.id', `${table}.${columns.id}`)
    .whereColumn('zw_zones.name', `${table}.${columns.name}`)
    .select('zw_zones.id as id', 'zw_zones.name as name')
  scope.onlyVisible(rows)
  if (scope.zoneIds) {
    rows.whereIn('zw_zones.id', [...scope.zoneIds])
  }
  return by === 'name'
    ? rows.select(db.raw('null as text'))
    : rows.whereNotNull(DESCRIPTION).select(`${DESCRIPTION} as text`)
}

function hitOf({ id, name, text }: ZoneTextRow, { terms }: SearchScope): SearchHit {
  return {
    kind: text === null ? 'zone' : 'comment',
    zoneId: Number(id),
    zoneName: name,
    recordId: null,
    name,
    type: null,
    text,
    score: scoreOf(terms, { name, text }),
  }
}
