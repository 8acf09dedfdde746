import { foldCase } from '#dns/names'
import { setImmediate as turn } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ContentHit, ContentHits, ContentSearch } from '#backends/contract/search'
import { narrowTo, type SearchedColumns } from '#backends/contract/search_conditions'
import { exactNames, textLookups } from '#backends/contract/search_lookups'
import { ofTables, type ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import { whereInRanges } from '#database/trigram_index/lookup'
import { candidates } from '#database/trigram_index/ranges'

/** Characters of a text that are read to rank it. */
const SHOWN = 300

/** In zones with fewer records, all are read without a lookup. */
const FEW_RECORDS = 20_000

/** Maximum number of rows that are read for hits of `ContentSearch.accepts`. */
const MAX_SCANNED = 50_000

/** Maximum number of comments that are read. There are few, and no index has them. */
const MAX_COMMENTS_SCANNED = 100_000

const columnsOfRecords = ofTables(({ zones, records }): SearchedColumns => {
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

const columnsOfComments = ofTables(({ zones, comments }): SearchedColumns => {
  return {
    zone: `${zones}.name`,
    name: `${comments}.name`,
    type: `${comments}.type`,
    comment: `${comments}.comment`,
    words: [`${comments}.comment`],
  }
})

type Narrowing = (rows: DatabaseQueryBuilderContract) => void

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
  const gathering = new Gathering(client, search, { zones, rows: records }, columns, rows)
  if (!gathering.isPossible) {
    return { hits: [], isComplete: true }
  }
  const { zoneIds } = search
  if (zoneIds && (await holdFew(client, records, zoneIds))) {
    for (const part of chunks([...zoneIds])) {
      if (await gathering.add((some) => void some.whereIn(`${records}.domain_id`, part))) break
    }
    return gathering.result(true)
  }
  const inZones: Narrowing = (some) => {
    if (zoneIds) some.whereIn(`${records}.domain_id`, [...zoneIds])
  }
  const names = exactNames(search.terms)
  const isFull = await gathering.add((some) => {
    some.whereIn(`${records}.name`, names)
    inZones(some)
  })
  if (isFull) {
    return gathering.result(false)
  }
  const lookups = textLookups(search.terms, ['word', 'name', 'content'])
  const pieces = candidates(client, tables.texts, lookups)
  for (;;) {
    // SQLite's driver is synchronous: others get their turn between the pieces.
    await turn()
    const { value, done } = await pieces.next()
    if (done) {
      return gathering.result(value.isComplete)
    }
    const isDone = await gathering.add((some) => {
      if (value !== 'all') whereInRanges(some, `${records}.id`, value)
      inZones(some)
    })
    if (isDone) {
      return gathering.result(false)
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
    const some = client.from(comments).join(zones, `${zones}.id`, `${comments}.domain_id`)
    return bound ? some.where(`${comments}.id`, '<', bound.id) : some
  }
  const columns = columnsOfComments(tables)
  const gathering = new Gathering(client, search, { zones, rows: comments }, columns, rows)
  if (gathering.isPossible) {
    await gathering.add((some) => {
      if (search.zoneIds) some.whereIn(`${comments}.domain_id`, [...search.zoneIds])
    })
  }
  return gathering.result(bound === undefined)
}

/** Gathers hits from one query after the other, up to the limit. */
class Gathering {
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
    this.isPossible = narrowTo(rows(), search.terms, columns)
  }

  /** Adds the hits of a restricted query. Returns whether the limit of hits or rows is reached. */
  async add(narrow: Narrowing): Promise<boolean> {
    const { limit, accepts } = this.search
    for (let after = 0; ;) {
      const found = await this.#page(narrow, after)
      const hits = found.map(hitOf)
      const taken = accepts ? hits.filter(({ text }) => accepts(text)) : hits
      taken.forEach((hit) => this.#hits.set(hit.id, hit))
      this.#scannedCount += hits.length
      if (this.#hits.size > limit || this.#isTired) {
        return true
      }
      if (!accepts || hits.length <= limit) {
        return false
      }
      after = hits[hits.length - 1].id
    }
  }

  get #isTired(): boolean {
    return this.search.accepts !== undefined && this.#scannedCount > MAX_SCANNED
  }

  /** Rows that match the terms, after an id. */
  async #page(narrow: Narrowing, after: number): Promise<HitRow[]> {
    const { limit, terms, onlyVisibleZones } = this.search
    const rows = this.rows()
    narrow(rows)
    narrowTo(rows, terms, this.columns)
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
        this.client.raw(`substr(${text}, 1, ${SHOWN}) as text`)
      )) as HitRow[]
  }

  /** @param isWhole whether all rows were read */
  result(isWhole: boolean): ContentHits {
    const { limit } = this.search
    const isComplete = isWhole && this.#hits.size <= limit && !this.#isTired
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

function hitOf(row: HitRow): ContentHit {
  return {
    id: Number(row.id),
    zoneId: Number(row.zone_id),
    zoneName: foldCase(row.zone_name),
    name: foldCase(row.name),
    type: row.type.toUpperCase(),
    text: row.text ?? '',
  }
}

async function holdFew(
  client: QueryClientContract,
  records: string,
  zoneIds: readonly number[]
): Promise<boolean> {
  let left = FEW_RECORDS
  for (const part of chunks([...zoneIds])) {
    const some = client
      .from(records)
      .whereIn('domain_id', part)
      .select('id')
      .limit(left + 1)
    const [{ total }] = (await client.from(some.as('some')).count('* as total')) as {
      total: number | string
    }[]
    left -= Number(total)
    if (left < 0) {
      return false
    }
  }
  return true
}
