import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import {
  RECORD_LIST,
  isHopeless,
  listedRecord,
  type ListedRecord,
  type RecordListQuery,
} from '#backends/contract/record_lists'
import { byKeys } from '#backends/sql/sort_keys/use_keys'
import { firstMatches, isFirstLook } from '#backends/sql/lists/first_page'
import { SqlKeyedList } from '#backends/sql/sort_keys/sorted_list'
import { isByTypeOnly } from '#backends/sql/sort_keys/sorted_source'
import { ListedRow } from '#backends/sql/lists/listed_row'
import { FEW_MATCHES, MatchingIds } from '#backends/sql/lists/matching_ids'
import {
  narrowedRecords,
  recordsBySomeId,
  recordsWithIds,
  type RecordFilters,
} from '#backends/sql/lists/filters'
import { LARGE_ZONE, sizeOfZone, type ZoneSize } from '#backends/sql/lists/zone_size'
import { askForKeys } from '#backends/sql/sort_keys/queue'
import { keyedRows } from '#backends/sql/sort_keys/sorted_rows'
import { RECORD_COLUMNS, recordFromRow, type RecordRow } from '#backends/sql/rows'
import type { ListDeclaration } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import { listInMemory, matcherOf } from '#lists/memory/sort_in_memory'
import { listInPasses } from '#lists/memory/streaming_select'
import { pageOf, type Keyed, type Listed } from '#lists/list_result'
import type { Page } from '#lists/page'
import type { RowKey } from '#lists/row_key'
import type { ById } from '#lists/sql/id_filter'
import { sortedBatches, type Packing } from '#lists/memory/sorted_stream'
import { countRows } from '#lists/sql/filters'
import type { ListSource } from '#lists/source'
import { KeysetQuery } from '#lists/sql/keyset_query'
import type { ZoneTables } from '#backends/sql/tables'
import type { IdSet } from '#database/rows/id_set'

type Column = 'stored_type' | 'stored_name' | 'id'

/** The order that an index serves. */
const IN_ORDER: ListDeclaration<never, Column, never> = {
  sort: {},
  filters: {},
  search: [],
  defaultOrder: RECORD_LIST.defaultOrder as { field: Column }[],
}
const COLUMNS = { stored_type: 'type', stored_name: 'name', id: 'id' }
/** Records as they are put aside while a whole list is sorted. */
const PACKED: Packing<ListedRecord> = {
  pack: ({ record }) => record,
  unpack: (packed) => listedRecord(packed as StoredRecord),
}
const UNFILTERED: RecordFilters = { filters: {}, q: null }

/**
 * Lists of the records of one zone. The default order is read by windows of an index at any size. What else is
 * asked for is answered in memory in a small zone; in a large one filters are the database's, and other orders
 * those of stored sort keys, or made in passes over the zone until these are there.
 */
export class SqlRecordList {
  readonly #keyed: SqlKeyedList

  constructor(
    private readonly client: QueryClientContract,
    private readonly tables: ZoneTables,
    private readonly zone: BackendZone
  ) {
    this.#keyed = new SqlKeyedList(client, tables, zone)
  }

  /** See `DnsBackend.listRecords`. */
  async list(query: RecordListQuery): Promise<Listed<StoredRecord>> {
    const { page } = query
    if (isHopeless(query)) {
      return { rows: [], total: page?.after === undefined ? 0 : null, next: null }
    }
    if (!page) {
      const rows = await Array.fromAsync(this.batches(query))
      return { rows: rows.flat(), total: null, next: null }
    }
    const size = await sizeOfZone(this.client, this.tables, this.zone)
    const isByType = isByTypeOnly(query)
    if (size.isSmall && !(isByType && query.sort.length === 0)) {
      const small = await this.#small(query, page)
      if (small) return small
    }
    const known =
      isByType || size.isSmall ? null : new MatchingIds(this.client, this.tables, this.zone, size)
    const first =
      known && isFirstLook(known, query, page) && (await this.#first(query, size, known))
    if (first) {
      return first
    }
    const matches = known && (await known.of(query))
    if (query.sort.length > 0) {
      return records(await this.#sorted(query, size, matches))
    }
    const listed = await listInDatabase<RecordRow, never, Column, never>(
      IN_ORDER,
      { ...UNFILTERED, sort: [], page },
      matches ? this.#matching(query, size, matches) : this.#source(query, size)
    )
    return this.#records(listed)
  }

  /** See `DnsBackend.recordBatches`. */
  async *batches(query: RecordListQuery): AsyncGenerator<StoredRecord[], void> {
    if (isHopeless(query)) {
      return
    }
    if (query.sort.length === 0) {
      const matches = matcherOf<ListedRecord>(RECORD_LIST, query)
      for await (const batch of this.#pass(query)()) {
        const found = batch.filter(matches).map(({ record }) => record)
        if (found.length > 0) yield found
      }
      return
    }
    const size = await sizeOfZone(this.client, this.tables, this.zone)
    const rows = size.isSmall ? await this.keyed(query, null) : null
    if (rows) {
      const all = rows.map(({ row }) => row)
      yield records(listInMemory(RECORD_LIST, query, all)).rows
      return
    }
    const isKeyed =
      size.isKeyed && SqlKeyedList.hasIndexFor(query) && (await this.#keyed.isCurrent())
    const batches = isKeyed
      ? this.#keyed.batches(query)
      : sortedBatches(RECORD_LIST, query, this.#pass(query), PACKED)
    for await (const batch of batches) {
      yield batch.map(({ record }) => record)
    }
  }

  /** A page near the start of a large zone without looking at all of it; null where that cannot be. */
  async #first(
    query: RecordListQuery,
    size: ZoneSize,
    known: MatchingIds
  ): Promise<Listed<StoredRecord> | null> {
    const page = query.page!
    if (query.sort.length > 0) {
      const listed = size.isKeyed ? await this.#keyed.first(query, page, known) : null
      return listed && records(listed)
    }
    const listed = await firstMatches(known, query, page, this.#view(query), this.#byId())
    return listed && this.#records(listed)
  }

  #records(listed: Listed<RecordRow>): Listed<StoredRecord> {
    return { ...listed, rows: listed.rows.map((row) => recordFromRow(row, this.zone.name)) }
  }

  /**
   * A page of a large zone in another order than the default one.
   *
   * @param matches what the filters leave, where it is more than a type that is asked for
   */
  async #sorted(
    query: RecordListQuery,
    size: ZoneSize,
    matches: IdSet | null
  ): Promise<Listed<ListedRecord>> {
    const { client, tables, zone } = this
    if (matches && matches.size <= FEW_MATCHES.most) {
      const few = await keyedRows(client, tables, zone, [...matches])
      const rows = [...few.values()].map(({ listed }) => listed)
      return listInMemory(RECORD_LIST, query, rows as ListedRecord[])
    }
    const { found, keysMissing } = await byKeys(
      size,
      () => sizeOfZone(client, tables, zone),
      (now) => this.#keyed.page(query, now, matches)
    )
    if (found) {
      return found
    }
    if (keysMissing) await askForKeys(client, zone)
    return listInPasses(RECORD_LIST, query, this.#pass(query))
  }

  /** The answer from the whole zone in memory; null where it has grown too large for that. */
  async #small(query: RecordListQuery, page: Page): Promise<Listed<StoredRecord> | null> {
    if (query.sort.length > 0) {
      const keyed = await this.keyed(query, null)
      if (!keyed) return null
      const all = keyed.map(({ row }) => row)
      return records(listInMemory(RECORD_LIST, query, all))
    }
    const keyed = await this.keyed(query, page.after ?? null)
    if (!keyed) return null
    const matches = matcherOf<ListedRecord>(RECORD_LIST, query)
    return records(
      pageOfAll(
        keyed.filter(({ row }) => matches(row)),
        page
      )
    )
  }

  /** All records of the wanted type behind a key, in the default order; null where they are too many. */
  async keyed(query: RecordFilters, after: RowKey | null): Promise<Keyed<ListedRecord>[] | null> {
    const found = await this.#view(query).after(after, LARGE_ZONE.above + 1)
    return found.length > LARGE_ZONE.above
      ? null
      : found.map(({ row, key }) => ({ row: this.#listed(row), key }))
  }

  /** All records of the wanted type, in the default order. */
  #view(query: RecordFilters): KeysetQuery<RecordRow> {
    const whole = { ...UNFILTERED, sort: [], page: null }
    return new KeysetQuery(IN_ORDER, whole, this.#source(byType(query)))
  }

  #byId(): ById {
    return { column: 'id', lookup: () => recordsBySomeId(this.client, this.tables, this.zone) }
  }

  /** Reads all records of the wanted type, in the default order. */
  #pass(query: RecordFilters) {
    const source = this.#source(byType(query))
    const listed = (row: RecordRow) => this.#listed(row)
    return async function* () {
      const whole = { ...UNFILTERED, sort: [], page: null }
      const batches = batchesInDatabase<RecordRow, never, Column, never>(IN_ORDER, whole, source)
      for await (const rows of batches) {
        yield rows.map(listed)
      }
    }
  }

  #listed(row: RecordRow): ListedRecord {
    return new ListedRow(row, this.zone.name)
  }

  #source(query: RecordFilters, size?: ZoneSize): ListSource<Column> {
    const { client, tables, zone } = this
    const matching = () => narrowedRecords(client, tables, zone, query)
    const isWhole = query.q === null && Object.keys(query.filters).length === 0
    const total = isWhole ? size?.records : undefined
    return {
      columns: COLUMNS,
      matching,
      select: (rows) => rows.select(RECORD_COLUMNS),
      count: async (most) => total ?? countRows(matching(), most),
      ...(size && !size.isSmall ? { marks: () => this.#marks(query, size, total) } : {}),
    }
  }

  /** As `#source`, of a large zone: what the filters leave is known. */
  #matching(query: RecordFilters, size: ZoneSize, matches: IdSet): ListSource<Column> {
    const { client, tables, zone } = this
    const isFew = matches.size <= FEW_MATCHES.most
    return {
      columns: COLUMNS,
      matching: () =>
        isFew
          ? recordsWithIds(client, tables, zone, matches)
          : narrowedRecords(client, tables, zone, byType(query)),
      select: (rows) => rows.select(RECORD_COLUMNS),
      marks: () => this.#marks(query, size, matches.size),
      ...(isFew
        ? {}
        : {
            sieve: { ...this.#byId(), ids: matches },
          }),
    }
  }

  async #marks({ filters, q }: RecordFilters, { version }: ZoneSize, total?: number) {
    const scope = `records ${this.client.connectionName} ${this.zone.id} ${JSON.stringify([filters, q])}`
    return { scope, version, ...(total === undefined ? {} : { total }) }
  }
}

function records(listed: Listed<ListedRecord>): Listed<StoredRecord> {
  return { ...listed, rows: listed.rows.map(({ record }) => record) }
}

/** The page of rows that are all there, from where a walk goes on or from the start. */
export function pageOfAll<Row>(found: Keyed<Row>[], { offset, size, after }: Page): Listed<Row> {
  return {
    ...pageOf(found.slice(offset), size, offset + size >= found.length),
    total: after === undefined ? found.length : null,
  }
}

/** Of filters that on a type alone. */
export function byType({ filters: { type } }: RecordFilters): RecordFilters {
  return { filters: type === undefined ? {} : { type }, q: null }
}
