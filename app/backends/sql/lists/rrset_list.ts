import { foldCase } from '#dns/names'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { RRset, RRsetKey } from '#dns/types'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import {
  RRSET_LIST,
  hasImpossibleType,
  toListedRRset,
  type ListedRRset,
  type ListedRecord,
  type RRsetListQuery,
} from '#backends/contract/record_lists'
import { readBySortKeys } from '#backends/sql/sort_keys/use_keys'
import { MatchingIds } from '#backends/sql/lists/matching_ids'
import { findMatchingSets } from '#backends/sql/lists/matching_rrsets'
import { filteredRecords, recordsBySomeId, type RecordFilters } from '#backends/sql/lists/filters'
import { filteredSets, splitFilters } from '#backends/sql/lists/rrset_filters'
import { SqlKeyedList } from '#backends/sql/sort_keys/sorted_list'
import { SqlKeyedSets } from '#backends/sql/sort_keys/sorted_rrsets'
import { SqlRecordList, onlyTypeFilter } from '#backends/sql/lists/record_list'
import { countZoneSets } from '#backends/sql/lists/rrset_count'
import { sizeOfZone, type ZoneSize } from '#backends/sql/lists/zone_size'
import { mustReadAllMatches, strategyFor } from '#backends/sql/lists/strategy'
import { queueKeys } from '#backends/sql/sort_keys/queue'
import { atNames } from '#backends/sql/row_lookup'
import { RECORD_COLUMNS, gatherRRsets, recordFromRow, type RecordRow } from '#backends/sql/rows'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import type { ListDeclaration } from '#lists/declaration'
import { listInDatabase } from '#lists/sql/paginate'
import { listInMemory, matcherOf } from '#lists/memory/sort_in_memory'
import { scanInOrder, scanSorted } from '#lists/memory/scan'
import type { IdSet } from '#database/rows/id_set'
import type { RowWithKey, ListResult } from '#lists/list_result'
import type { Page } from '#lists/page'
import type { RowKey } from '#lists/row_key'
import { sortedBatches, type RowSerializer } from '#lists/memory/sorted_stream'
import type { ListSource } from '#lists/source'

type Column = 'stored_type' | 'stored_name' | 'first_id'

/** The order of an index. Type and name identify RRsets. */
const INDEX_ORDER_LIST: ListDeclaration<never, Column, never> = {
  sort: {},
  filters: {},
  search: [],
  defaultOrder: [{ field: 'stored_type' }, { field: 'stored_name' }],
}
/** The same order for the first records of RRsets. */
const FIRST_RECORD_ORDER_LIST: ListDeclaration<never, Column, never> = {
  ...INDEX_ORDER_LIST,
  defaultOrder: [...INDEX_ORDER_LIST.defaultOrder, { field: 'first_id' }],
}
const COLUMNS = { stored_type: 'type', stored_name: 'name', first_id: 'id' }

/** How RRsets are written to a temporary file while a whole list is sorted. */
const RRSET_SERIALIZER: RowSerializer<ListedRRset> = {
  pack: ({ rrset }) => rrset,
  unpack: (packed) => toListedRRset(packed as RRset),
}

/** Names an RRset as it is stored. */
interface SetRow {
  type: string
  name: string
}

/** Lists of the RRsets of one zone. README.md describes the strategies. */
export class SqlRRsetList {
  readonly #records: SqlRecordList

  constructor(
    private readonly client: QueryClientContract,
    private readonly tables: ZoneTables,
    private readonly zone: BackendZone
  ) {
    this.#records = new SqlRecordList(client, tables, zone)
  }

  /** See `DnsBackend.listRRsets`. */
  async list(query: RRsetListQuery): Promise<ListResult<RRset>> {
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
        return this.#inIndexOrder(page, this.#source(query, size, null))
      case 'sort_keys':
        return sets(await this.#sortedPage(query, size, null))
      case 'matching_ids':
        return this.#filteredPage(query, page, size)
      case 'scan':
        return sets(await this.#scannedPage(query, page))
    }
  }

  /** See `DnsBackend.rrsetBatches`. */
  async *batches(query: RRsetListQuery): AsyncGenerator<RRset[], void> {
    if (hasImpossibleType(query)) {
      return
    }
    if (query.sort.length === 0) {
      const matches = matcherOf<ListedRRset>(RRSET_LIST, query)
      for await (const batch of this.#read(query)) {
        const found = batch.filter(matches).map(({ rrset }) => rrset)
        if (found.length > 0) yield found
      }
      return
    }
    const read = () => this.#read(query)
    for await (const batch of sortedBatches(RRSET_LIST, query, read, RRSET_SERIALIZER)) {
      yield batch.map(({ rrset }) => rrset)
    }
  }

  /** A page of a large zone with filters other than a type. */
  async #filteredPage(
    query: RRsetListQuery,
    page: Page,
    size: ZoneSize
  ): Promise<ListResult<RRset>> {
    const { client, tables, zone } = this
    const fewRecords = await this.#fewRecords(query, size)
    if (fewRecords && query.sort.length > 0) {
      const rows = filteredSets(client, tables, zone, query, fewRecords).groupBy('type', 'name')
      const found = await this.#setsOf((await rows.select('type', 'name')) as SetRow[])
      return sets(listInMemory(RRSET_LIST, query, found.map(toListedRRset)))
    }
    const matches = fewRecords ? null : await this.#firstRecords(query, size)
    if (query.sort.length > 0) {
      return sets(
        matches
          ? await this.#sortedPage(query, size, matches)
          : await scanSorted(RRSET_LIST, query, () => this.#read(query))
      )
    }
    return matches
      ? this.#matchesInIndexOrder(matches, query, page, size)
      : this.#inIndexOrder(page, this.#source(query, size, fewRecords))
  }

  /** A page of a large zone by its sort keys; a scan while these are missing. */
  async #sortedPage(
    query: RRsetListQuery,
    size: ZoneSize,
    matches: IdSet | null
  ): Promise<ListResult<ListedRRset>> {
    const sorted = new SqlKeyedSets(this.client, this.tables, this.zone)
    const found = await this.#withSortKeys(size, (now) => sorted.page(query, now, matches))
    return found ?? scanSorted(RRSET_LIST, query, () => this.#read(query))
  }

  async #inIndexOrder(page: Page, source: ListSource<Column>): Promise<ListResult<RRset>> {
    const listed = await listInDatabase<SetRow, never, Column, never>(
      INDEX_ORDER_LIST,
      { sort: [], filters: {}, q: null, page },
      source
    )
    return { ...listed, rows: await this.#setsOf(listed.rows) }
  }

  /** The matches of one part of the filters, if they are few: each RRset of the list contains one of them. */
  async #fewRecords(query: RRsetListQuery, size: ZoneSize) {
    const matches = new MatchingIds(this.client, this.tables, this.zone, size)
    for (const [partIndex, part] of splitFilters(query).entries()) {
      const ids = await matches.findIds(part)
      if (mustReadAllMatches(ids, size)) return { partIndex, ids }
    }
    return null
  }

  /** The first records of the RRsets that the filters leave; null while sort keys are missing. */
  async #firstRecords(query: RRsetListQuery, size: ZoneSize): Promise<IdSet | null> {
    const { client, tables, zone } = this
    return this.#withSortKeys(size, (now) =>
      findMatchingSets(new MatchingIds(client, tables, zone, now), query)
    )
  }

  /** Reads by current sort keys; null without them, and queues the keys. */
  async #withSortKeys<Found>(
    size: ZoneSize,
    read: (size: ZoneSize) => Promise<Found | null>
  ): Promise<Found | null> {
    const { client, tables, zone } = this
    const keys = new SqlKeyedList(client, tables, zone)
    const { found, keysMissing } = await readBySortKeys(
      size,
      () => sizeOfZone(client, tables, zone),
      async (now) => ((await keys.isCurrent()) ? read(now) : null)
    )
    if (keysMissing) await queueKeys(client, zone)
    return found
  }

  /** A page in the default order, by the first records of the RRsets. */
  async #matchesInIndexOrder(
    matches: IdSet,
    query: RRsetListQuery,
    page: Page,
    size: ZoneSize
  ): Promise<ListResult<RRset>> {
    const after = page.after && [...page.after, Number.MAX_SAFE_INTEGER]
    const { next: next, ...listed } = await listInDatabase<SetRow, never, Column, never>(
      FIRST_RECORD_ORDER_LIST,
      { sort: [], filters: {}, q: null, page: { ...page, after } },
      {
        columns: COLUMNS,
        createQuery: () =>
          filteredRecords(this.client, this.tables, this.zone, onlyTypeFilter(query)),
        select: (rows) => rows.select('type', 'name'),
        readState: this.#listState('first records', query, size, matches.size),
        idFilter: {
          column: 'id',
          ids: matches,
          lookup: () => recordsBySomeId(this.client, this.tables, this.zone),
        },
      }
    )
    return {
      ...listed,
      rows: await this.#setsOf(listed.rows),
      next: next && next.slice(0, 2),
    }
  }

  /** A page of a small zone. */
  async #scannedPage(query: RRsetListQuery, page: Page): Promise<ListResult<ListedRRset>> {
    return query.sort.length > 0
      ? scanSorted(RRSET_LIST, query, () => this.#read(query))
      : scanInOrder(
          page,
          matcherOf<ListedRRset>(RRSET_LIST, query),
          this.#keyedBatches(query, page.after ?? null)
        )
  }

  /** All RRsets of the wanted type after a key, in the default order. The last one of a batch may continue in the next. */
  async *#keyedBatches(
    query: RecordFilters,
    after: RowKey | null
  ): AsyncGenerator<RowWithKey<ListedRRset>[], void> {
    const afterKey = after && [...after, Number.MAX_SAFE_INTEGER]
    let incompleteSet: RowWithKey<ListedRecord>[] = []
    for await (const batch of this.#records.keyedBatches(query, afterKey)) {
      // Rows of one batch are grouped without case of their names.
      const end = startOfLastSet(incompleteSet.map(({ row }) => row))
      if (end > 0) yield setsWithKeys(incompleteSet.slice(0, end))
      incompleteSet = [...incompleteSet.slice(end), ...batch]
    }
    if (incompleteSet.length > 0) yield setsWithKeys(incompleteSet)
  }

  /** As `#keyedBatches`, all RRsets and without keys: for many. */
  async *#read({ filters: { type } }: RecordFilters): AsyncGenerator<ListedRRset[], void> {
    const filters = type === undefined ? {} : { type }
    let incompleteSet: StoredRecord[] = []
    for await (const batch of this.#records.batches({ sort: [], filters, q: null, page: null })) {
      const found = [...incompleteSet, ...batch]
      const end = startOfLastSet(found)
      incompleteSet = found.slice(end)
      if (end > 0) yield gatherRRsets(found.slice(0, end)).map(toListedRRset)
    }
    if (incompleteSet.length > 0) yield gatherRRsets(incompleteSet).map(toListedRRset)
  }

  /** The RRsets of these rows, in their order. */
  async #setsOf(rows: SetRow[]): Promise<RRset[]> {
    const stored: RecordRow[] = []
    const types = [...new Set(rows.map(({ type }) => type))]
    for (const part of chunks([...new Set(rows.map(({ name }) => name))])) {
      const found = atNames(
        this.client.from(this.tables.records).select(RECORD_COLUMNS),
        this.zone.id,
        part
      )
      stored.push(...((await found.whereIn('type', types).orderBy('id')) as RecordRow[]))
    }
    const gathered = gatherRRsets(stored.map((row) => recordFromRow(row, this.zone.name)))
    const byKey = new Map(gathered.map((set) => [`${set.name} ${set.type}`, set]))
    const keys = new Set(rows.map(({ name, type }) => `${foldCase(name)} ${type.toUpperCase()}`))
    // RRsets that were deleted in between are left out.
    return [...keys].flatMap((key) => byKey.get(key) ?? [])
  }

  #source(
    query: RRsetListQuery,
    size: ZoneSize,
    fewRecords: { partIndex: number; ids: IdSet } | null
  ): ListSource<Column> {
    const { filters, q } = query
    const rows = () => filteredSets(this.client, this.tables, this.zone, query, fewRecords)
    return {
      columns: COLUMNS,
      createQuery: () => rows().groupBy('type', 'name'),
      select: (grouped) => grouped.select('type', 'name'),
      count: async () => {
        if (!size.isSmall && q === null && Object.keys(filters).length === 0) {
          return countZoneSets(this.client, this.tables, this.zone)
        }
        const groups = rows().groupBy('type', 'name').select('type').as('each')
        const [found] = await this.client.from(groups).count('* as total')
        return Number(found.total)
      },
      ...(size.isSmall ? {} : { readState: this.#listState('rrsets', query, size) }),
    }
  }

  #listState(list: string, { filters, q }: RRsetListQuery, { version }: ZoneSize, total?: number) {
    const scope = `${list} ${this.client.connectionName} ${this.zone.id} ${JSON.stringify([filters, q])}`
    return async () => ({ scope, version, ...(total === undefined ? {} : { total }) })
  }
}

function sets(listed: ListResult<ListedRRset>): ListResult<RRset> {
  return { ...listed, rows: listed.rows.map(({ rrset }) => rrset) }
}

/** Index of the first record of the last RRset, in the default order. */
function startOfLastSet(found: readonly RRsetKey[]): number {
  const last = found[found.length - 1]
  let end = found.length
  while (end > 0 && found[end - 1].name === last.name && found[end - 1].type === last.type) end--
  return end
}

/** The RRsets of records, each with the key of its first record without the id. */
function setsWithKeys(found: readonly RowWithKey<ListedRecord>[]): RowWithKey<ListedRRset>[] {
  const keys = new Map<string, RowKey>()
  for (const { row, key } of found) {
    const set = `${row.name} ${row.type}`
    if (!keys.has(set)) keys.set(set, key.slice(0, 2))
  }
  return gatherRRsets(found.map(({ row }) => row.record)).map((rrset) => {
    const row = toListedRRset(rrset)
    return { row, key: keys.get(row.set)! }
  })
}
