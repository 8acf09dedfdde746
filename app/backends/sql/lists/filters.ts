import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { hasImpossibleType, type RecordListQuery } from '#backends/contract/record_lists'
import type { BackendZone } from '#backends/contract/backend'
import { spellingsOf } from '#dns/names/idn'
import { isPrintableAscii } from '#dns/names/labels'
import { PRIORITY_IN_CONTENT_TYPES } from '#backends/sql/rows'
import { RECORD_SNAPSHOTS } from '#backends/sql/snapshots/snapshot_queries'
import type { ZoneTables } from '#backends/sql/tables'
import { containsReadText, containsText } from '#database/trigram_index/like'
import { fewIds, whereInRanges } from '#database/trigram_index/lookup'
import type { IdRange } from '#database/trigram_index/source'
import { dialectOf } from '#database/dialects/dialect_of'

type RowQuery = DatabaseQueryBuilderContract

/** Filters of a list of records. */
export type RecordFilters = Pick<RecordListQuery, 'filters' | 'q'>

/**
 * Records of the zone. Empty non-terminals (no type) and rows without a name are none.
 *
 * @param ids where all of them are that matter, if that is known
 */
export function recordsOfZone(
  client: QueryClientContract,
  { records }: ZoneTables,
  { id }: BackendZone,
  ids: readonly IdRange[] | null = null
): RowQuery {
  if (ids) {
    const rows = recordsBySomeId(client, { records }, { id })
    whereInRanges(rows, `${records}.id`, ids)
    return rows
  }
  return onlyRecords(client.from(records).where('domain_id', id))
}

/** Records of the zone with these ids: some thousands at most. */
export function recordsWithIds(
  client: QueryClientContract,
  tables: ZoneTables,
  { id }: BackendZone,
  ids: Iterable<number>
): RowQuery {
  const list = [...ids]
  const rows = recordsBySomeId(client, tables, { id })
  // The ids are whole numbers and need no binding.
  return rows.whereRaw(list.length === 0 ? '1 = 0' : `${tables.records}.id in (${list.join(',')})`)
}

/** `recordsOfZone` for a lookup by ids. */
export function recordsBySomeId(
  client: QueryClientContract,
  { records }: Pick<ZoneTables, 'records'>,
  { id }: Pick<BackendZone, 'id'>
): RowQuery {
  // No index has a sum: the ids restrict the query.
  return onlyRecords(client.from(records).whereRaw('domain_id + 0 = ?', [id]))
}

function onlyRecords(rows: RowQuery): RowQuery {
  return (
    rows
      .whereNotNull('type')
      // Not IS NOT NULL, which a planner could use for a lookup; '' is the root.
      .whereRaw("coalesce(name, '-') <> '-'")
  )
}

/**
 * Query of the records of the zone that match the filters, for zones that are too large for memory. Compares stored contents
 * without the priority and the quotes that users do not see.
 *
 * @param ids    range of all relevant ids, if known
 * @param readsEachRow see `applyFilters`
 */
export function filteredRecords(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters,
  ids: readonly IdRange[] | null = null,
  readsEachRow = false
): RowQuery {
  const rows = recordsOfZone(client, tables, zone, ids)
  return hasImpossibleType(query)
    ? rows.whereRaw('1 = 0')
    : applyFilters(rows, client, query, readsEachRow)
}

/**
 * Restricts a query to rows that match the filters.
 *
 * @param readsEachRow whether each row is read, without a text index
 */
export function applyFilters(
  rows: RowQuery,
  client: QueryClientContract,
  query: RecordFilters,
  readsEachRow = false
): RowQuery {
  const { filters, q } = query
  if (filters.type !== undefined) rows.where('type', filters.type.toUpperCase())
  if (filters.name !== undefined) nameContains(rows, filters.name, client, readsEachRow)
  if (filters.content !== undefined) contentContains(rows, filters.content, client, readsEachRow)
  if (q !== null) {
    rows.where((condition) => {
      condition
        .where((inName) => nameContains(inName, q, client, readsEachRow))
        .orWhere((inContent) => contentContains(inContent, q, client, readsEachRow))
    })
  }
  return rows
}

/**
 * Ranges of rows that may match the filters, by the text index; null if it does not help, or may not have all rows. Characters
 * beyond ASCII do not help: contents can have them as escapes.
 */
export async function findCandidateRanges(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  { filters: { name, content }, q }: RecordFilters
): Promise<IdRange[] | null> {
  const texts = [name, content, q].filter((text) => typeof text === 'string')
  const ascii = texts.filter(isPrintableAscii)
  return (await hasUnchangedSerial(client, tables, zone))
    ? fewIds(client, tables.texts, ascii)
    : null
}

/**
 * Whether the serial shows no external change since the last write of Zonewright. The index finds external rows with lower ids
 * late. Name servers write replicas.
 */
async function hasUnchangedSerial(
  client: QueryClientContract,
  { records }: ZoneTables,
  { id, name, kind }: BackendZone
): Promise<boolean> {
  if (kind === 'SLAVE' || kind === 'CONSUMER') {
    return false
  }
  const soa: unknown = await client
    .from(`${records} as r`)
    .join(`${RECORD_SNAPSHOTS} as s`, 's.record_id', 'r.id')
    .where({ 'r.domain_id': id, 'r.name': name, 'r.type': 'SOA', 's.zone_id': id })
    .whereColumn('r.content', 's.content')
    .select('r.id')
    .first()
  return Boolean(soa)
}

/**
 * Restricts a query to rows whose owner name contains the text, without case, also in Unicode form.
 *
 * @param readsEachRow see `applyFilters`
 */
function nameContains(
  rows: RowQuery,
  text: string,
  client: QueryClientContract,
  readsEachRow: boolean
): void {
  rows.where((condition) => {
    for (const spelling of spellingsOf(text)) {
      condition.orWhereRaw(...containsFunction(readsEachRow)(client, 'name', spelling))
    }
  })
}

/**
 * Restricts a query to rows whose content contains the text, without case, also in Unicode form. Characters beyond ASCII can
 * be stored as bytes in decimal escapes (RFC 1035, section 5.1).
 *
 * @param readsEachRow see `applyFilters`
 */
function contentContains(
  rows: RowQuery,
  text: string,
  client: QueryClientContract,
  readsEachRow: boolean
): void {
  const decimalEscaped = text.replace(/[^\x20-\x7e]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')
  )
  rows.where((condition) => {
    for (const needle of new Set([...spellingsOf(text), decimalEscaped])) {
      condition.orWhere((one) => addContentCondition(one, needle, client, readsEachRow))
    }
  })
}

function addContentCondition(
  rows: RowQuery,
  text: string,
  client: QueryClientContract,
  readsEachRow: boolean
): void {
  const contains = containsFunction(readsEachRow)
  const { length, position } = dialectOf(client)
  rows.whereRaw(...contains(client, 'content', text))
  if (/^[\d\s]/.test(text)) {
    // The match may be in a priority that is stored in front of the content.
    const afterPriority = contains(
      client,
      'content',
      text,
      `substr(??, ${position("' '", 'content')} + 1)`
    )
    rows.where((condition) => {
      condition.whereNotIn('type', PRIORITY_IN_CONTENT_TYPES).orWhereRaw(...afterPriority)
    })
  }
  if (text.includes('"')) {
    // The match may be one of the outer quotes, which users do not see.
    const withinQuotes = contains(
      client,
      'content',
      text,
      `substr(??, 2, ${length('content')} - 2)`
    )
    rows.where((condition) => {
      condition
        .whereNot('type', 'TXT')
        .orWhereRaw(`not (${UNQUOTED_CONDITION})`)
        .orWhereRaw(...withinQuotes)
    })
  }
}

function containsFunction(readsEachRow: boolean): typeof containsText {
  return readsEachRow ? containsReadText : containsText
}

/** One string that is neither empty nor begins or ends with a blank: `present` of TXT shows it without its quotes. */
const UNQUOTED_CONDITION = ['"_%"', '%" "%', '" %', '% "']
  .map((pattern, index) => `content ${index === 0 ? '' : 'not '}like '${pattern}'`)
  .join(' and ')
