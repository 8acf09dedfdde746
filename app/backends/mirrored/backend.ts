import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type {
  BackendZone,
  DnsBackend,
  FollowUp,
  ExternalCheckBounds,
  StoredRecord,
  ZoneSigning,
} from '#backends/contract/backend'
import type { Autoprimaries } from '#backends/contract/autoprimaries'
import type { NameServer } from '#backends/contract/name_server'
import { ZoneGone } from '#backends/contract/errors'
import { keepConnectionAlive, withHeartbeat } from '#backends/pending_writes/heartbeat'
import {
  lockWrite,
  storeSigning,
  isCreatedByAnother,
  confirmWrite,
  readUnconfirmedWrites,
} from '#backends/pending_writes/store'
import { Mirror } from '#backends/mirrored/mirror'
import { MIRROR_TABLES } from '#backends/mirrored/mirror_tables'
import { AlreadySettled } from '#backends/mirrored/write_attempt'
import { MirroredWrites } from '#backends/mirrored/write_coordinator'
import type { ZoneServer } from '#backends/mirrored/zone_server'
import { ZoneSync } from '#backends/mirrored/zone_sync'
import type { RecordListQuery, RRsetListQuery } from '#backends/contract/record_lists'
import type { ContentHits, ContentSearch } from '#backends/contract/search'
import { summarizeZones } from '#backends/sql/zone_summary'
import { searchComments, searchRecords } from '#backends/sql/search/content_search'
import { SqlRecordList } from '#backends/sql/lists/record_list'
import { SqlRRsetList } from '#backends/sql/lists/rrset_list'
import { SqlListOrders } from '#backends/sql/sort_keys/list_orders'
import { SqlReader } from '#backends/sql/reader'
import type { UnconfirmedWrite, UnconfirmedWrites } from '#backends/contract/pending_writes'
import type { WriteSession } from '#backends/contract/write_session'
import { hasNotifiedReplicas } from '#backends/contract/zone_kinds'
import { inTransaction } from '#database/transaction'
import { labelsOf } from '#dns/names/name_tree'
import { stateAmong } from '#dns/outcome'
import type { RecordId, RRset } from '#dns/types'

/** Options of a mirrored backend. */
export interface MirroredOptions {
  /** As in config/dns.ts; it stands in the setting `dns.backend`. */
  name: string
  /** The server of the zones. */
  server: ZoneServer
  /** Whether every kind of metadata can be written; otherwise those with `MetadataKind.overApi`. */
  anyMetadata?: boolean
  /** Lucid connection of the mirror and Zonewright's tables; the default connection if absent. */
  connection?: string
  signing?: ZoneSigning
  nameServer?: NameServer
  autoprimaries?: Autoprimaries
  /** Time in ms that a zone must be missing before it is removed from the lists; default: ten minutes. */
  graceMs?: number
}

/**
 * Zones of a server that is called over a network. The mirror tables contain its last known state, for lists and
 * searches. A zone is compared with the server before its records are read. Writes run at the server and are confirmed
 * in Zonewright tables.
 */
export class MirroredBackend implements DnsBackend {
  readonly name: string
  readonly capabilities
  readonly signing?: ZoneSigning
  readonly nameServer?: NameServer
  readonly autoprimaries?: Autoprimaries
  readonly listOrders = new SqlListOrders(() => this.#client, MIRROR_TABLES)
  readonly zoneIndex = {
    table: MIRROR_TABLES.zones,
    columns: { id: 'id', name: 'name', kind: 'type' },
  }
  readonly #mirror: Mirror
  readonly #writes: MirroredWrites
  readonly #server: ZoneServer
  readonly #sync: ZoneSync

  constructor(
    private readonly database: Database,
    private readonly options: MirroredOptions
  ) {
    const { name, server, signing, anyMetadata = false } = options
    this.name = name
    this.signing = signing
    this.nameServer = options.nameServer
    this.autoprimaries = options.autoprimaries
    this.capabilities = {
      sharedTransaction: true,
      rename: false,
      dnssec: signing !== undefined,
      anyMetadata,
    }
    const currentClient = () => this.#client
    this.#server = server
    this.#mirror = new Mirror(currentClient, server)
    this.#writes = new MirroredWrites(currentClient, server, this.#mirror)
    this.#sync = new ZoneSync(currentClient, server, options.graceMs)
  }

  /** Synchronises the list of zones. */
  readonly sync = {
    run: () => this.#sync.run(),
  }

  readonly unconfirmedWrites: UnconfirmedWrites = {
    storeSigning: storeSigning,
    forget: async (id, trx) => {
      await (trx
        ? confirmWrite(trx, id)
        : inTransaction(this.#client, (currentClient) => confirmWrite(currentClient, id)))
    },
    runWithHeartbeat: (id, work) => withHeartbeat(() => this.#client, id, work),
    list: (which) => readUnconfirmedWrites(this.#client, which),
    reverseSafeSteps: (write) =>
      inTransaction(this.#client, (trx) =>
        keepConnectionAlive(trx, true, () => this.#deleteCreatedZones(trx, write))
      ),
    settle: async (id, work) => {
      try {
        return await this.#writes.write(work, id)
      } catch (error) {
        if (error instanceof AlreadySettled) {
          return null
        }
        throw error
      }
    },
  }

  zoneSummaries(ids: readonly number[]) {
    return summarizeZones(this.#client, MIRROR_TABLES, ids)
  }

  findZone(id: number) {
    return this.#reader.findZone(id)
  }

  async findZoneByName(name: string) {
    return (await this.#reader.findZoneByName(name)) ?? (await this.#sync.find(name))
  }

  async listRecords(zone: BackendZone, query: RecordListQuery) {
    await this.#mirror.refresh(zone)
    return new SqlRecordList(this.#client, MIRROR_TABLES, zone).list(query)
  }

  async *recordBatches(zone: BackendZone, query: RecordListQuery) {
    await this.#mirror.refresh(zone)
    yield* new SqlRecordList(this.#client, MIRROR_TABLES, zone).batches(query)
  }

  async findRecord(zone: BackendZone, id: RecordId, { asKnown = false } = {}) {
    const knownRecord = asKnown ? await this.#reader.findRecord(zone, id) : null
    if (knownRecord) {
      return knownRecord
    }
    await this.#mirror.refresh(zone)
    return this.#reader.findRecord(zone, id)
  }

  searchRecords(search: ContentSearch): Promise<ContentHits> {
    return searchRecords(this.#client, MIRROR_TABLES, search)
  }

  searchComments(search: ContentSearch): Promise<ContentHits> {
    return searchComments(this.#client, MIRROR_TABLES, search)
  }

  recordsByIds(ids: number[]): Promise<Map<RecordId, StoredRecord>> {
    return this.#reader.recordsByIds(ids)
  }

  async listRRsets(zone: BackendZone, query: RRsetListQuery) {
    await this.#mirror.refresh(zone)
    return new SqlRRsetList(this.#client, MIRROR_TABLES, zone).list(query)
  }

  async *rrsetBatches(zone: BackendZone, query: RRsetListQuery) {
    await this.#mirror.refresh(zone)
    yield* new SqlRRsetList(this.#client, MIRROR_TABLES, zone).batches(query)
  }

  async allRRsets(zone: BackendZone): Promise<RRset[]> {
    await this.#mirror.refresh(zone)
    return this.#reader.allRRsets(zone)
  }

  async rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    await this.#mirror.refresh(zone)
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

  async metadataOf(zone: BackendZone) {
    const metadata = await this.#server.metadata(zone.name)
    if (!metadata) {
      throw new ZoneGone(`The name server has no zone '${zone.name}'`)
    }
    return metadata
  }

  signedZones(after: number, limit: number) {
    return this.#reader.signedZones(after, limit)
  }

  /** Only the server has these rows. */
  async countWrongRows(): Promise<null> {
    return null
  }

  async zonesWithRecordsAt(name: string, exceptZoneId?: number) {
    await this.#refreshZonesAbove(name)
    return this.#reader.zonesHolding(name, exceptZoneId)
  }

  async hasExternalChanges(zone: BackendZone, bounds?: ExternalCheckBounds) {
    await this.#mirror.refresh(zone)
    const currentZone = (await this.findZone(zone.id)) ?? zone
    const differs =
      (await this.#reader.hasOutsideChanges(currentZone, bounds)) ||
      (bounds?.maxRecords === undefined &&
        (await this.#reader.hasExternalMetadataChange(
          currentZone,
          await this.metadataOf(currentZone)
        )))
    // The difference can be the running write; its end would have to be awaited for a snapshot.
    return differs && !(await this.#mirror.isBeingWritten(zone.id))
  }

  async write<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.#writes.write(work)
  }

  /** The server flushes its own caches after a write over its API. */
  afterWrite(_before: BackendZone | null, after: BackendZone | null): FollowUp[] {
    return after && hasNotifiedReplicas(after)
      ? [{ kind: 'notify', zoneId: after.id, zoneName: after.name }]
      : []
  }

  /**
   * Compares all zones that can contain this name: the zone of that name and those above it. The server can have new
   * zones, and the right to create a zone depends on them. At most one call per label.
   */
  async #refreshZonesAbove(name: string): Promise<void> {
    const labels = labelsOf(name)
    for (const apex of labels.map((_, index) => labels.slice(index).join('.'))) {
      const zone = await this.findZoneByName(apex)
      try {
        await (zone && this.#mirror.refresh(zone))
      } catch (error) {
        // The zone is deleted; the mirror retains it until that is confirmed.
        if (!(error instanceof ZoneGone)) {
          throw error
        }
      }
    }
  }

  /** Deletes zones that an interrupted write created at the server, and that have no owner. */
  async #deleteCreatedZones(
    trx: TransactionClientContract,
    { id, steps }: UnconfirmedWrite
  ): Promise<void> {
    const creations = steps.filter((step) => step.kind === 'create')
    if (creations.length === 0 || !(await lockWrite(trx, id))) {
      return
    }
    for (const { zoneName, changes, zone } of creations) {
      const isOwned =
        (await new SqlReader(trx, MIRROR_TABLES).findZoneByName(zoneName)) !== null ||
        (await isCreatedByAnother(trx, id, zoneName))
      const found = isOwned || changes.length === 0 ? null : await this.#server.zone(zoneName)
      const isSameZone =
        found?.kind === zone.kind &&
        found?.masters.join() === zone.masters.join() &&
        found?.rrsets.length === changes.length &&
        stateAmong(changes, found.rrsets) === 'after'
      if (isSameZone) {
        await this.#server.executeStep({ zoneId: 0, zoneName, kind: 'delete' })
      }
    }
  }

  get #client() {
    return this.database.connection(this.options.connection)
  }

  get #reader() {
    return new SqlReader(this.#client, MIRROR_TABLES)
  }
}
