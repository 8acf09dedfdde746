import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import {
  RRSET_LIST,
  toListedRRset,
  type ListedRRset,
  type RRsetListQuery,
} from '#backends/contract/record_lists'
import { keysOfSets } from '#backends/sql/sort_keys/sorted_source'
import { countZoneSets } from '#backends/sql/lists/rrset_count'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import { STORED_COLUMNS, isSameStored, type StoredKeyRow } from '#backends/sql/sort_keys/keys'
import { keyedRows, rowsAtNames, withSetTtls } from '#backends/sql/sort_keys/sorted_rows'
import { gatherRRsets } from '#backends/sql/rows'
import type { ZoneTables } from '#backends/sql/tables'
import type { IdSet } from '#database/rows/id_set'
import type { ListDeclaration } from '#lists/declaration'
import { listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import { countRows } from '#lists/sql/filters'
import type { ListSource } from '#lists/source'

type Field = keyof typeof RRSET_LIST.sort

const KEYED_LIST: ListDeclaration<Field, 'first_id', never> = {
  sort: RRSET_LIST.sort,
  filters: {},
  search: [],
  defaultOrder: [{ field: 'first_id' }],
}

const COLUMNS: ListSource<Field | 'first_id'>['columns'] = {
  first_id: { column: 'record_id', unique: true },
  name: { column: 'name_key', sortKey: 'name_key', indexed: ['', 'type'] },
  type: { column: 'type_key', sortKey: 'type_key', grouped: true, indexed: [''] },
  ttl: { column: 'set_ttl', grouped: true, indexed: ['', 'type'] },
}

/** Pages of the RRsets of one large zone in the orders of the stored sort keys of their first records. */
export class SqlKeyedSets {
  constructor(
    private readonly client: QueryClientContract,
    private readonly tables: ZoneTables,
    private readonly zone: BackendZone
  ) {}

  /**
   * A page of current keys; null if they do not match the records.
   *
   * @param matches first records of the RRsets that match the filters, if these have more than a type
   */
  async page(
    query: RRsetListQuery,
    size: ZoneSize,
    matches: IdSet | null
  ): Promise<ListResult<ListedRRset> | null> {
    const {
      rows,
      next: next,
      ...counted
    } = await listInDatabase<StoredKeyRow, Field, 'first_id', never>(
      KEYED_LIST,
      { ...query, filters: {}, q: null },
      this.#source(query, size, matches)
    )
    const found = await this.#sets(rows)
    const sets = found.filter((set) => set !== null)
    if (sets.length < found.length) {
      return null
    }
    // The id as a number: PostgreSQL returns text.
    return { rows: sets, ...counted, next: next && [...next.slice(0, -1), Number(next.at(-1))] }
  }

  /** The RRsets of keys; null for deleted and changed ones. */
  async #sets(stored: StoredKeyRow[]): Promise<(ListedRRset | null)[]> {
    const { client, tables, zone } = this
    const ids = stored.map((row) => Number(row.record_id))
    const firstRecords = await keyedRows(client, tables, zone, ids)
    const names = [...firstRecords.values()].map(({ row }) => row.name)
    const rows = await rowsAtNames(client, tables, zone, names)
    const keys = new Map(withSetTtls(rows).map((one) => [Number(one.record_id), one]))
    const sets = gatherRRsets(rows.map(({ listed }) => listed.record)).map(toListedRRset)
    const byFirst = new Map(sets.map((set) => [Number(set.first_id), set]))
    return stored.map((row) => {
      const id = Number(row.record_id)
      const currentKeys = keys.get(id)
      return (currentKeys && isSameStored(row, currentKeys) && byFirst.get(id)) || null
    })
  }

  #source(
    query: RRsetListQuery,
    size: ZoneSize,
    matches: IdSet | null
  ): ListSource<Field | 'first_id'> {
    const { client, tables, zone } = this
    const { filters, q, sort } = query
    const byTtl = sort.find(({ field }) => field !== 'type')?.field === 'ttl'
    const isWhole = q === null && Object.keys(filters).length === 0
    const matching = () => keysOfSets(client, zone, query, byTtl)
    const scope = `set keys ${client.connectionName} ${zone.id} ${JSON.stringify([filters, q])}`
    return {
      columns: COLUMNS,
      createQuery: matching,
      select: (rows) => rows.select([...STORED_COLUMNS]),
      count: async () => (isWhole ? countZoneSets(client, tables, zone) : countRows(matching())),
      readState: async () => ({
        scope,
        version: size.version,
        ...(matches ? { total: matches.size } : {}),
      }),
      ...(matches ? { idFilter: { column: 'record_id', ids: matches, lookup: matching } } : {}),
    }
  }
}
