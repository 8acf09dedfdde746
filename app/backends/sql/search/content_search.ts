import { foldCase } from '#dns/names'
import { setImmediate as turn } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ContentHit, ContentHits, ContentSearch } from '#backends/contract/search'
import { restrictToTerms, type SearchedColumns } from '#backends/contract/search_conditions'
import { exactNames, textLookups } from '#backends/contract/search_lookups'
import { memoizeByTables, type ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import { whereInRanges } from '#database/trigram_index/lookup'
import { candidates } from '#database/trigram_index/ranges'

/** Number of characters of a text that are read for ranking. */
const MAX_TEXT_CHARACTERS = 300

/** In zones with fewer records, all are read without a lookup. */
const MAX_RECORDS_WITHOUT_LOOKUP = 20_000

/** Maximum number of rows that are read for hits of `ContentSearch.accepts`. */
const MAX_SCANNED_ROWS = 50_000

/** Maximum number of comments that are read. There are few, and no index has them. */
const MAX_COMMENTS_SCANNED = 100_000

const columnsOfRecords = memoizeByTables(({ zones, records }): SearchedColumns => {
  return {
    zone: `${zones}.name`,
    name: `${records}.name`,
    type: `${records}.type`,
    content: `${records}.content`,
    words: [`${records}.name`, `${records}.content`],
    ttl: `${records}.ttl`,
    disabled: `${records}.disabled`,
  }
})

const columnsOfComments = memoizeByTables(({ zones, comments }): SearchedColumns => {
  return {
    zone: `${zones}.name`,
    name: `${comments}.name`,
    type: `${comments}.type`,
    comment: `${comments}.comment`,
    words: [`${comments}.comment`],
  }
})

type QueryRestriction = (rows: DatabaseQueryBuilderContract) => void

/** Finds records that match all terms, within bounds: the result says whether they were reached. */
export async function searchRecords(
  client: QueryClientContract,
  tables: ZoneTables,
  search: ContentSearch
): Promise<ContentHits> {
  const { zones, records } = tables
  const rows = () => {
    const all = client.from(records).join(zones, `${zones}.id`, `${records}.domain_id`)
    all.whereNotNull(`${records}.type`).whereNotNull(`${records}.name`)
    return all
  }
  const columns = columnsOfRecords(tables)
  const collector = new HitCollector(client, search, { zones, rows: records }, columns, rows)
  if (!collector.isPossible) {
    return { hits: [], isComplete: true }
  }
  const { zoneIds } = search
  if (zoneIds && (await haveFewRecords(client, records, zoneIds))) {
    for (const part of chunks([...zoneIds])) {
      if (await collector.add((query) => void query.whereIn(`${records}.domain_id`, part))) break
    }
    return collector.result(true)
  }
  const inZones: QueryRestriction = (query) => {
    if (zoneIds) query.whereIn(`${records}.domain_id`, [...zoneIds])
  }
  const names = exactNames(search.terms)
  const isFull = await collector.add((query) => {
    query.whereIn(`${records}.name`, names)
    inZones(query)
  })
  if (isFull) {
    return collector.result(false)
  }
  const lookups = textLookups(search.terms, ['word', 'name', 'content'])
  const candidateBlocks = candidates(client, tables.texts, lookups)
  for (;;) {
    // The SQLite driver is synchronous: other requests run between the blocks.
    await turn()
    const { value, done } = await candidateBlocks.next()
    if (done) {
      return collector.result(value.isComplete)
    }
    const isDone = await collector.add((query) => {
      if (value !== 'all') whereInRanges(query, `${records}.id`, value)
      inZones(query)
    })
    if (isDone) {
      return collector.result(false)
    }
  }
}

/** Finds comments of PowerDNS' table that match all terms, among the first of them. */
export async function searchComments(
  client: QueryClientContract,
  tables: ZoneTables,
  search: ContentSearch
): Promise<ContentHits> {
  const { zones, comments } = tables
  const [bound] = (await client
    .from(comments)
    .orderBy('id')
    .offset(MAX_COMMENTS_SCANNED)
    .limit(1)
    .select('id')) as { id: number }[]
  const rows = () => {
    const query = client.from(comments).join(zones, `${zones}.id`, `${comments}.domain_id`)
    return bound ? query.where(`${comments}.id`, '<', bound.id) : query
  }
  const columns = columnsOfComments(tables)
  const collector = new HitCollector(client, search, { zones, rows: comments }, columns, rows)
  if (collector.isPossible) {
    await collector.add((query) => {
      if (search.zoneIds) query.whereIn(`${comments}.domain_id`, [...search.zoneIds])
    })
  }
  return collector.result(bound === undefined)
}

/** Gathers hits from one query after the other, up to the limit. */
class HitCollector {
  readonly #hits = new Map<number, ContentHit>()
  #scannedCount = 0
  /** Whether any row of this table can be a hit. */
  readonly isPossible: boolean

  constructor(
    private readonly client: QueryClientContract,
    private readonly search: ContentSearch,
    private readonly tables: { zones: string; rows: string },
    private readonly columns: SearchedColumns,
    private readonly rows: () => DatabaseQueryBuilderContract
  ) {
    this.isPossible = restrictToTerms(rows(), search.terms, columns)
  }

  /** Adds the hits of a restricted query. Returns whether the limit of hits or rows is reached. */
  async add(restrict: QueryRestriction): Promise<boolean> {
    const { limit, accepts } = this.search
    for (let after = 0; ;) {
      const found = await this.#page(restrict, after)
      const hits = found.map(hitFromRow)
      const acceptedHits = accepts ? hits.filter(({ text }) => accepts(text)) : hits
      acceptedHits.forEach((hit) => this.#hits.set(hit.id, hit))
      this.#scannedCount += hits.length
      if (this.#hits.size > limit || this.#isScanLimitReached) {
        return true
      }
      if (!accepts || hits.length <= limit) {
        return false
      }
      after = hits[hits.length - 1].id
    }
  }

  get #isScanLimitReached(): boolean {
    return this.search.accepts !== undefined && this.#scannedCount > MAX_SCANNED_ROWS
  }

  /** Rows that match the terms, after an id. */
  async #page(restrict: QueryRestriction, after: number): Promise<HitRow[]> {
    const { limit, terms, onlyVisibleZones } = this.search
    const rows = this.rows()
    restrict(rows)
    restrictToTerms(rows, terms, this.columns)
    onlyVisibleZones(rows)
    const { zones, rows: table } = this.tables
    const text = this.columns.content ?? this.columns.comment
    if (after > 0) rows.where(`${table}.id`, '>', after)
    return (await rows
      .orderBy(`${table}.id`)
      .limit(limit + 1)
      .select(
        `${table}.id as id`,
        `${zones}.id as zone_id`,
        `${zones}.name as zone_name`,
        `${table}.name as name`,
        `${table}.type as type`,
        this.client.raw(`substr(${text}, 1, ${MAX_TEXT_CHARACTERS}) as text`)
      )) as HitRow[]
  }

  /** @param isWhole whether all rows were read */
  result(isWhole: boolean): ContentHits {
    const { limit } = this.search
    const isComplete = isWhole && this.#hits.size <= limit && !this.#isScanLimitReached
    return { hits: [...this.#hits.values()].slice(0, limit), isComplete }
  }
}

interface HitRow {
  id: number | string
  zone_id: number | string
  zone_name: string
  name: string
  type: string
  text: string | null
}

function hitFromRow(row: HitRow): ContentHit {
  return {
    id: Number(row.id),
    zoneId: Number(row.zone_id),
    zoneName: foldCase(row.zone_name),
    name: foldCase(row.name),
    type: row.type.toUpperCase(),
    text: row.text ?? '',
  }
}

async function haveFewRecords(
  client: QueryClientContract,
  records: string,
  zoneIds: readonly number[]
): Promise<boolean> {
  let remaining = MAX_RECORDS_WITHOUT_LOOKUP
  for (const part of chunks([...zoneIds])) {
    const query = client
      .from(records)
      .whereIn('domain_id', part)
      .select('id')
      .limit(remaining + 1)
    const [{ total }] = (await client.from(query.as('some')).count('* as total')) as {
      total: number | string
    }[]
    remaining -= Number(total)
    if (remaining < 0) {
      return false
    }
  }
  return true
}
