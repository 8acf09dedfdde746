import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { RRset } from '#dns/types'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import {
  RRSET_LIST,
  isHopeless,
  listedRRset,
  type ListedRRset,
  type RRsetListQuery,
} from '#backends/contract/record_lists'
import { byKeys } from '#backends/sql/sort_keys/use_keys'
import { FEW_MATCHES, MatchingIds } from '#backends/sql/lists/matching_ids'
import { matchingSets } from '#backends/sql/lists/matching_rrsets'
import { narrowedRecords, recordsBySomeId, type RecordFilters } from '#backends/sql/lists/filters'
import { narrowedSets, partsOf } from '#backends/sql/lists/rrset_filters'
import { SqlKeyedList } from '#backends/sql/sort_keys/sorted_list'
import { SqlKeyedSets } from '#backends/sql/sort_keys/sorted_rrsets'
import { isByTypeOnly } from '#backends/sql/sort_keys/sorted_source'
import { SqlRecordList, byType, pageOfAll } from '#backends/sql/lists/record_list'
import { setsOfZone } from '#backends/sql/lists/rrset_count'
import { sizeOfZone, type ZoneSize } from '#backends/sql/lists/zone_size'
import { askForKeys } from '#backends/sql/sort_keys/queue'
import { atNames } from '#backends/sql/row_lookup'
import { RECORD_COLUMNS, gatherRRsets, recordFromRow, type RecordRow } from '#backends/sql/rows'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import type { ListDeclaration } from '#lists/declaration'
import { listInDatabase } from '#lists/sql/paginate'
import { listInMemory, matcherOf } from '#lists/memory/sort_in_memory'
import { listInPasses } from '#lists/memory/streaming_select'
import type { IdSet } from '#database/rows/id_set'
import type { Listed } from '#lists/list_result'
import type { Page } from '#lists/page'
import type { RowKey } from '#lists/row_key'
import { sortedBatches, type Packing } from '#lists/memory/sorted_stream'
import type { ListSource } from '#lists/source'

type Column = 'stored_type' | 'stored_name' | 'first_id'

/** The order that an index serves. Type and name tell RRsets apart. */
const IN_ORDER: ListDeclaration<never, Column, never> = {
  sort: {},
  filters: {},
  search: [],
  defaultOrder: [{ field: 'stored_type' }, { field: 'stored_name' }],
}
/** The same of their first records. */
const OF_FIRSTS: ListDeclaration<never, Column, never> = {
  ...IN_ORDER,
  defaultOrder: [...IN_ORDER.defaultOrder, { field: 'first_id' }],
}
const COLUMNS = { stored_type: 'type', stored_name: 'name', first_id: 'id' }

/** RRsets as they are put aside while a whole list is sorted. */
const PACKED: Packing<ListedRRset> = {
  pack: ({ rrset }) => rrset,
  unpack: (packed) => listedRRset(packed as RRset),
}

/** Names an RRset as it is stored. */
interface SetRow {
  type: string
  name: string
}

/** Lists of the RRsets of one zone, made as those of its records are. */
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
  async list(query: RRsetListQuery): Promise<Listed<RRset>> {
    const { page } = query
    if (isHopeless(query)) {
      return { rows: [], total: page?.after === undefined ? 0 : null, next: null }
    }
    if (!page) {
      const rows = await Array.fromAsync(this.batches(query))
      return { rows: rows.flat(), total: null, next: null }
    }
    const size = await sizeOfZone(this.client, this.tables, this.zone)
    if (query.sort.length > 0) {
      return sets(
        size.isSmall
          ? listInMemory(RRSET_LIST, query, await this.#all(query))
          : await this.#sorted(query, size)
      )
    }
    const isPlain = isByTypeOnly(query)
    const small = !isPlain && size.isSmall ? await this.#small(query, page) : null
    if (small) {
      return small
    }
    const few = isPlain || size.isSmall ? null : await this.#fewRecords(query, size)
    const matches = isPlain || size.isSmall || few ? null : await this.#matches(query, size)
    const listed = matches
      ? await this.#sieved(page, matches, query, size)
      : await listInDatabase<SetRow, never, Column, never>(
          IN_ORDER,
          { sort: [], filters: {}, q: null, page },
          this.#source(query, size, few)
        )
    return { ...listed, rows: await this.#setsOf(listed.rows) }
  }

  /** See `DnsBackend.rrsetBatches`. */
  async *batches(query: RRsetListQuery): AsyncGenerator<RRset[], void> {
    if (isHopeless(query)) {
      return
    }
    if (query.sort.length === 0) {
      const matches = matcherOf<ListedRRset>(RRSET_LIST, query)
      for await (const batch of this.#pass(query)) {
        const found = batch.filter(matches).map(({ rrset }) => rrset)
        if (found.length > 0) yield found
      }
      return
    }
    const size = await sizeOfZone(this.client, this.tables, this.zone)
    if (size.isSmall) {
      yield sets(listInMemory(RRSET_LIST, query, await this.#all(query))).rows
      return
    }
    const pass = () => this.#pass(query)
    for await (const batch of sortedBatches(RRSET_LIST, query, pass, PACKED)) {
      yield batch.map(({ rrset }) => rrset)
    }
  }

  /** A page of a large zone in another order than the default one. */
  async #sorted(query: RRsetListQuery, size: ZoneSize): Promise<Listed<ListedRRset>> {
    const { client, tables, zone } = this
    const isByType = isByTypeOnly(query)
    const few = isByType ? null : await this.#fewRecords(query, size)
    if (few) {
      const rows = narrowedSets(client, tables, zone, query, few).groupBy('type', 'name')
      const found = await this.#setsOf((await rows.select('type', 'name')) as SetRow[])
      return listInMemory(RRSET_LIST, query, found.map(listedRRset))
    }
    const matches = isByType ? null : await this.#matches(query, size)
    const isTold = isByType || matches !== null
    const sorted = new SqlKeyedSets(client, tables, zone)
    const keyed = isTold
      ? await this.#byKeys(size, (now) => sorted.page(query, now, matches))
      : null
    if (keyed) {
      return keyed
    }
    return listInPasses(RRSET_LIST, query, () => this.#pass(query))
  }

  /** Records of which each RRset that the filters leave has one, if they are few, and which part of the filters leaves them. */
  async #fewRecords(query: RRsetListQuery, size: ZoneSize) {
    const matches = new MatchingIds(this.client, this.tables, this.zone, size)
    for (const [place, part] of partsOf(query).entries()) {
      const ids = await matches.of(part)
      if (ids.size <= FEW_MATCHES.most) return { place, ids }
    }
    return null
  }

  /** The first records of the RRsets that the filters leave; null where they are not known. */
  async #matches(query: RRsetListQuery, size: ZoneSize): Promise<IdSet | null> {
    const { client, tables, zone } = this
    return this.#byKeys(size, (now) =>
      matchingSets(new MatchingIds(client, tables, zone, now), query)
    )
  }

  /** What the sort keys tell while they are current; null, and asks for them, where they are not. */
  async #byKeys<Found>(
    size: ZoneSize,
    look: (size: ZoneSize) => Promise<Found | null>
  ): Promise<Found | null> {
    const { client, tables, zone } = this
    const keys = new SqlKeyedList(client, tables, zone)
    const { found, keysMissing } = await byKeys(
      size,
      () => sizeOfZone(client, tables, zone),
      async (now) => ((await keys.isCurrent()) ? look(now) : null)
    )
    if (keysMissing) await askForKeys(client, zone)
    return found
  }

  /** A page in the default order, by the first records. */
  async #sieved(
    page: Page,
    matches: IdSet,
    query: RRsetListQuery,
    size: ZoneSize
  ): Promise<Listed<SetRow>> {
    const after = page.after && [...page.after, Number.MAX_SAFE_INTEGER]
    const { next, ...listed } = await listInDatabase<SetRow, never, Column, never>(
      OF_FIRSTS,
      { sort: [], filters: {}, q: null, page: { ...page, after } },
      {
        columns: COLUMNS,
        matching: () => narrowedRecords(this.client, this.tables, this.zone, byType(query)),
        select: (rows) => rows.select('type', 'name'),
        marks: this.#marks('first records', query, size, matches.size),
        sieve: {
          column: 'id',
          ids: matches,
          lookup: () => recordsBySomeId(this.client, this.tables, this.zone),
        },
      }
    )
    return { ...listed, next: next && next.slice(0, 2) }
  }

  /** The answer from the whole zone in memory; null where it has grown too large for that. */
  async #small(query: RRsetListQuery, page: Page): Promise<Listed<RRset> | null> {
    const after = page.after ? [...page.after, Number.MAX_SAFE_INTEGER] : null
    const rows = await this.#records.keyed(query, after)
    if (!rows) return null
    const keys = new Map<string, RowKey>()
    for (const { row, key } of rows) {
      const set = `${row.name} ${row.type}`
      if (!keys.has(set)) keys.set(set, key.slice(0, 2))
    }
    const matches = matcherOf<ListedRRset>(RRSET_LIST, query)
    const found = gatherRRsets(rows.map(({ row }) => row.record))
      .map(listedRRset)
      .filter(matches)
      .map((row) => ({ row, key: keys.get(row.set)! }))
    return sets(pageOfAll(found, page))
  }

  async #all(query: RecordFilters): Promise<ListedRRset[]> {
    const batches = await Array.fromAsync(this.#pass(query))
    return batches.flat()
  }

  /** All RRsets of the wanted type. The last one of a batch may go on in the next. */
  async *#pass({ filters: { type } }: RecordFilters): AsyncGenerator<ListedRRset[], void> {
    const filters = type === undefined ? {} : { type }
    let open: StoredRecord[] = []
    for await (const batch of this.#records.batches({ sort: [], filters, q: null, page: null })) {
      const found = [...open, ...batch]
      const last = found[found.length - 1]
      let end = found.length
      while (end > 0 && found[end - 1].name === last.name && found[end - 1].type === last.type) {
        end--
      }
      open = found.slice(end)
      if (end > 0) yield gatherRRsets(found.slice(0, end)).map(listedRRset)
    }
    if (open.length > 0) yield gatherRRsets(open).map(listedRRset)
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
    const keys = new Set(
      rows.map(({ name, type }) => `${name.toLowerCase()} ${type.toUpperCase()}`)
    )
    // One that went in between is left out.
    return [...keys].flatMap((key) => byKey.get(key) ?? [])
  }

  #source(
    query: RRsetListQuery,
    size: ZoneSize,
    few: { place: number; ids: IdSet } | null
  ): ListSource<Column> {
    const { filters, q } = query
    const rows = () => narrowedSets(this.client, this.tables, this.zone, query, few)
    return {
      columns: COLUMNS,
      matching: () => rows().groupBy('type', 'name'),
      select: (grouped) => grouped.select('type', 'name'),
      count: async () => {
        if (!size.isSmall && q === null && Object.keys(filters).length === 0) {
          return setsOfZone(this.client, this.tables, this.zone)
        }
        const each = rows().groupBy('type', 'name').select('type').as('each')
        const [found] = await this.client.from(each).count('* as total')
        return Number(found.total)
      },
      ...(size.isSmall ? {} : { marks: this.#marks('rrsets', query, size) }),
    }
  }

  #marks(list: string, { filters, q }: RRsetListQuery, { version }: ZoneSize, total?: number) {
    const scope = `${list} ${this.client.connectionName} ${this.zone.id} ${JSON.stringify([filters, q])}`
    return async () => ({ scope, version, ...(total === undefined ? {} : { total }) })
  }
}

function sets(listed: Listed<ListedRRset>): Listed<RRset> {
  return { ...listed, rows: listed.rows.map(({ rrset }) => rrset) }
}
