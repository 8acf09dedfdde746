import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, StoredRecord } from '#backends/contract'
import {
  RECORD_LIST,
  isHopeless,
  listedRecord,
  type ListedRecord,
  type RecordListQuery,
} from '#backends/record_lists'
import { fewMatches } from '#backends/sql/lists/few_matches'
import { SqlKeyedList } from '#backends/sql/lists/keyed_list'
import { isByTypeOnly } from '#backends/sql/lists/keyed_source'
import { ListedRow } from '#backends/sql/lists/listed_row'
import { mayMatch, narrowedRecords, type RecordFilters } from '#backends/sql/lists/narrowed'
import { idsOfZone } from '#backends/sql/lists/zone_ids'
import { LARGE_ZONE, sizeOfZone, type ZoneSize } from '#backends/sql/lists/zone_size'
import { askForKeys } from '#backends/sql/record_keys/asked'
import { RECORD_COLUMNS, recordFromRow, type RecordRow } from '#backends/sql/rows'
import type { ListDeclaration } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/in_database'
import { listInMemory, matcherOf } from '#lists/in_memory'
import { listInPasses } from '#lists/in_passes'
import { pageOf, type Keyed, type Listed } from '#lists/listed'
import type { Page } from '#lists/page'
import type { RowKey } from '#lists/row_key'
import { sortedBatches, type Packing } from '#lists/sorted_batches'
import { ListView, countRows, type ListSource } from '#lists/view'
import type { ZoneTables } from '#backends/sql/tables'
import type { IdRange } from '#database/text_index/source'

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
    const isPlain = query.sort.length === 0 && isByTypeOnly(query)
    if (!isPlain && size.isSmall) {
      const small = await this.#small(query, page)
      if (small) return small
    }
    if (query.sort.length > 0) {
      return records(await this.#sorted(query, size))
    }
    const listed = await listInDatabase<RecordRow, never, Column, never>(
      IN_ORDER,
      { ...UNFILTERED, sort: [], page },
      this.#source(
        query,
        size,
        isPlain ? null : await mayMatch(this.client, this.tables, this.zone, query)
      )
    )
    return { ...listed, rows: listed.rows.map((row) => recordFromRow(row, this.zone.name)) }
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

  /** A page of a large zone in another order than the default one. */
  async #sorted(query: RecordListQuery, size: ZoneSize): Promise<Listed<ListedRecord>> {
    const few = isByTypeOnly(query) ? null : await this.#fewMatches(query, size)
    if (few) {
      return listInMemory(RECORD_LIST, query, few)
    }
    const keyed = size.isKeyed ? await this.#keyed.page(query, size) : null
    if (keyed) {
      return keyed
    }
    await askForKeys(this.client, this.zone)
    return listInPasses(RECORD_LIST, query, this.#pass(query))
  }

  /** What the filters leave, and the database may take for more; null where that is too much for memory. */
  async #fewMatches(query: RecordListQuery, size: ZoneSize): Promise<ListedRecord[] | null> {
    const { client, tables, zone } = this
    const { filters, q } = query
    const list = `records ${client.connectionName} ${zone.id} ${JSON.stringify([filters, q])}`
    const rows = await fewMatches(list, size.version, async (limit) => {
      const ids =
        (await mayMatch(client, tables, zone, query)) ??
        (await idsOfZone(client, zone, query, size))
      const found = narrowedRecords(client, tables, zone, query, ids).limit(limit)
      return (await found.select(RECORD_COLUMNS)) as RecordRow[]
    })
    return rows && rows.map((row) => this.#listed(row))
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
    const view = new ListView<RecordRow>(
      IN_ORDER,
      { ...UNFILTERED, sort: [], page: null },
      this.#source(byType(query))
    )
    const found = await view.after(after, LARGE_ZONE.above + 1)
    return found.length > LARGE_ZONE.above
      ? null
      : found.map(({ row, key }) => ({ row: this.#listed(row), key }))
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

  #source(query: RecordFilters, size?: ZoneSize, ids: IdRange[] | null = null): ListSource<Column> {
    const { client, tables, zone } = this
    const { filters, q } = query
    const isWhole = q === null && Object.keys(filters).length === 0
    const scope = `records ${client.connectionName} ${zone.id} ${JSON.stringify([filters, q])}`
    const total = isWhole ? size?.records : undefined
    const matching = (among = ids) => narrowedRecords(client, tables, zone, query, among)
    return {
      columns: COLUMNS,
      matching: () => matching(),
      select: (rows) => rows.select(RECORD_COLUMNS),
      count: async (most) => {
        if (total !== undefined) return total
        const among = ids ?? (size ? await idsOfZone(client, zone, query, size) : null)
        return countRows(matching(among), most)
      },
      ...(size && !size.isSmall
        ? {
            marks: async () => ({
              scope,
              version: size.version,
              ...(total === undefined ? {} : { total }),
            }),
          }
        : {}),
    }
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

function byType({ filters: { type } }: RecordFilters): RecordFilters {
  return { filters: type === undefined ? {} : { type }, q: null }
}
