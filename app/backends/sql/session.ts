import { foldCase } from '#dns/names'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { runYielding, mapYielding, yieldIfDue } from '#database/event_loop'
import { InvalidDns } from '#dns/errors'
import { recordType } from '#dns/records/registry'
import { metadataKind, type Metadata } from '#dns/metadata/metadata'
import type { RRset, RRsetChange } from '#dns/types'
import type {
  BackendZone,
  NamedZone,
  NewZone,
  PropertyChange,
  ZoneKey,
  ZonePatch,
} from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import { Rectifier } from '#backends/sql/rectify/rectifier'
import { insertMetadata, replaceMetadata } from '#backends/sql/metadata_rows'
import { NamedRows, isRecordRow } from '#backends/sql/named_rows'
import { ExternalChanges } from '#backends/sql/snapshots/external_changes'
import { SqlReader, parseRowId } from '#backends/sql/reader'
import { POWERDNS_TABLES, type ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import { rrsetsOfRows } from '#backends/sql/rows'
import type { RecordRow } from '#backends/sql/rows'
import {
  UnclaimedRows,
  columnsToUpdate,
  rowToInsert,
  keyOf,
  columnsOf,
  idsOfInserts,
} from '#backends/sql/record_values'
import type { RowInsert, RecordValues } from '#backends/sql/record_values'
import { enqueueTexts } from '#database/trigram_index/pending'
import { typesForAdministrators } from '#dns/records/registry'
import { affectedSteps } from '#backends/sql/affected_rrsets'
import { RecordSnapshots, type WrittenRows } from '#backends/sql/snapshots/record_snapshots'
import { ZoneRows } from '#backends/sql/zone_rows'

/** The smallest limit of the databases: that of the PowerDNS schema for MariaDB. */
const MAX_CONTENT_BYTES = 64_000

/** A write on tables with the schema of PowerDNS, in one transaction of Zonewright's database. */
export class SqlWriteSession extends SqlReader implements WriteSession {
  readonly #rectifier: Rectifier
  readonly #snapshots: RecordSnapshots
  readonly #namedRows: NamedRows
  readonly #zones: ZoneRows
  readonly #newRestrictedTypes = new Map<number, string[]>()

  /** @param cachesRows whether read rows are cached: only if no other code writes records in the transaction */
  constructor(
    readonly transaction: TransactionClientContract,
    tables: ZoneTables = POWERDNS_TABLES,
    cachesRows = false
  ) {
    super(transaction, tables)
    this.#namedRows = new NamedRows(transaction, tables, cachesRows)
    this.#rectifier = new Rectifier(transaction, tables, this.#namedRows)
    this.#snapshots = new RecordSnapshots(transaction, tables)
    this.#zones = new ZoneRows(transaction, tables, this)
  }

  async takeExternalChanges(zone: BackendZone, names?: string[]): Promise<RRsetChange[]> {
    const { transaction, tables } = this
    if (!(await this.#snapshots.hasSnapshot(zone))) {
      const rows: { type: string }[] = await transaction
        .from(tables.records)
        .where('domain_id', zone.id)
        .whereIn('type', typesForAdministrators())
        .select('type')
      const types = rows.map(({ type }) => type)
      this.#newRestrictedTypes.set(zone.id, types)
    }
    return new ExternalChanges(transaction, tables, this.#snapshots, this.#namedRows).takeChanges(
      zone,
      names
    )
  }

  takeNewRestrictedTypes({ id }: BackendZone): string[] {
    const found = this.#newRestrictedTypes.get(id) ?? []
    this.#newRestrictedTypes.delete(id)
    return found
  }

  hasPropertiesSnapshot(zone: BackendZone): Promise<boolean> {
    return this.#snapshots.hasPropertiesSnapshot(zone)
  }

  async takeExternalPropertyChanges(
    zone: BackendZone,
    { withMetadata = false } = {}
  ): Promise<PropertyChange | null> {
    const properties = await this.#snapshots.takeProperties(zone)
    const metadata = withMetadata
      ? await this.#snapshots.takeMetadata(zone, await this.metadataOf(zone))
      : null
    return metadata
      ? {
          before: { ...properties?.before, metadata: metadata.before },
          after: { ...properties?.after, metadata: metadata.after },
        }
      : properties
  }

  override async rrsetsAt(zone: NamedZone, names: string[]): Promise<RRset[]> {
    const rows = await this.rowsAt(zone, names)
    return rrsetsOfRows(rows, zone.name)
  }

  lockZones(ids: number[]): Promise<Map<number, BackendZone>> {
    return this.#zones.lock(ids)
  }

  async createZone(zone: NewZone): Promise<BackendZone> {
    const created = await this.#zones.create(zone, await this.chooseId(zone.restored?.id))
    await insertMetadata(this.transaction, this.tables, created, zone.metadata)
    if (zone.restored) {
      await this.#zones.restoreData(created, zone.restored)
    }
    await this.#snapshots.createEmpty(created, this.initialMetadata(zone.metadata))
    return created
  }

  /** Metadata of a new zone for its snapshot; null if it is not known yet. */
  protected initialMetadata(metadata: Metadata): Metadata | null {
    return metadata
  }

  /** The id of a new zone, if the database must not assign it. */
  protected chooseId(formerId?: number): Promise<{ id?: number }> {
    return this.#zones.chooseId(formerId)
  }

  keysOf(zone: BackendZone): Promise<ZoneKey[]> {
    return this.#zones.keysOf(zone)
  }

  async updateZone(zone: BackendZone, patch: ZonePatch): Promise<BackendZone> {
    const next = await this.#zones.update(zone, patch)
    await this.#snapshots.storeProperties(next)
    return next
  }

  async renameZone(zone: BackendZone, name: string): Promise<BackendZone> {
    const renamed = await this.#zones.rename(zone, name)
    this.#namedRows.forget()
    await this.#snapshots.renameZone(zone, name)
    const denial = await this.#rectifier.denialOf(renamed)
    if (denial.kind === 'nsec3') {
      // NSEC3 hashes the whole name.
      await this.#rectifier.rectifyZone(renamed, denial)
    }
    return renamed
  }

  async deleteZone(zone: BackendZone): Promise<void> {
    await this.#zones.delete(zone)
    this.#namedRows.forget()
    await this.#snapshots.forget(zone.id)
  }

  async writeMetadata(zone: BackendZone, metadata: Metadata): Promise<void> {
    await replaceMetadata(this.transaction, this.tables, zone, metadata)
    await this.#snapshots.storeWrittenMetadata(zone, metadata)
    const changesDenial = Object.keys(metadata).some((kind) => metadataKind(kind).isDenial)
    const denial = changesDenial ? await this.#rectifier.denialOf(zone) : null
    if (denial && denial.kind !== 'unsigned') {
      await this.#rectifier.rectifyZone(zone, denial)
    }
  }

  async rectify(zone: BackendZone): Promise<number | null> {
    return this.#rectifier.rectifyZone(zone, await this.#rectifier.denialOf(zone))
  }

  async applyRRsets(zone: BackendZone, changes: RRsetChange[]): Promise<RRsetChange[]> {
    if (changes.length === 0) {
      return []
    }
    const names = [...new Set(changes.map((change) => change.name))]
    const rows = await this.#rowsToChange(zone, changes, names)
    const unclaimedRows = new UnclaimedRows(rows, zone.name)
    const updated: number[] = []
    const idsByNewTtl = new Map<number, number[]>()
    const inserts: RowInsert[] = []

    const wantedRecords = changes.flatMap(({ after }) =>
      after ? after.records.map((record) => ({ set: after, record })) : []
    )
    // Records with the id of a row take it first, before others match it by content.
    wantedRecords.sort(
      (a, b) => Number(b.record.id !== undefined) - Number(a.record.id !== undefined)
    )
    for (const { set, record } of wantedRecords) {
      const pause = yieldIfDue()
      if (pause) await pause
      this.checkContent(record.content)
      const values: RecordValues = {
        name: set.name,
        type: set.type,
        content: record.content,
        ttl: set.ttl,
        priority: recordType(set.type)?.priority === false ? 0 : record.priority,
        disabled: record.disabled,
      }
      const row = unclaimedRows.claim(values, record.id)
      const difference = row && columnsToUpdate(row, values, zone.name)
      if (!row) {
        inserts.push(rowToInsert(zone, values))
      } else if (difference === 'ttl') {
        const ids = idsByNewTtl.get(values.ttl) ?? []
        ids.push(Number(row.id))
        idsByNewTtl.set(values.ttl, ids)
      } else if (difference === 'row') {
        await this.transaction
          .from(this.tables.records)
          .where('id', row.id)
          .update(columnsOf(values))
        updated.push(Number(row.id))
      }
    }
    for (const [ttl, ids] of idsByNewTtl) {
      for (const part of chunks(ids)) {
        await this.transaction.from(this.tables.records).whereIn('id', part).update({ ttl })
        updated.push(...part)
      }
    }
    const deletedIds = unclaimedRows.ids()
    for (const part of chunks(deletedIds)) {
      await this.transaction.from(this.tables.records).whereIn('id', part).delete()
    }
    await this.#insert(zone, inserts)
    this.#namedRows.forget()
    await this.#rectifier.rectifyChanges(zone, changes)

    // Also the names from which records moved away.
    const stored = await this.rowsAt(zone, [...names, ...rows.map((row) => foldCase(row.name))])
    const known = new Set(rows.map((row) => Number(row.id)))
    const inserted = await runYielding(idsOfInserts(inserts, stored, known))
    const affected = await runYielding(affectedSteps(changes, rows, stored))
    await this.storeWrittenRows(zone, { updated, inserted, deletedIds, ...affected })
    await enqueueTexts(this.transaction, this.tables.texts, [...updated, ...inserted])
    const sets = await rrsetsOfRows(stored, zone.name)
    const currentSets = new Map(sets.map((set) => [`${set.name} ${set.type}`, set]))
    return mapYielding(changes, (change) => ({
      ...change,
      after: currentSets.get(`${change.name} ${change.type}`) ?? null,
    }))
  }

  protected override async rowsAt(zone: NamedZone, names: string[]): Promise<RecordRow[]> {
    const rows = await this.#namedRows.readAt(zone, names)
    return rows.filter(isRecordRow)
  }

  /** Throws `InvalidDns` for a content that the table cannot store. */
  protected checkContent(content: string): void {
    if (content.length > MAX_CONTENT_BYTES) {
      throw new InvalidDns('content', content, `at most ${MAX_CONTENT_BYTES} characters`)
    }
  }

  /** Stores the written rows as snapshots, so that they are no external change. */
  protected storeWrittenRows(zone: BackendZone, rows: WrittenRows): Promise<void> {
    return this.#snapshots.storeWrittenRows(zone, rows)
  }

  async #insert(zone: BackendZone, inserts: RowInsert[]): Promise<void> {
    const first = inserts.length > 0 ? await this.#snapshots.firstFreeId(zone) : null
    const rows =
      first === null ? inserts : inserts.map((row, index) => ({ id: first + index, ...row }))
    for (const part of chunks(rows)) {
      await this.transaction.table(this.tables.records).multiInsert(part)
    }
  }

  /** Rows of the changed RRsets, and rows elsewhere that a record of `after` names by its id. */
  async #rowsToChange(
    zone: BackendZone,
    changes: RRsetChange[],
    names: string[]
  ): Promise<RecordRow[]> {
    const keys = new Set(changes.map((change) => `${change.name} ${change.type}`))
    const rows = new Map<number, RecordRow>()
    const found = await this.rowsAt(zone, names)
    for (const row of found.filter((candidate) => keys.has(keyOf(candidate)))) {
      rows.set(Number(row.id), row)
    }
    const referencedIds = changes.flatMap(({ before, after }) =>
      [before, after].flatMap((set) => set?.records.map((record) => record.id) ?? [])
    )
    const missingIds = referencedIds.flatMap((id) => {
      const number = id === undefined ? null : parseRowId(id)
      return number === null || rows.has(number) ? [] : [number]
    })
    for (const part of chunks(missingIds)) {
      const elsewhere = await this.recordsWithIds(zone, part)
      elsewhere.forEach((row) => rows.set(Number(row.id), row))
    }
    return [...rows.values()]
  }
}
