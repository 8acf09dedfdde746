import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, PropertyChange } from '#backends/contract/backend'
import { domainTable, forEachRange } from '#backends/sql/id_ranges'
import { forgetKeys, updateKeys } from '#backends/sql/sort_keys/sorted_rows'
import { chunks } from '#database/statements/chunks'
import type { RecordRow } from '#backends/sql/rows'
import { countSets } from '#backends/sql/lists/rrset_count'
import {
  changedMetadata,
  changedProperties,
  metadataSnapshot,
  propertiesSnapshot,
  mergedMetadataSnapshot,
} from '#backends/sql/snapshots/property_snapshots'
import {
  SNAPSHOT_COLUMNS,
  RECORD_SNAPSHOTS,
  ZONE_SNAPSHOTS,
  recordCondition,
  selectKnownZone,
  readMetadataSnapshot,
} from '#backends/sql/snapshots/snapshot_queries'
import type { Metadata } from '#dns/metadata/metadata'
import type { ZoneTables } from '#backends/sql/tables'
import type { AffectedRRsets } from '#backends/sql/affected_rrsets'
import { dialectOf } from '#database/dialects/dialect_of'

/** The snapshots of a zone, for `forEachRange`. */
export const SNAPSHOT_RANGES = { table: RECORD_SNAPSHOTS, zone: 'zone_id', id: 'record_id' }

/** Restarts the verification of the keys of a zone that has keys: NULL stays NULL. */
const RESET_KEYS = 'keyed_to * 0'

/** Rows of one statement that stores snapshots; faster than one that deletes. */
const SNAPSHOT_BATCH_SIZE = 50_000

/** The values of a record row that a snapshot contains. */
export type SnapshotRow = Pick<
  RecordRow,
  'id' | 'name' | 'type' | 'content' | 'ttl' | 'prio' | 'disabled'
>

/** Ids of changed, new and deleted rows, and the effect on RRsets. */
export interface WrittenRows extends AffectedRRsets {
  updated: number[]
  inserted: number[]
  deletedIds: number[]
}

/**
 * Snapshots of each record row as last known, stored in the transaction that writes or checks. Only sessions with the lock of
 * the zone write them.
 */
export class RecordSnapshots {
  /** Zones with snapshots, by id: whether their records have sort keys, and the stored properties. */
  readonly #knownZones = new Map<
    number,
    { name: string; hasKeys: boolean; properties: string | null }
  >()

  constructor(
    private readonly trx: TransactionClientContract,
    private readonly tables: ZoneTables
  ) {}

  /** Whether the zone has snapshots under its current name. */
  async hasSnapshot(zone: BackendZone): Promise<boolean> {
    if (this.#knownZones.get(zone.id)?.name === zone.name) {
      return true
    }
    const row = (await selectKnownZone(this.trx, zone)
      .select('keyed_to', 'properties')
      .first()) as {
      keyed_to: number | string | null
      properties: string | null
    } | null
    if (row) {
      const { keyed_to: keyedTo, properties } = row
      this.#knownZones.set(zone.id, { name: zone.name, hasKeys: keyedTo !== null, properties })
    }
    return row !== null
  }

  /**
   * Creates the snapshot of a zone without rows, with its metadata if known. Deletes snapshots of a deleted zone with the same
   * id.
   */
  async createEmpty(zone: BackendZone, metadata: Metadata | null = null): Promise<void> {
    await this.forget(zone.id)
    const properties = propertiesSnapshot(zone)
    await this.trx.table(ZONE_SNAPSHOTS).insert({
      zone_id: zone.id,
      zone_name: zone.name,
      sets: 0,
      properties,
      metadata: metadata && metadataSnapshot(metadata),
    })
    this.#knownZones.set(zone.id, { name: zone.name, hasKeys: false, properties })
  }

  /** Stores the current properties of the zone, if it has a snapshot. */
  async storeProperties(zone: BackendZone): Promise<void> {
    const properties = propertiesSnapshot(zone)
    await selectKnownZone(this.trx, zone).update({ properties })
    const known = this.#knownZones.get(zone.id)
    if (known) known.properties = properties
  }

  /** Adds written metadata to the snapshot, if it has metadata. */
  async storeWrittenMetadata(zone: BackendZone, written: Metadata): Promise<void> {
    const snapshot = await readMetadataSnapshot(this.trx, zone)
    if (snapshot) {
      await this.#storeMetadataSnapshot(zone, mergedMetadataSnapshot(snapshot, written))
    }
  }

  /** The difference of metadata to its snapshot, which is updated. null without a snapshot. */
  async takeMetadata(
    zone: BackendZone,
    metadata: Metadata
  ): Promise<ReturnType<typeof changedMetadata>> {
    const snapshot = await readMetadataSnapshot(this.trx, zone)
    const now = metadataSnapshot(metadata)
    if (snapshot !== now) {
      await this.#storeMetadataSnapshot(zone, now)
    }
    return snapshot ? changedMetadata(snapshot, metadata) : null
  }

  async #storeMetadataSnapshot(zone: BackendZone, metadata: string): Promise<void> {
    await selectKnownZone(this.trx, zone).update({ metadata })
  }

  /** Whether there is a snapshot of the properties of the zone. */
  async hasPropertiesSnapshot(zone: BackendZone): Promise<boolean> {
    return (await this.hasSnapshot(zone)) && this.#knownZones.get(zone.id)!.properties !== null
  }

  /** The difference of the properties of a zone to their snapshot, which is updated. null without a snapshot. */
  async takeProperties(zone: BackendZone): Promise<PropertyChange | null> {
    const snapshot = (await this.hasSnapshot(zone))
      ? this.#knownZones.get(zone.id)!.properties
      : undefined
    if (snapshot === undefined || snapshot === propertiesSnapshot(zone)) {
      return null
    }
    await this.storeProperties(zone)
    return snapshot === null ? null : changedProperties(snapshot, zone)
  }

  /** Creates the snapshot of a zone with all of its rows. */
  async createFromRows(zone: BackendZone): Promise<void> {
    await this.createEmpty(zone)
    let copiedCount = 0
    await forEachRange(
      this.trx,
      domainTable(this.tables.records),
      zone.id,
      async (_rows, range) => {
        copiedCount += await this.#copyRows(zone, 'id BETWEEN ? AND ?', range)
      },
      SNAPSHOT_BATCH_SIZE
    )
    await this.#updateCounts(zone, copiedCount, await countSets(this.trx, this.tables, zone))
  }

  /** Deletes all snapshots of a zone. */
  async forget(zoneId: number): Promise<void> {
    await forEachRange(this.trx, SNAPSHOT_RANGES, zoneId, (rows) => rows().delete())
    await forgetKeys(this.trx, zoneId)
    await this.trx.from(ZONE_SNAPSHOTS).where('zone_id', zoneId).delete()
    this.#knownZones.delete(zoneId)
  }

  /**
   * The first id for new rows of the zone; null if the database assigns it. Tables of PowerDNS' schema on SQLite reuse the id
   * of a deleted row; the snapshot of a row that another tool deleted still has its id, so it must not be reused before.
   */
  async firstFreeId(zone: BackendZone): Promise<number | null> {
    if (!dialectOf(this.trx).reusesIds) {
      return null
    }
    const [snapshot] = await this.trx
      .from(RECORD_SNAPSHOTS)
      .where('zone_id', zone.id)
      .max('record_id as highest')
    const [row] = await this.trx.from(this.tables.records).max('id as highest')
    const highest = Number(snapshot.highest ?? 0)
    return highest > Number(row.highest ?? 0) ? highest + 1 : null
  }

  /** Stores rows that this transaction wrote or deleted: it holds their locks. Does nothing for a zone without a snapshot. */
  async storeWrittenRows(zone: BackendZone, rows: WrittenRows): Promise<void> {
    const { updated, inserted, deletedIds, sets, addedSetCount } = rows
    const written = [...updated, ...inserted]
    if (written.length + deletedIds.length === 0 || !(await this.hasSnapshot(zone))) {
      return
    }
    let addedCount = inserted.length
    for (const part of chunks(deletedIds)) {
      addedCount -= await this.#deleteRows(zone, part)
    }
    for (const part of chunks(written)) {
      await this.#copyRows(zone, `id IN (${part.map(() => '?').join(', ')})`, part)
    }
    if (this.#knownZones.get(zone.id)?.hasKeys) {
      await updateKeys(this.trx, this.tables, zone, [...written, ...deletedIds], sets)
    }
    await this.#updateCounts(zone, addedCount, addedSetCount)
  }

  /** Stores rows as they were read, and removes deleted ones; updates the number of RRsets. */
  async storeReadRows(
    zone: BackendZone,
    rows: SnapshotRow[],
    goneIds: number[],
    addedSetCount: number
  ): Promise<void> {
    if (rows.length === 0 && goneIds.length === 0) {
      return
    }
    let addedCount = rows.length
    for (const part of chunks([...goneIds, ...rows.map((row) => Number(row.id))])) {
      addedCount -= await this.#deleteRows(zone, part)
    }
    const snapshotRows = rows.map(({ id, name, type, content, ttl, prio, disabled }) => {
      return { zone_id: zone.id, record_id: id, name, type, content, ttl, prio, disabled }
    })
    for (const part of chunks(snapshotRows)) {
      await this.trx.table(RECORD_SNAPSHOTS).multiInsert(part)
    }
    await this.#updateCounts(zone, addedCount, addedSetCount, 1)
  }

  /** Corrects the stored number of records after a read of the whole zone. */
  async recount(zone: BackendZone): Promise<void> {
    const [found] = await this.trx
      .from(RECORD_SNAPSHOTS)
      .where('zone_id', zone.id)
      .count('* as total')
    await selectKnownZone(this.trx, zone)
      .whereNot('records', Number(found.total))
      .update({ records: Number(found.total), writes: this.trx.raw('writes + 1') })
  }

  /** Renames the zone in its snapshot; the snapshots of its rows are renamed already. */
  async renameZone(zone: BackendZone, name: string): Promise<void> {
    await selectKnownZone(this.trx, zone).update({
      zone_name: name,
      writes: this.trx.raw('writes + 1'),
      keyed_to: this.trx.raw(RESET_KEYS),
    })
    this.#knownZones.delete(zone.id)
  }

  /**
   * Updates the numbers of records and RRsets of the zone by the difference, and its version for lists. The writer holds the
   * lock of the zone, so there is no wait for this row.
   */
  async #updateCounts(
    zone: BackendZone,
    addedCount: number,
    addedSetCount: number,
    takes = 0
  ): Promise<void> {
    await this.trx
      .from(ZONE_SNAPSHOTS)
      .where('zone_id', zone.id)
      .update({
        records: this.trx.raw('records + ?', [addedCount]),
        sets: this.trx.raw('sets + ?', [addedSetCount]),
        writes: this.trx.raw('writes + 1'),
        takes: this.trx.raw('takes + ?', [takes]),
        // An external change of one row may not be the only one.
        ...(takes > 0 ? { keyed_to: this.trx.raw(RESET_KEYS) } : {}),
      })
  }

  async #deleteRows(zone: BackendZone, ids: number[]): Promise<number> {
    const deletedRows: unknown = await this.trx
      .from(RECORD_SNAPSHOTS)
      .where('zone_id', zone.id)
      .whereIn('record_id', ids)
      .delete()
    return Number(deletedRows)
  }

  /** Copies rows into the snapshots, over former ones. Returns their number. */
  async #copyRows(zone: BackendZone, condition: string, ids: number[]): Promise<number> {
    const columns = SNAPSHOT_COLUMNS.join(', ')
    const { records } = this.tables
    const { upsert } = dialectOf(this.trx)
    const result: unknown = await this.trx.rawQuery(
      `INSERT INTO ${RECORD_SNAPSHOTS} (zone_id, record_id, ${columns})
       SELECT domain_id, id, ${columns} FROM ${records}
       WHERE domain_id = ? AND ${recordCondition(records)} AND ${condition}
       ${upsert(['zone_id', 'record_id'], SNAPSHOT_COLUMNS)}`,
      [zone.id, ...ids]
    )
    return writtenRowCount(result)
  }
}

/** The number of written rows in the result of each driver. */
function writtenRowCount(result: unknown): number {
  const [summary] = [result].flat() as {
    changes?: number
    rowCount?: number
    affectedRows?: number
  }[]
  const rows = summary.changes ?? summary.rowCount ?? summary.affectedRows
  if (rows === undefined) {
    throw new Error('The driver does not report the number of written rows')
  }
  return rows
}
