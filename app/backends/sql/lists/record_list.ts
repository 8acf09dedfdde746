import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import {
  RECORD_LIST,
  hasImpossibleType,
  toListedRecord,
  type ListedRecord,
  type RecordListQuery,
} from '#backends/contract/record_lists'
import { readBySortKeys } from '#backends/sql/sort_keys/use_keys'
import { findFirstMatches, isFirstPage } from '#backends/sql/lists/first_page'
import { SqlKeyedList } from '#backends/sql/sort_keys/sorted_list'
import { ListedRow } from '#backends/sql/lists/listed_row'
import { MatchingIds } from '#backends/sql/lists/matching_ids'
import {
  filteredRecords,
  recordsBySomeId,
  recordsWithIds,
  type RecordFilters,
} from '#backends/sql/lists/filters'
import { sizeOfZone, type ZoneSize } from '#backends/sql/lists/zone_size'
import { mustReadAllMatches, strategyFor } from '#backends/sql/lists/strategy'
import { queueKeys } from '#backends/sql/sort_keys/queue'
import { keyedRows } from '#backends/sql/sort_keys/sorted_rows'
import { RECORD_COLUMNS, recordFromRow, type RecordRow } from '#backends/sql/rows'
import type { ListDeclaration } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import { listInMemory, matcherOf } from '#lists/memory/sort_in_memory'
import { scanInOrder, scanSorted } from '#lists/memory/scan'
import type { RowWithKey, ListResult } from '#lists/list_result'
import type { Page } from '#lists/page'
import type { RowKey } from '#lists/row_key'
import { sortedBatches, type RowSerializer } from '#lists/memory/sorted_stream'
import { countRows } from '#lists/sql/filters'
import type { IdLookup, ListSource } from '#lists/source'
import { KeysetQuery } from '#lists/sql/keyset_query'
import type { ZoneTables } from '#backends/sql/tables'
import type { IdSet } from '#database/rows/id_set'

type Column = 'stored_type' | 'stored_name' | 'id'

/** The order of the index on type, name and id. */
const INDEX_ORDER_LIST: ListDeclaration<never, Column, never> = {
  sort: {},
  filters: {},
  search: [],
  defaultOrder: RECORD_LIST.defaultOrder as { field: Column }[],
}
const COLUMNS = { stored_type: 'type', stored_name: 'name', id: 'id' }
/** How records are written to a temporary file while a whole list is sorted. */
const RECORD_SERIALIZER: RowSerializer<ListedRecord> = {
  pack: ({ record }) => record,
  unpack: (packed) => toListedRecord(packed as StoredRecord),
}
const UNFILTERED: RecordFilters = { filters: {}, q: null }
const SCAN_BATCH_SIZE = 2_001

/** Lists of the records of one zone. README.md describes the strategies. */
export class SqlRecordList {
  readonly #keyedList: SqlKeyedList

  constructor(
    private readonly client: QueryClientContract,
    private readonly tables: ZoneTables,
    private readonly zone: BackendZone
  ) {
    this.#keyedList = new SqlKeyedList(client, tables, zone)
  }

  /** See `DnsBackend.listRecords`. */
  async list(query: RecordListQuery): Promise<ListResult<StoredRecord>> {
    const { page } = query
    if (hasImpossibleType(query)) {
      return { rows: [], total: page?.after === undefined ? 0 : null, next: null }
    }
    if (!page) {
      const rows = await Array.fromAsync(this.batches(query))
      return { rows: rows.flat(), total: null, next: null }
    }
    const size = await sizeOfZone(this.client, this.tables, this.zone)
    switch (strategyFor(query, size)) {
      case 'index_order':
        return this.#inIndexOrder(page, this.#source(query, size))
      case 'sort_keys':
        return storedRecords(await this.#sortedPage(query, size, null))
      case 'matching_ids':
        return this.#filteredPage(query, page, size)
      case 'scan':
        return storedRecords(await this.#scannedPage(query, page))
    }
  }

  /** See `DnsBackend.recordBatches`. */
  async *batches(query: RecordListQuery): AsyncGenerator<StoredRecord[], void> {
    if (hasImpossibleType(query)) {
      return
    }
    if (query.sort.length === 0) {
      const matches = matcherOf<ListedRecord>(RECORD_LIST, query)
      for await (const batch of this.#read(query)()) {
        const found = batch.filter(matches).map(({ record }) => record)
        if (found.length > 0) yield found
      }
      return
    }
    const size = await sizeOfZone(this.client, this.tables, this.zone)
    const isKeyed =
      size.isKeyed && SqlKeyedList.hasIndexFor(query) && (await this.#keyedList.isCurrent())
    const batches = isKeyed
      ? this.#keyedList.batches(query)
      : sortedBatches(RECORD_LIST, query, this.#read(query), RECORD_SERIALIZER)
    for await (const batch of batches) {
      yield batch.map(({ record }) => record)
    }
  }

  /** A page of a large zone with filters other than a type. */
  async #filteredPage(
    query: RecordListQuery,
    page: Page,
    size: ZoneSize
  ): Promise<ListResult<StoredRecord>> {
    const matchingIds = new MatchingIds(this.client, this.tables, this.zone, size)
    const isFirst = isFirstPage(matchingIds, query, page)
    const first = isFirst ? await this.#firstPage(query, page, size, matchingIds) : null
    if (first) {
      return first
    }
    const matches = await matchingIds.findIds(query)
    return query.sort.length > 0
      ? storedRecords(await this.#sortedPage(query, size, matches))
      : this.#inIndexOrder(page, this.#matchSource(query, size, matches))
  }

  /** A page near the start before the ids of all matches are known; null if the first records contain too few. */
  async #firstPage(
    query: RecordListQuery,
    page: Page,
    size: ZoneSize,
    matchingIds: MatchingIds
  ): Promise<ListResult<StoredRecord> | null> {
    if (query.sort.length > 0) {
      const listed = size.isKeyed ? await this.#keyedList.firstPage(query, page, matchingIds) : null
      return listed && storedRecords(listed)
    }
    const listed = await findFirstMatches(
      matchingIds,
      query,
      page,
      this.#keysetQuery(query),
      this.#idLookup()
    )
    return listed && this.#records(listed)
  }

  async #inIndexOrder(page: Page, source: ListSource<Column>): Promise<ListResult<StoredRecord>> {
    const listed = await listInDatabase<RecordRow, never, Column, never>(
      INDEX_ORDER_LIST,
      { ...UNFILTERED, sort: [], page },
      source
    )
    return this.#records(listed)
  }

  #records(listed: ListResult<RecordRow>): ListResult<StoredRecord> {
    return { ...listed, rows: listed.rows.map((row) => recordFromRow(row, this.zone.name)) }
  }

  /**
   * A page of a large zone in another order than the default one.
   *
   * @param matches ids that the filters leave; null if the query filters by type only
   */
  async #sortedPage(
    query: RecordListQuery,
    size: ZoneSize,
    matches: IdSet | null
  ): Promise<ListResult<ListedRecord>> {
    const { client, tables, zone } = this
    if (matches && mustReadAllMatches(matches, size)) {
      const found = await keyedRows(client, tables, zone, [...matches])
      const rows = [...found.values()].map(({ listed }) => listed)
      return listInMemory(RECORD_LIST, query, rows as ListedRecord[])
    }
    const { found, keysMissing } = await readBySortKeys(
      size,
      () => sizeOfZone(client, tables, zone),
      (now) => this.#keyedList.page(query, now, matches)
    )
    if (found) {
      return found
    }
    if (keysMissing) await queueKeys(client, zone)
    return scanSorted(RECORD_LIST, query, this.#read(query))
  }

  /** A page of a small zone. */
  async #scannedPage(query: RecordListQuery, page: Page): Promise<ListResult<ListedRecord>> {
    return query.sort.length > 0
      ? scanSorted(RECORD_LIST, query, this.#read(query))
      : scanInOrder(
          page,
          matcherOf<ListedRecord>(RECORD_LIST, query),
          this.keyedBatches(query, page.after ?? null)
        )
  }

  /** All records of the wanted type after a key, in the default order. */
  async *keyedBatches(
    query: RecordFilters,
    after: RowKey | null
  ): AsyncGenerator<RowWithKey<ListedRecord>[], void> {
    const keysetQuery = this.#keysetQuery(query)
    for (let key = after; ;) {
      const found = await keysetQuery.after(key, SCAN_BATCH_SIZE)
      yield found.map(({ row, key: at }) => ({ row: this.#listed(row), key: at }))
      if (found.length < SCAN_BATCH_SIZE) return
      key = found[found.length - 1].key
    }
  }

  /** All records of the wanted type, in the default order. */
  #keysetQuery(query: RecordFilters): KeysetQuery<RecordRow> {
    const wholeQuery = { ...UNFILTERED, sort: [], page: null }
    return new KeysetQuery(INDEX_ORDER_LIST, wholeQuery, this.#source(onlyTypeFilter(query)))
  }

  #idLookup(): IdLookup {
    return { column: 'id', lookup: () => recordsBySomeId(this.client, this.tables, this.zone) }
  }

  /** Reads all records of the wanted type, in the default order. */
  #read(query: RecordFilters) {
    const source = this.#source(onlyTypeFilter(query))
    const listed = (row: RecordRow) => this.#listed(row)
    return async function* () {
      const wholeQuery = { ...UNFILTERED, sort: [], page: null }
      const batches = batchesInDatabase<RecordRow, never, Column, never>(
        INDEX_ORDER_LIST,
        wholeQuery,
        source
      )
      for await (const rows of batches) {
        yield rows.map(listed)
      }
    }
  }

  #listed(row: RecordRow): ListedRecord {
    return new ListedRow(row, this.zone.name)
  }

  /** Records of the wanted type; other filters are not applied. */
  #source(query: RecordFilters, size?: ZoneSize): ListSource<Column> {
    const { client, tables, zone } = this
    const matching = () => filteredRecords(client, tables, zone, onlyTypeFilter(query))
    const total = query.filters.type === undefined ? size?.records : undefined
    return {
      columns: COLUMNS,
      createQuery: matching,
      select: (rows) => rows.select(RECORD_COLUMNS),
      count: async (most) => total ?? countRows(matching(), most),
      ...(size && !size.isSmall ? { readState: () => this.#listState(query, size, total) } : {}),
    }
  }

  /** As `#source`, only the matches. */
  #matchSource(query: RecordFilters, size: ZoneSize, matches: IdSet): ListSource<Column> {
    const { client, tables, zone } = this
    const readState = () => this.#listState(query, size, matches.size)
    if (mustReadAllMatches(matches, size)) {
      const matching = () => recordsWithIds(client, tables, zone, matches)
      return {
        ...this.#source(query),
        createQuery: matching,
        count: undefined,
        readState: readState,
      }
    }
    return {
      ...this.#source(query),
      readState: readState,
      idFilter: { ...this.#idLookup(), ids: matches },
    }
  }

  async #listState({ filters, q }: RecordFilters, { version }: ZoneSize, total?: number) {
    const scope = `records ${this.client.connectionName} ${this.zone.id} ${JSON.stringify([filters, q])}`
    return { scope, version, ...(total === undefined ? {} : { total }) }
  }
}

function storedRecords(listed: ListResult<ListedRecord>): ListResult<StoredRecord> {
  return { ...listed, rows: listed.rows.map(({ record }) => record) }
}

/** The filter by type alone. */
export function onlyTypeFilter({ filters: { type } }: RecordFilters): RecordFilters {
  return { filters: type === undefined ? {} : { type }, q: null }
}
