import type { Database } from '@adonisjs/lucid/database'
import { inTransaction } from '#database/transaction'
import type { RecordId, RRset } from '#dns/types'
import type {
  BackendCapabilities,
  BackendZone,
  NamedZone,
  DnsBackend,
  FollowUp,
  ExternalCheckBounds,
  StoredRecord,
  ZoneSigning,
} from '#backends/contract/backend'
import type { ContentHits, ContentSearch } from '#backends/contract/search'
import type { RecordListQuery, RRsetListQuery } from '#backends/contract/record_lists'
import { searchComments, searchRecords } from '#backends/sql/search/content_search'
import type { WriteSession } from '#backends/contract/write_session'
import type { NameServer } from '#backends/contract/name_server'
import { pendingSignings } from '#backends/sql/pending_signings'
import { Rectifier } from '#backends/sql/rectify/rectifier'
import { followUps } from '#backends/sql/after_write'
import { SqlInspection } from '#backends/sql/inspection'
import { SqlAutoprimaries } from '#backends/sql/autoprimaries'
import { SqlRecordList } from '#backends/sql/lists/record_list'
import { SqlRRsetList } from '#backends/sql/lists/rrset_list'
import { SqlListOrders } from '#backends/sql/sort_keys/list_orders'
import { summarizeZones } from '#backends/sql/zone_summary'
import { SqlReader } from '#backends/sql/reader'
import { SqlWriteSession } from '#backends/sql/session'
import { POWERDNS_TABLES } from '#backends/sql/tables'

/** Settings of the driver in config/dns.ts. */
export interface SqlBackendOptions {
  /** Lucid connection of PowerDNS' and Zonewright's tables; the default connection if absent. */
  connection?: string
  /** Whether the HTTP API of the `pdns_server` can be called, to flush its caches; default: no. */
  hasServerApi?: boolean
  /** Signing of zones; none if absent. */
  signing?: ZoneSigning
  /** The API of the `pdns_server`; none if absent. */
  nameServer?: NameServer
}

/** Zones in the SQL tables of PowerDNS, which `pdns_server` reads with gsqlite3, gpgsql or gmysql. */
export class SqlBackend implements DnsBackend {
  readonly name = 'sql'
  readonly capabilities: BackendCapabilities
  readonly signing?: ZoneSigning
  readonly nameServer?: NameServer
  readonly autoprimaries = new SqlAutoprimaries(() => this.#client)
  readonly inspection = new SqlInspection(() => this.#client, POWERDNS_TABLES)
  readonly unconfirmedWrites = pendingSignings(() => this.#client)
  readonly listOrders = new SqlListOrders(() => this.#client, POWERDNS_TABLES)
  readonly zoneIndex = {
    table: 'domains',
    columns: { id: 'id', name: 'name', kind: 'type' },
    records: POWERDNS_TABLES.records,
  }

  constructor(
    private readonly database: Database,
    private readonly options: SqlBackendOptions = {}
  ) {
    this.signing = options.signing
    this.nameServer = options.nameServer
    this.capabilities = {
      sharedTransaction: true,
      rename: true,
      anyMetadata: true,
      dnssec: options.signing !== undefined,
    }
  }

  zoneSummaries(ids: readonly number[]) {
    return summarizeZones(this.#client, POWERDNS_TABLES, ids)
  }

  findZone(id: number) {
    return this.#reader.findZone(id)
  }

  findZoneByName(name: string) {
    return this.#reader.findZoneByName(name)
  }

  listRecords(zone: BackendZone, query: RecordListQuery) {
    return new SqlRecordList(this.#client, POWERDNS_TABLES, zone).list(query)
  }

  recordBatches(zone: BackendZone, query: RecordListQuery) {
    return new SqlRecordList(this.#client, POWERDNS_TABLES, zone).batches(query)
  }

  findRecord(zone: BackendZone, id: RecordId) {
    return this.#reader.findRecord(zone, id)
  }

  searchRecords(search: ContentSearch): Promise<ContentHits> {
    return searchRecords(this.#client, POWERDNS_TABLES, search)
  }

  searchComments(search: ContentSearch): Promise<ContentHits> {
    return searchComments(this.#client, POWERDNS_TABLES, search)
  }

  recordsByIds(ids: number[]): Promise<Map<RecordId, StoredRecord>> {
    return this.#reader.recordsByIds(ids)
  }

  listRRsets(zone: BackendZone, query: RRsetListQuery) {
    return new SqlRRsetList(this.#client, POWERDNS_TABLES, zone).list(query)
  }

  rrsetBatches(zone: BackendZone, query: RRsetListQuery) {
    return new SqlRRsetList(this.#client, POWERDNS_TABLES, zone).batches(query)
  }

  allRRsets(zone: BackendZone): Promise<RRset[]> {
    return this.#reader.allRRsets(zone)
  }

  rrsetsAt(zone: NamedZone, names: string[]): Promise<RRset[]> {
    return this.#reader.rrsetsAt(zone, names)
  }

  cutsAt(zone: BackendZone, names: string[]) {
    return this.#reader.cutsAt(zone, names)
  }

  namesBelow(zone: BackendZone, names: string[], limit: number) {
    return this.#reader.namesBelow(zone, names, limit)
  }

  aliasesAmong(names: string[], exceptZoneId: number) {
    return this.#reader.aliasesAmong(names, exceptZoneId)
  }

  metadataOf(zone: BackendZone) {
    return this.#reader.metadataOf(zone)
  }

  signedZones(after: number, limit: number) {
    return this.#reader.signedZones(after, limit)
  }

  async countWrongRows(zone: BackendZone): Promise<number> {
    const rectifier = new Rectifier(this.#client, POWERDNS_TABLES)
    const denial = await rectifier.denialOf(zone)
    return denial.kind === 'unsigned' ? 0 : rectifier.countWrongRows(zone, denial)
  }

  zonesWithRecordsAt(name: string, exceptZoneId?: number) {
    return this.#reader.zonesHolding(name, exceptZoneId)
  }

  async hasExternalChanges(zone: BackendZone, bounds?: ExternalCheckBounds) {
    return (
      (await this.#reader.hasOutsideChanges(zone, bounds)) ||
      (bounds?.maxRecords === undefined &&
        this.#reader.hasExternalMetadataChange(zone, await this.metadataOf(zone)))
    )
  }

  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    return inTransaction(this.#client, (trx) =>
      work(new SqlWriteSession(trx, POWERDNS_TABLES, true))
    )
  }

  afterWrite(
    before: BackendZone | null,
    after: BackendZone | null,
    withMetadata = false
  ): FollowUp[] {
    return this.options.hasServerApi ? followUps(before, after, withMetadata) : []
  }

  get #client() {
    return this.database.connection(this.options.connection)
  }

  get #reader() {
    return new SqlReader(this.#client)
  }
}
