import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import {
  RECORD_LIST,
  type ListedRecord,
  type RecordListQuery,
} from '#backends/contract/record_lists'
import { isByTypeOnly, keysOfRecords } from '#backends/sql/sort_keys/sorted_source'
import { findFirstMatches } from '#backends/sql/lists/first_page'
import type { MatchingIds } from '#backends/sql/lists/matching_ids'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import { KEY_COLUMNS, RECORD_KEYS, isSameKey, type KeyRow } from '#backends/sql/sort_keys/keys'
import { keyedRow, keyedRows } from '#backends/sql/sort_keys/sorted_rows'
import { RECORD_COLUMNS, type RecordRow } from '#backends/sql/rows'
import { atNames } from '#backends/sql/row_lookup'
import type { ZoneTables } from '#backends/sql/tables'
import type { IdSet } from '#database/rows/id_set'
import type { ListDeclaration } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import type { Page } from '#lists/page'
import { orderOf } from '#lists/query'
import { countRows } from '#lists/sql/filters'
import type { ListSource } from '#lists/source'
import { KeysetQuery } from '#lists/sql/keyset_query'

type Field = keyof typeof RECORD_LIST.sort

/** The orders of the record list that the stored keys provide. */
const KEYED_LIST: ListDeclaration<Field, 'id', never> = {
  sort: RECORD_LIST.sort,
  filters: {},
  search: [],
  defaultOrder: [{ field: 'id' }],
}

/** Fields with few duplicate values: the fields after them sort only few rows. */
const NEARLY_UNIQUE_FIELDS = new Set<string>(['name', 'content', 'id'])
/** Other orders that an index provides. */
const INDEXED_ORDERS = new Set([
  ...['type id', 'type name', 'type content', 'ttl id', 'ttl name', 'priority id'],
  ...['type ttl id', 'ttl type id', 'type priority id', 'priority type id'],
])
/** The same for records of one type. */
const INDEXED_ORDERS_OF_TYPE = new Set(['ttl id', 'priority id'])

const COLUMNS: ListSource<Field | 'id'>['columns'] = {
  id: { column: 'record_id', unique: true },
  name: { column: 'name_key', sortKey: 'name_key', indexed: ['', 'type', 'ttl'] },
  type: { column: 'type_key', sortKey: 'type_key', grouped: true, indexed: [''] },
  content: { column: 'content_key', sortKey: 'content_key', indexed: ['', 'type'] },
  ttl: { column: 'ttl', grouped: true, indexed: ['', 'type'] },
  priority: { column: 'priority', grouped: true, indexed: ['', 'type'] },
}

/** A SOA record with its stored keys; null without keys. */
type SoaRow = RecordRow & Record<`key_${keyof KeyRow}`, string | number>

/** Lists the records of one large zone in the orders of its stored sort keys. */
export class SqlKeyedList {
  constructor(
    private readonly client: QueryClientContract,
    private readonly tables: ZoneTables,
    private readonly zone: BackendZone
  ) {}

  /** Whether an index has the order, and the filters need no other columns. */
  static hasIndexFor(query: RecordListQuery): boolean {
    const { type } = query.filters
    const fields = orderOf(KEYED_LIST, query)
      .map(({ field }) => field)
      .filter((field) => type === undefined || field !== 'type')
    const isIndexed = (known: Set<string>) =>
      NEARLY_UNIQUE_FIELDS.has(fields[0]) ||
      [2, 3].some((end) => known.has(fields.slice(0, end).join(' ')))
    return (
      isByTypeOnly(query) && isIndexed(type === undefined ? INDEXED_ORDERS : INDEXED_ORDERS_OF_TYPE)
    )
  }

  /**
   * Whether the keys have the serial of the zone: writers that follow the protocol change it. Other writes are found by the
   * number of records, the rows of each page, and the verification of all keys.
   */
  async isCurrent(): Promise<boolean> {
    const { id, name } = this.zone
    // One statement, so that no partial write is visible.
    const rows = (await atNames(this.client.from(`${this.tables.records} as r`), id, [name])
      .where('type', 'SOA')
      .leftJoin(`${RECORD_KEYS} as k`, (on) => on.on('k.record_id', 'r.id').onVal('k.zone_id', id))
      .select(RECORD_COLUMNS.map((column) => `r.${column}`))
      .select(KEY_COLUMNS.map((column) => `k.${column} as key_${column}`))) as SoaRow[]
    const hasCurrentKeys = (row: SoaRow) => {
      const keys = KEY_COLUMNS.map((column) => [column, row[`key_${column}`]] as const)
      return isSameKey(Object.fromEntries(keys) as KeyRow, keyedRow(this.zone, row).keys)
    }
    return rows.length > 0 && rows.every(hasCurrentKeys)
  }

  /**
   * A page; null if the keys do not match the records.
   *
   * @param matches ids that match the filters, if they have more than a type
   */
  async page(
    query: RecordListQuery,
    size: ZoneSize,
    matches: IdSet | null
  ): Promise<ListResult<ListedRecord> | null> {
    return this.#checkedPage(() =>
      listInDatabase<KeyRow, Field, 'id', never>(
        KEYED_LIST,
        { ...query, filters: {}, q: null },
        this.#source(query, size, matches)
      )
    )
  }

  /** `page` from the start of a filtered list; null also if few of the first records match. */
  async firstPage(
    query: RecordListQuery,
    page: Page,
    matches: MatchingIds
  ): Promise<ListResult<ListedRecord> | null> {
    const source = this.#source(query)
    const wholeQuery = { ...query, filters: {}, q: null }
    const keysetQuery = new KeysetQuery<KeyRow>(KEYED_LIST, wholeQuery, source)
    const idLookup = { column: 'record_id', lookup: source.createQuery }
    return this.#checkedPage(() => findFirstMatches(matches, query, page, keysetQuery, idLookup))
  }

  /** A page of records from a page of keys; null if the keys do not match the records. */
  async #checkedPage(
    read: () => Promise<ListResult<KeyRow> | null>
  ): Promise<ListResult<ListedRecord> | null> {
    const listed = (await this.isCurrent()) ? await read() : null
    if (!listed) {
      return null
    }
    const { rows, next: next, ...counted } = listed
    const found = await this.#records(rows)
    const records = found.filter((record) => record !== null)
    if (records.length < found.length) {
      return null
    }
    // The id as a number: PostgreSQL returns text.
    return { rows: records, ...counted, next: next && [...next.slice(0, -1), Number(next.at(-1))] }
  }

  /** The whole list, without records that are deleted meanwhile. */
  async *batches(query: RecordListQuery): AsyncGenerator<ListedRecord[], void> {
    const batches = batchesInDatabase<KeyRow, Field, 'id', never>(
      KEYED_LIST,
      { ...query, filters: {}, q: null },
      this.#source(query)
    )
    for await (const rows of batches) {
      const ids = rows.map((row) => Number(row.record_id))
      const records = await keyedRows(this.client, this.tables, this.zone, ids)
      yield ids.flatMap((id) => records.get(id)?.listed ?? [])
    }
  }

  /** The records of keys; null for deleted ones and those with other keys. */
  async #records(stored: KeyRow[]): Promise<(ListedRecord | null)[]> {
    const ids = stored.map((row) => Number(row.record_id))
    const rows = await keyedRows(this.client, this.tables, this.zone, ids)
    return stored.map((keys) => {
      const row = rows.get(Number(keys.record_id))
      return row && isSameKey(keys, row.keys) ? row.listed : null
    })
  }

  #source(
    query: RecordListQuery,
    size?: ZoneSize,
    matches: IdSet | null = null
  ): ListSource<Field | 'id'> {
    const { client, zone } = this
    const { filters, q } = query
    const isWhole = q === null && Object.keys(filters).length === 0
    const total = matches ? matches.size : isWhole ? size?.records : undefined
    const scope = `keys ${client.connectionName} ${zone.id} ${JSON.stringify([filters, q])}`
    const matching = () => keysOfRecords(client, zone, query)
    const stateReader = (version: string) => async () => {
      return { scope, version, ...(total === undefined ? {} : { total }) }
    }
    return {
      columns: COLUMNS,
      createQuery: matching,
      select: (rows) => rows.select([...KEY_COLUMNS]),
      count: async (most) => total ?? countRows(matching(), most),
      ...(size ? { readState: stateReader(size.version) } : {}),
      ...(matches ? { idFilter: { column: 'record_id', ids: matches, lookup: matching } } : {}),
    }
  }
}
