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
import { OutsideChanges } from '#backends/sql/snapshots/external_changes'
import { SqlReader, rowId } from '#backends/sql/reader'
import { POWERDNS_TABLES, type ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import { rrsetsOfRows } from '#backends/sql/rows'
import type { RecordRow } from '#backends/sql/rows'
import {
  FreeRows,
  differenceOf,
  insertOf,
  keyOf,
  columnsOf,
  rowsOfInserts,
} from '#backends/sql/record_values'
import type { Insert, RecordValues } from '#backends/sql/record_values'
import { enqueueTexts } from '#database/trigram_index/pending'
import { typesForAdministrators } from '#dns/records/registry'
import { touchedSteps } from '#backends/sql/affected_rrsets'
import { RecordSnapshots, type WrittenRows } from '#backends/sql/snapshots/record_snapshots'
import { ZoneRows } from '#backends/sql/zone_rows'

/** The shortest of the three databases: PowerDNS' schema for MariaDB. */
const MAX_CONTENT = 64_000

/** A write on tables of PowerDNS' shape, inside one transaction of the product's database. */
export class SqlWriteSession extends SqlReader implements WriteSession {
  readonly #authority: Rectifier
  readonly #seen: RecordSnapshots
  readonly #named: NamedRows
  readonly #zones: ZoneRows
  readonly #firstFound = new Map<number, string[]>()

  /** @param cachesRows whether read rows are cached: only if no other code writes records in the transaction */
  constructor(
    readonly transaction: TransactionClientContract,
    tables: ZoneTables = POWERDNS_TABLES,
    cachesRows = false
  ) {
    super(transaction, tables)
    this.#named = new NamedRows(transaction, tables, cachesRows)
    this.#authority = new Rectifier(transaction, tables, this.#named)
    this.#seen = new RecordSnapshots(transaction, tables)
    this.#zones = new ZoneRows(transaction, tables, this)
  }

  async takeExternalChanges(zone: BackendZone, names?: string[]): Promise<RRsetChange[]> {
    const { transaction, tables } = this
    if (!(await this.#seen.isKnown(zone))) {
      const rows: { type: string }[] = await transaction
        .from(tables.records)
        .where('domain_id', zone.id)
        .whereIn('type', typesForAdministrators())
        .select('type')
      const types = rows.map(({ type }) => type)
      this.#firstFound.set(zone.id, types)
    }
    return new OutsideChanges(transaction, tables, this.#seen, this.#named).take(zone, names)
  }

  takeFirstFound({ id }: BackendZone): string[] {
    const found = this.#firstFound.get(id) ?? []
    this.#firstFound.delete(id)
    return found
  }

  hasPropertiesSnapshot(zone: BackendZone): Promise<boolean> {
    return this.#seen.hasPropertiesSnapshot(zone)
  }

  async takeOutsideProperties(
    zone: BackendZone,
    { withMetadata = false } = {}
  ): Promise<PropertyChange | null> {
    const properties = await this.#seen.takeProperties(zone)
    const metadata = withMetadata
      ? await this.#seen.takeMetadata(zone, await this.metadataOf(zone))
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
    const created = await this.#zones.create(zone, await this.fixedId(zone.revival?.id))
    await insertMetadata(this.transaction, this.tables, created, zone.metadata)
    if (zone.revival) {
      await this.#zones.revive(created, zone.revival)
    }
    await this.#seen.begin(created, this.noted(zone.metadata))
    return created
  }

  /** The metadata that a new zone has: null where it is not known yet. */
  protected noted(metadata: Metadata): Metadata | null {
    return metadata
  }

  /** The id of a new zone, where the database is not to give it. */
  protected fixedId(formerId?: number): Promise<{ id?: number }> {
    return this.#zones.idFor(formerId)
  }

  keysOf(zone: BackendZone): Promise<ZoneKey[]> {
    return this.#zones.keysOf(zone)
  }

  async updateZone(zone: BackendZone, patch: ZonePatch): Promise<BackendZone> {
    const next = await this.#zones.update(zone, patch)
    await this.#seen.snapshotProperties(next)
    return next
  }

  async renameZone(zone: BackendZone, name: string): Promise<BackendZone> {
    const renamed = await this.#zones.rename(zone, name)
    this.#named.forget()
    await this.#seen.renamed(zone, name)
    const denial = await this.#authority.denialOf(renamed)
    if (denial.kind === 'nsec3') {
      // NSEC3 hashes the whole name.
      await this.#authority.wholeZone(renamed, denial)
    }
    return renamed
  }

  async deleteZone(zone: BackendZone): Promise<void> {
    await this.#zones.delete(zone)
    this.#named.forget()
    await this.#seen.forget(zone.id)
  }

  async writeMetadata(zone: BackendZone, metadata: Metadata): Promise<void> {
    await replaceMetadata(this.transaction, this.tables, zone, metadata)
    await this.#seen.snapshotWrittenMetadata(zone, metadata)
    const changesDenial = Object.keys(metadata).some((kind) => metadataKind(kind).isDenial)
    const denial = changesDenial ? await this.#authority.denialOf(zone) : null
    if (denial && denial.kind !== 'unsigned') {
      await this.#authority.wholeZone(zone, denial)
    }
  }

  async rectify(zone: BackendZone): Promise<number | null> {
    return this.#authority.wholeZone(zone, await this.#authority.denialOf(zone))
  }

  async applyRRsets(zone: BackendZone, changes: RRsetChange[]): Promise<RRsetChange[]> {
    if (changes.length === 0) {
      return []
    }
    const names = [...new Set(changes.map((change) => change.name))]
    const rows = await this.#rowsToChange(zone, changes, names)
    const free = new FreeRows(rows, zone.name)
    const updated: number[] = []
    const retimed = new Map<number, number[]>()
    const inserts: Insert[] = []

    const wanted = changes.flatMap(({ after }) =>
      after ? after.records.map((record) => ({ set: after, record })) : []
    )
    // Records with the id of a row take it first, before others match it by content.
    wanted.sort((a, b) => Number(b.record.id !== undefined) - Number(a.record.id !== undefined))
    for (const { set, record } of wanted) {
      const due = yieldIfDue()
      if (due) await due
      this.checkContent(record.content)
      const values: RecordValues = {
        name: set.name,
        type: set.type,
        content: record.content,
        ttl: set.ttl,
        priority: recordType(set.type)?.priority === false ? 0 : record.priority,
        disabled: record.disabled,
      }
      const row = free.take(values, record.id)
      const difference = row && differenceOf(row, values, zone.name)
      if (!row) {
        inserts.push(insertOf(zone, values))
      } else if (difference === 'ttl') {
        const ids = retimed.get(values.ttl) ?? []
        ids.push(Number(row.id))
        retimed.set(values.ttl, ids)
      } else if (difference === 'row') {
        await this.transaction
          .from(this.tables.records)
          .where('id', row.id)
          .update(columnsOf(values))
        updated.push(Number(row.id))
      }
    }
    for (const [ttl, ids] of retimed) {
      for (const part of chunks(ids)) {
        await this.transaction.from(this.tables.records).whereIn('id', part).update({ ttl })
        updated.push(...part)
      }
    }
    const gone = free.ids()
    for (const part of chunks(gone)) {
      await this.transaction.from(this.tables.records).whereIn('id', part).delete()
    }
    await this.#insert(zone, inserts)
    this.#named.forget()
    await this.#authority.afterChanges(zone, changes)

    // Those that records moved away from, too.
    const stored = await this.rowsAt(zone, [...names, ...rows.map((row) => foldCase(row.name))])
    const known = new Set(rows.map((row) => Number(row.id)))
    const inserted = await runYielding(rowsOfInserts(inserts, stored, known))
    const touched = await runYielding(touchedSteps(changes, rows, stored))
    await this.snapshotWritten(zone, { updated, inserted, gone, ...touched })
    await enqueueTexts(this.transaction, this.tables.texts, [...updated, ...inserted])
    const sets = await rrsetsOfRows(stored, zone.name)
    const now = new Map(sets.map((set) => [`${set.name} ${set.type}`, set]))
    return mapYielding(changes, (change) => ({
      ...change,
      after: now.get(`${change.name} ${change.type}`) ?? null,
    }))
  }

  protected override async rowsAt(zone: NamedZone, names: string[]): Promise<RecordRow[]> {
    const rows = await this.#named.at(zone, names)
    return rows.filter(isRecordRow)
  }

  /** Throws `InvalidDns` for a content that the table cannot store. */
  protected checkContent(content: string): void {
    if (content.length > MAX_CONTENT) {
      throw new InvalidDns('content', content, `at most ${MAX_CONTENT} characters`)
    }
  }

  /** What this session wrote is known: it is no outside change. */
  protected snapshotWritten(zone: BackendZone, rows: WrittenRows): Promise<void> {
    return this.#seen.snapshotWritten(zone, rows)
  }

  async #insert(zone: BackendZone, inserts: Insert[]): Promise<void> {
    const first = inserts.length > 0 ? await this.#seen.firstUnnotedId(zone) : null
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
    const named = changes.flatMap(({ before, after }) =>
      [before, after].flatMap((set) => set?.records.map((record) => record.id) ?? [])
    )
    const missing = named.flatMap((id) => {
      const number = id === undefined ? null : rowId(id)
      return number === null || rows.has(number) ? [] : [number]
    })
    for (const part of chunks(missing)) {
      const elsewhere = await this.recordsWithIds(zone, part)
      elsewhere.forEach((row) => rows.set(Number(row.id), row))
    }
    return [...rows.values()]
  }
}
