import type { Database } from '@adonisjs/lucid/database'
import { inTransaction } from '#database/transaction'
import type { RecordId, RRset } from '#dns/types'
import type { BackendZone, DnsBackend, RecordQuery } from '#backends/contract'
import type { WriteSession } from '#backends/write_session'
import { SqlReader } from '#backends/sql/reader'
import { SqlWriteSession } from '#backends/sql/session'

/** Settings of the driver in config/dns.ts. */
export interface SqlBackendOptions {
  /** Lucid connection that holds PowerDNS' tables beside the product's own; default: the default one. */
  connection?: string
}

/** Zones in PowerDNS' own SQL tables, which a `pdns_server` reads with its gsqlite3, gpgsql or gmysql. */
export class SqlBackend implements DnsBackend {
  readonly name = 'sql'
  readonly capabilities = { sharedTransaction: true, rename: true }
  readonly zoneIndex = {
    table: 'domains',
    columns: { id: 'id', name: 'name', kind: 'type' },
  }

  constructor(
    private readonly database: Database,
    private readonly options: SqlBackendOptions = {}
  ) {}

  findZone(id: number) {
    return this.#reader.findZone(id)
  }

  findZoneByName(name: string) {
    return this.#reader.findZoneByName(name)
  }

  listRecords(zone: BackendZone, query: RecordQuery) {
    return this.#reader.listRecords(zone, query)
  }

  findRecord(zone: BackendZone, id: RecordId) {
    return this.#reader.findRecord(zone, id)
  }

  rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    return this.#reader.rrsetsAt(zone, names)
  }

  zonesHolding(name: string, exceptZoneId?: number) {
    return this.#reader.zonesHolding(name, exceptZoneId)
  }

  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    return inTransaction(this.#client, (trx) => work(new SqlWriteSession(trx)))
  }

  get #client() {
    return this.database.connection(this.options.connection)
  }

  get #reader() {
    return new SqlReader(this.#client)
  }
}
