import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, PropertyChange } from '#backends/contract/backend'
import { belongingTable, inRanges } from '#backends/sql/id_ranges'
import { forgetKeys, rekey } from '#backends/sql/sort_keys/sorted_rows'
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
  isRecord,
  knownZone,
  readMetadataSnapshot,
} from '#backends/sql/snapshots/snapshot_queries'
import type { Metadata } from '#dns/metadata/metadata'
import type { ZoneTables } from '#backends/sql/tables'
import type { TouchedSets } from '#backends/sql/affected_rrsets'
import { dialectOf } from '#database/dialects/dialect_of'

/** The notes of a zone, for `inRanges`. */
export const SNAPSHOT_RANGES = { table: RECORD_SNAPSHOTS, zone: 'zone_id', id: 'record_id' }

/** Restarts the verification of the keys of a zone that has keys: NULL stays NULL. */
const RESET_KEYS = 'keyed_to * 0'

/** Rows of one statement that stores snapshots; faster than one that deletes. */
const SNAPSHOT_BATCH_SIZE = 50_000

/** The values of a record row that are taken note of. */
export type SnapshotRow = Pick<
  RecordRow,
  'id' | 'name' | 'type' | 'content' | 'ttl' | 'prio' | 'disabled'
>

/** Ids of rows that were changed, that are new, and that were deleted; and what that did to RRsets. */
export interface WrittenRows extends TouchedSets {
  updated: number[]
  inserted: number[]
  gone: number[]
}

/**
 * Snapshots of each record row as last known, stored in the transaction that writes or checks. Only sessions with the lock of
 * the zone write them.
 */
export class RecordSnapshots {
  /** The zones that this session found known, by their id; whether their records have sort keys, and the noted properties. */
  readonly #known = new Map<number, { name: string; hasKeys: boolean; properties: string | null }>()

  constructor(
    private readonly trx: TransactionClientContract,
    private readonly tables: ZoneTables
  ) {}

  /** Whether all rows of the zone were taken note of once, under the name that it has now. */
  async isKnown(zone: BackendZone): Promise<boolean> {
    if (this.#known.get(zone.id)?.name === zone.name) {
      return true
    }
    const row = (await knownZone(this.trx, zone).select('keyed_to', 'properties').first()) as {
      keyed_to: number | string | null
      properties: string | null
    } | null
    if (row) {
      const { keyed_to: keyedTo, properties } = row
      this.#known.set(zone.id, { name: zone.name, hasKeys: keyedTo !== null, properties })
    }
    return row !== null
  }

  /**
   * Creates the snapshot of a zone without rows, with its metadata if known. Deletes snapshots of a deleted zone with the same
   * id.
   */
  async begin(zone: BackendZone, metadata: Metadata | null = null): Promise<void> {
    await this.forget(zone.id)
    const properties = propertiesSnapshot(zone)
    await this.trx.table(ZONE_SNAPSHOTS).insert({
      zone_id: zone.id,
      zone_name: zone.name,
      sets: 0,
      properties,
      metadata: metadata && metadataSnapshot(metadata),
    })
    this.#known.set(zone.id, { name: zone.name, hasKeys: false, properties })
  }

  /** Stores the current properties of the zone, if it has a snapshot. */
  async snapshotProperties(zone: BackendZone): Promise<void> {
    const properties = propertiesSnapshot(zone)
    await knownZone(this.trx, zone).update({ properties })
    const known = this.#known.get(zone.id)
    if (known) known.properties = properties
  }

  /** Adds written metadata to the snapshot, if it has metadata. */
  async snapshotWrittenMetadata(zone: BackendZone, written: Metadata): Promise<void> {
    const note = await readMetadataSnapshot(this.trx, zone)
    if (note) {
      await this.#storeMetadataSnapshot(zone, mergedMetadataSnapshot(note, written))
    }
  }

  /** The difference of metadata to its snapshot, which is updated. null without a snapshot. */
  async takeMetadata(
    zone: BackendZone,
    metadata: Metadata
  ): Promise<ReturnType<typeof changedMetadata>> {
    const note = await readMetadataSnapshot(this.trx, zone)
    const now = metadataSnapshot(metadata)
    if (note !== now) {
      await this.#storeMetadataSnapshot(zone, now)
    }
    return note ? changedMetadata(note, metadata) : null
  }

  async #storeMetadataSnapshot(zone: BackendZone, metadata: string): Promise<void> {
    await knownZone(this.trx, zone).update({ metadata })
  }

  /** Whether there is a snapshot of the properties of the zone. */
  async hasPropertiesSnapshot(zone: BackendZone): Promise<boolean> {
    return (await this.isKnown(zone)) && this.#known.get(zone.id)!.properties !== null
  }

  /** The difference of the properties of a zone to their snapshot, which is updated. null without a snapshot. */
  async takeProperties(zone: BackendZone): Promise<PropertyChange | null> {
    const note = (await this.isKnown(zone)) ? this.#known.get(zone.id)!.properties : undefined
    if (note === undefined || note === propertiesSnapshot(zone)) {
      return null
    }
    await this.snapshotProperties(zone)
    return note === null ? null : changedProperties(note, zone)
  }

  /** Creates the snapshot of a zone with all of its rows. */
  async adopt(zone: BackendZone): Promise<void> {
    await this.begin(zone)
    let noted = 0
    await inRanges(
      this.trx,
      belongingTable(this.tables.records),
      zone.id,
      async (_rows, range) => {
        noted += await this.#copy(zone, 'id BETWEEN ? AND ?', range)
      },
      SNAPSHOT_BATCH_SIZE
    )
    await this.#count(zone, noted, await countSets(this.trx, this.tables, zone))
  }

  /** Forgets a zone, known or not. */
  async forget(zoneId: number): Promise<void> {
    await inRanges(this.trx, SNAPSHOT_RANGES, zoneId, (rows) => rows().delete())
    await forgetKeys(this.trx, zoneId)
    await this.trx.from(ZONE_SNAPSHOTS).where('zone_id', zoneId).delete()
    this.#known.delete(zoneId)
  }

  /**
   * The first id for new rows of the zone; null if the database assigns it. Tables of PowerDNS' schema on SQLite reuse the id
   * of a deleted row; the snapshot of a row that another tool deleted still has its id, so it must not be reused before.
   */
  async firstUnnotedId(zone: BackendZone): Promise<number | null> {
    if (!dialectOf(this.trx).reusesIds) {
      return null
    }
    const [note] = await this.trx
      .from(RECORD_SNAPSHOTS)
      .where('zone_id', zone.id)
      .max('record_id as highest')
    const [row] = await this.trx.from(this.tables.records).max('id as highest')
    const highest = Number(note.highest ?? 0)
    return highest > Number(row.highest ?? 0) ? highest + 1 : null
  }

  /** Stores rows that this transaction wrote or deleted: it holds their locks. Does nothing for a zone without a snapshot. */
  async snapshotWritten(zone: BackendZone, rows: WrittenRows): Promise<void> {
    const { updated, inserted, gone, sets, moreSets } = rows
    const written = [...updated, ...inserted]
    if (written.length + gone.length === 0 || !(await this.isKnown(zone))) {
      return
    }
    let more = inserted.length
    for (const part of chunks(gone)) {
      more -= await this.#drop(zone, part)
    }
    for (const part of chunks(written)) {
      await this.#copy(zone, `id IN (${part.map(() => '?').join(', ')})`, part)
    }
    if (this.#known.get(zone.id)?.hasKeys) {
      await rekey(this.trx, this.tables, zone, [...written, ...gone], sets)
    }
    await this.#count(zone, more, moreSets)
  }

  /** Stores rows as they were read, and removes deleted ones; updates the number of RRsets. */
  async snapshotRead(
    zone: BackendZone,
    rows: SnapshotRow[],
    goneIds: number[],
    moreSets: number
  ): Promise<void> {
    if (rows.length === 0 && goneIds.length === 0) {
      return
    }
    let more = rows.length
    for (const part of chunks([...goneIds, ...rows.map((row) => Number(row.id))])) {
      more -= await this.#drop(zone, part)
    }
    const notes = rows.map(({ id, name, type, content, ttl, prio, disabled }) => {
      return { zone_id: zone.id, record_id: id, name, type, content, ttl, prio, disabled }
    })
    for (const part of chunks(notes)) {
      await this.trx.table(RECORD_SNAPSHOTS).multiInsert(part)
    }
    await this.#count(zone, more, moreSets, 1)
  }

  /** Corrects the stored number of records after a read of the whole zone. */
  async recount(zone: BackendZone): Promise<void> {
    const [found] = await this.trx
      .from(RECORD_SNAPSHOTS)
      .where('zone_id', zone.id)
      .count('* as total')
    await knownZone(this.trx, zone)
      .whereNot('records', Number(found.total))
      .update({ records: Number(found.total), writes: this.trx.raw('writes + 1') })
  }

  /** The zone has another name; the notes of its rows are renamed already. */
  async renamed(zone: BackendZone, name: string): Promise<void> {
    await knownZone(this.trx, zone).update({
      zone_name: name,
      writes: this.trx.raw('writes + 1'),
      keyed_to: this.trx.raw(RESET_KEYS),
    })
    this.#known.delete(zone.id)
  }

  /**
   * Updates the numbers of records and RRsets of the zone by the difference, and its version for lists. The writer holds the
   * lock of the zone, so there is no wait for this row.
   */
  async #count(zone: BackendZone, more: number, moreSets: number, takes = 0): Promise<void> {
    await this.trx
      .from(ZONE_SNAPSHOTS)
      .where('zone_id', zone.id)
      .update({
        records: this.trx.raw('records + ?', [more]),
        sets: this.trx.raw('sets + ?', [moreSets]),
        writes: this.trx.raw('writes + 1'),
        takes: this.trx.raw('takes + ?', [takes]),
        // Where others wrote one row they may have written more.
        ...(takes > 0 ? { keyed_to: this.trx.raw(RESET_KEYS) } : {}),
      })
  }

  async #drop(zone: BackendZone, ids: number[]): Promise<number> {
    const gone: unknown = await this.trx
      .from(RECORD_SNAPSHOTS)
      .where('zone_id', zone.id)
      .whereIn('record_id', ids)
      .delete()
    return Number(gone)
  }

  /** Copies rows into the snapshots, over former ones. Returns their number. */
  async #copy(zone: BackendZone, which: string, ids: number[]): Promise<number> {
    const columns = SNAPSHOT_COLUMNS.join(', ')
    const { records } = this.tables
    const { upsert } = dialectOf(this.trx)
    const result: unknown = await this.trx.rawQuery(
      `INSERT INTO ${RECORD_SNAPSHOTS} (zone_id, record_id, ${columns})
       SELECT domain_id, id, ${columns} FROM ${records}
       WHERE domain_id = ? AND ${isRecord(records)} AND ${which}
       ${upsert(['zone_id', 'record_id'], SNAPSHOT_COLUMNS)}`,
      [zone.id, ...ids]
    )
    return rowsWritten(result)
  }
}

/** The number of written rows in the result of each driver. */
function rowsWritten(result: unknown): number {
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
