import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type {
  BackendZone,
  NewZone,
  ZoneKey,
  ZonePatch,
  RestoredZoneData,
} from '#backends/contract/backend'
import { ZoneExists } from '#backends/contract/errors'
import { domainTable, forEachRange } from '#backends/sql/id_ranges'
import type { SqlReader } from '#backends/sql/reader'
import { DOMAIN_COLUMNS, zoneFromRow, type DomainRow } from '#backends/sql/rows'
import { SNAPSHOT_RANGES } from '#backends/sql/snapshots/record_snapshots'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'
import { isUniqueViolation } from '#database/conflicts'
import { isRowId } from '#database/rows/row_ids'
import { enqueueTextRange } from '#database/trigram_index/pending'
import { InvalidDns } from '#dns/errors'
import { dialectOf } from '#database/dialects/dialect_of'

const MAX_NAME_CHARACTERS = 253

interface KeyRow {
  flags: number
  active: boolean | number | null
  published?: boolean | number | null
  content: string | null
}

/** Rows of zones and all data of a zone, in tables with the schema of PowerDNS, in one transaction. */
export class ZoneRows {
  constructor(
    private readonly transaction: TransactionClientContract,
    private readonly tables: ZoneTables,
    private readonly reader: Pick<SqlReader, 'findZone' | 'findZoneByName'>
  ) {}

  /** Locks zones until the transaction ends. Missing zones are not in the result. */
  async lock(ids: number[]): Promise<Map<number, BackendZone>> {
    const validIds = ids.filter((id) => isRowId(id))
    const { locksDatabase } = dialectOf(this.transaction)
    if (locksDatabase) {
      // The first statement of the transaction takes the write lock: no other writer can commit between
      // reading and writing. It matches no row: for the row of a zone, SQLite would check all records
      // that refer to it.
      await this.transaction
        .from(this.tables.zones)
        .where('id', 0)
        .update({ id: this.transaction.raw('id') })
    }
    const query = this.transaction
      .from(this.tables.zones)
      .select(DOMAIN_COLUMNS)
      .whereIn('id', validIds)
      .orderBy('id')
    if (!locksDatabase) {
      query.forUpdate()
    }
    const rows: DomainRow[] = validIds.length > 0 ? await query : []
    return new Map(rows.map((row) => [Number(row.id), zoneFromRow(row)]))
  }

  /** Creates the row of a zone, with this id if given. Throws `ZoneExists`. */
  async create(zone: NewZone, id: { id?: number }): Promise<BackendZone> {
    const values = {
      ...id,
      name: zone.name,
      type: zone.kind,
      master: zone.masters.length > 0 ? zone.masters.join(',') : null,
      account: zone.account,
    }
    await this.#claimName(zone.name, () => this.transaction.table(this.tables.zones).insert(values))
    const created = await this.reader.findZoneByName(zone.name)
    if (!created) {
      throw new Error(`Zone '${zone.name}' is missing right after the write`)
    }
    return created
  }

  /** The DNSSEC keys of a zone, with their private parts. */
  async keysOf(zone: BackendZone): Promise<ZoneKey[]> {
    const rows: KeyRow[] = await this.transaction
      .from(this.tables.keys)
      .where('domain_id', zone.id)
      .orderBy('id')
    return rows.map(({ flags, active, published, content }) => ({
      flags,
      active: Boolean(active),
      // PowerDNS before 4.3 has no such column, and publishes every key.
      published: published === undefined || Boolean(published),
      content: content ?? '',
    }))
  }

  /** Inserts the comments and keys of a restored zone. */
  async restoreData(zone: BackendZone, { comments, keys }: RestoredZoneData): Promise<void> {
    const commentRows = comments.map(({ modifiedAt, ...comment }) => ({
      domain_id: zone.id,
      modified_at: modifiedAt,
      ...comment,
    }))
    for (const part of chunks(commentRows)) {
      await this.transaction.table(this.tables.comments).multiInsert(part)
    }
    if (keys.length > 0) {
      const keyRows = keys.map((key) => ({ domain_id: zone.id, ...key }))
      await this.transaction.table(this.tables.keys).multiInsert(keyRows)
    }
  }

  async update(zone: BackendZone, patch: ZonePatch): Promise<BackendZone> {
    const next = { ...zone, ...patch }
    await this.transaction
      .from(this.tables.zones)
      .where('id', zone.id)
      .update({
        type: next.kind,
        master: next.masters.length > 0 ? next.masters.join(',') : null,
        account: next.account,
      })
    return next
  }

  /** Renames a zone, with all rows of its names. Throws `ZoneExists`, and `InvalidDns` where names get too long. */
  async rename(zone: BackendZone, name: string): Promise<BackendZone> {
    const suffix = `%.${zone.name.replace(/[!%_]/g, '!$&')}`
    const longest: { name: string } | null = await this.transaction
      .from(this.tables.records)
      .where('domain_id', zone.id)
      .orderByRaw('length(name) desc')
      .select('name')
      .first()
    if (longest && longest.name.length - zone.name.length + name.length > MAX_NAME_CHARACTERS) {
      const allowed = `a name with which '${longest.name}' has at most ${MAX_NAME_CHARACTERS} characters`
      throw new InvalidDns('name', name, allowed)
    }
    await this.#claimName(name, () =>
      this.transaction.from(this.tables.zones).where('id', zone.id).update({ name })
    )
    const { concat, length } = dialectOf(this.transaction)
    const labels = `substr(name, 1, ${length('name')} - ?)`
    const renamedName = this.transaction.raw(concat(labels, '?'), [zone.name.length, name])
    const { records, comments, texts } = this.tables
    for (const table of [domainTable(records), domainTable(comments), SNAPSHOT_RANGES]) {
      await forEachRange(this.transaction, table, zone.id, async (rows, range) => {
        await rows().whereRaw("name LIKE ? ESCAPE '!'", [suffix]).update({ name: renamedName })
        await rows().where('name', zone.name).update({ name })
        if (table.table === texts.table) {
          await enqueueTextRange(this.transaction, texts, range)
        }
      })
    }
    return { ...zone, name }
  }

  /** Deletes a zone, and all rows that belong to it. */
  async delete(zone: BackendZone): Promise<void> {
    // MariaDB installations of PowerDNS have no foreign keys: nothing is left to a cascade.
    const { records, comments, metadata, keys } = this.tables
    for (const table of [records, comments, metadata, keys]) {
      const rowsOfZone = domainTable(table)
      await forEachRange(this.transaction, rowsOfZone, zone.id, (rows) => rows().delete())
    }
    await this.transaction.from(this.tables.zones).where('id', zone.id).delete()
  }

  /** Runs a write that claims a zone name. Throws `ZoneExists` if it is taken. */
  async #claimName(name: string, write: () => Promise<unknown>): Promise<void> {
    if (await this.reader.findZoneByName(name)) {
      throw new ZoneExists(name)
    }
    try {
      await write()
    } catch (error) {
      throw isUniqueViolation(error) ? new ZoneExists(name) : error
    }
  }

  /**
   * Tables of PowerDNS' schema on SQLite reuse the id of a deleted zone. A script with a stored id must not reach another
   * zone, so the id is above all former ones. A restored zone gets its former id if it is free.
   */
  async chooseId(formerId?: number): Promise<{ id?: number }> {
    if (formerId !== undefined && !(await this.reader.findZone(formerId))) {
      return { id: formerId }
    }
    if (!dialectOf(this.transaction).reusesIds) {
      return {}
    }
    const tables = [
      [this.tables.zones, 'id'],
      ['zw_journal', 'zone_id'],
      // Rows of zones that other tools deleted.
      ['zw_zones', 'id'],
    ]
    const highest = await Promise.all(
      tables.map(async ([table, column]) => {
        const [row] = await this.transaction.from(table).max(`${column} as highest`)
        return Number(row.highest ?? 0)
      })
    )
    return { id: Math.max(...highest) + 1 }
  }
}
