import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { InvalidDns } from '#dns/errors'
import { recordType } from '#dns/records/registry'
import { metadataKind, type Metadata } from '#dns/metadata/metadata'
import type { RRset, RRsetChange } from '#dns/types'
import type {
  BackendZone,
  NamedZone,
  NewZone,
  ZoneKey,
  ZonePatch,
  ZoneRevival,
} from '#backends/contract'
import { ZoneExists } from '#backends/errors'
import type { WriteSession } from '#backends/write_session'
import { AuthorityKeeper } from '#backends/sql/authority_keeper'
import { isUniqueViolation } from '#database/conflicts'
import { metadataRows } from '#backends/sql/metadata_rows'
import { NamedRows, isRecordRow } from '#backends/sql/named_rows'
import { OutsideChanges } from '#backends/sql/outside_changes'
import { belongingTable, inRanges } from '#backends/sql/ranges'
import { SqlReader, rowId } from '#backends/sql/reader'
import { POWERDNS_TABLES, type ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/chunks'
import { DOMAIN_COLUMNS, gatherRRsets, recordFromRow, zoneFromRow } from '#backends/sql/rows'
import type { DomainRow, RecordRow } from '#backends/sql/rows'
import {
  FreeRows,
  differenceOf,
  insertOf,
  keyOf,
  columnsOf,
  rowsOfInserts,
} from '#backends/sql/record_values'
import type { Insert, RecordValues } from '#backends/sql/record_values'
import { noteTextRange, noteTexts } from '#database/text_index/pending'
import { SEEN_RANGES, SeenRecords, type WrittenRows } from '#backends/sql/seen_records'

const MAX_NAME = 253
/** The shortest of the three databases: PowerDNS' schema for MariaDB. */
const MAX_CONTENT = 64_000

interface KeyRow {
  flags: number
  active: boolean | number | null
  published?: boolean | number | null
  content: string | null
}

/** A write on tables of PowerDNS' shape, inside one transaction of the product's database. */
export class SqlWriteSession extends SqlReader implements WriteSession {
  readonly #authority: AuthorityKeeper
  readonly #seen: SeenRecords
  readonly #named: NamedRows

  /**
   * @param keepsRows whether rows that were read are kept for the next question: only where nobody but this
   *   session writes records in its transaction
   */
  constructor(
    readonly transaction: TransactionClientContract,
    tables: ZoneTables = POWERDNS_TABLES,
    keepsRows = false
  ) {
    super(transaction, tables)
    this.#named = new NamedRows(transaction, tables, keepsRows)
    this.#authority = new AuthorityKeeper(transaction, tables, this.#named)
    this.#seen = new SeenRecords(transaction, tables)
  }

  takeOutsideChanges(zone: BackendZone, names?: string[]): Promise<RRsetChange[]> {
    const { transaction, tables } = this
    return new OutsideChanges(transaction, tables, this.#seen, this.#named).take(zone, names)
  }

  override async rrsetsAt(zone: NamedZone, names: string[]): Promise<RRset[]> {
    const rows = await this.rowsAt(zone, names)
    return gatherRRsets(rows.map((row) => recordFromRow(row, zone.name)))
  }

  async lockZones(ids: number[]): Promise<Map<number, BackendZone>> {
    const wanted = ids.filter((id) => Number.isInteger(id) && id > 0 && id <= 2147483647)
    if (this.transaction.dialect.name === 'better-sqlite3') {
      // The first statement of the transaction: it takes SQLite's one write lock before anything is
      // read, so that no other writer can come between reading and writing. It matches no row: for a
      // zone's own row SQLite would look at all records that refer to it.
      await this.transaction
        .from(this.tables.zones)
        .where('id', 0)
        .update({ id: this.transaction.raw('id') })
    }
    const query = this.transaction
      .from(this.tables.zones)
      .select(DOMAIN_COLUMNS)
      .whereIn('id', wanted)
      .orderBy('id')
    if (this.transaction.dialect.name !== 'better-sqlite3') {
      query.forUpdate()
    }
    const rows: DomainRow[] = wanted.length > 0 ? await query : []
    return new Map(rows.map((row) => [Number(row.id), zoneFromRow(row)]))
  }

  async createZone(zone: NewZone): Promise<BackendZone> {
    const values = {
      ...(await this.fixedId(zone.revival?.id)),
      name: zone.name,
      type: zone.kind,
      master: zone.masters.length > 0 ? zone.masters.join(',') : null,
      account: zone.account,
    }
    await this.#claimName(zone.name, () => this.transaction.table(this.tables.zones).insert(values))
    const created = await this.findZoneByName(zone.name)
    if (!created) {
      throw new Error(`Zone '${zone.name}' is missing right after it was written`)
    }
    await this.#insertMetadata(created, zone.metadata)
    if (zone.revival) {
      await this.#revive(created, zone.revival)
    }
    await this.#seen.begin(created)
    return created
  }

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

  async #revive(zone: BackendZone, { comments, keys }: ZoneRevival): Promise<void> {
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

  async updateZone(zone: BackendZone, patch: ZonePatch): Promise<BackendZone> {
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

  async renameZone(zone: BackendZone, name: string): Promise<BackendZone> {
    const suffix = `%.${zone.name.replace(/[!%_]/g, '!$&')}`
    const longest: { name: string } | null = await this.transaction
      .from(this.tables.records)
      .where('domain_id', zone.id)
      .orderByRaw('length(name) desc')
      .select('name')
      .first()
    if (longest && longest.name.length - zone.name.length + name.length > MAX_NAME) {
      const allowed = `a name by which '${longest.name}' stays within ${MAX_NAME} characters`
      throw new InvalidDns('name', name, allowed)
    }
    await this.#claimName(name, () =>
      this.transaction.from(this.tables.zones).where('id', zone.id).update({ name })
    )
    const joined =
      this.transaction.dialect.name === 'mysql'
        ? 'concat(substr(name, 1, char_length(name) - ?), ?)'
        : 'substr(name, 1, length(name) - ?) || ?'
    const moved = this.transaction.raw(joined, [zone.name.length, name])
    const { records, comments, texts } = this.tables
    for (const table of [belongingTable(records), belongingTable(comments), SEEN_RANGES]) {
      await inRanges(this.transaction, table, zone.id, async (rows, range) => {
        await rows().whereRaw("name LIKE ? ESCAPE '!'", [suffix]).update({ name: moved })
        await rows().where('name', zone.name).update({ name })
        if (table.table === texts.table) {
          await noteTextRange(this.transaction, texts, range)
        }
      })
    }
    this.#named.forget()
    await this.#seen.renamed(zone, name)
    const renamed = { ...zone, name }
    const denial = await this.#authority.denialOf(renamed)
    if (denial.kind === 'nsec3') {
      // NSEC3 hashes the whole name.
      await this.#authority.wholeZone(renamed, denial)
    }
    return renamed
  }

  async deleteZone(zone: BackendZone): Promise<void> {
    // MariaDB installations of PowerDNS have no foreign keys: nothing is left to a cascade.
    const { records, comments, metadata, keys } = this.tables
    for (const table of [records, comments, metadata, keys]) {
      const rowsOfZone = belongingTable(table)
      await inRanges(this.transaction, rowsOfZone, zone.id, (rows) => rows().delete())
    }
    this.#named.forget()
    await this.#seen.forget(zone.id)
    await this.transaction.from(this.tables.zones).where('id', zone.id).delete()
  }

  async writeMetadata(zone: BackendZone, metadata: Metadata): Promise<void> {
    const rows = await metadataRows(this.transaction, this.tables, zone)
    const gone = rows.filter(({ kind }) => Object.hasOwn(metadata, kind.toUpperCase()))
    for (const part of chunks(gone.map(({ id }) => id))) {
      await this.transaction.from(this.tables.metadata).whereIn('id', part).delete()
    }
    await this.#insertMetadata(zone, metadata)
    const changesDenial = Object.keys(metadata).some((kind) => metadataKind(kind).isDenial)
    const denial = changesDenial ? await this.#authority.denialOf(zone) : null
    if (denial && denial.kind !== 'unsigned') {
      await this.#authority.wholeZone(zone, denial)
    }
  }

  async rectify(zone: BackendZone): Promise<number> {
    return this.#authority.wholeZone(zone, await this.#authority.denialOf(zone))
  }

  async #insertMetadata(zone: BackendZone, metadata: Metadata): Promise<void> {
    const rows = Object.entries(metadata).flatMap(([kind, contents]) =>
      contents.map((content) => ({ domain_id: zone.id, kind, content }))
    )
    for (const part of chunks(rows)) {
      await this.transaction.table(this.tables.metadata).multiInsert(part)
    }
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
    // Records that name their row take it first: another one must not be matched with it by content.
    wanted.sort((a, b) => Number(b.record.id !== undefined) - Number(a.record.id !== undefined))
    for (const { set, record } of wanted) {
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

    const stored = await this.rowsAt(zone, names)
    const inserted = rowsOfInserts(inserts, stored, new Set(rows.map((row) => Number(row.id))))
    await this.noteWritten(zone, { updated, inserted, gone })
    await noteTexts(this.transaction, this.tables.texts, [...updated, ...inserted])
    const sets = gatherRRsets(stored.map((row) => recordFromRow(row, zone.name)))
    const now = new Map(sets.map((set) => [`${set.name} ${set.type}`, set]))
    return changes.map((change) => ({
      ...change,
      after: now.get(`${change.name} ${change.type}`) ?? null,
    }))
  }

  protected override async rowsAt(zone: NamedZone, names: string[]): Promise<RecordRow[]> {
    const rows = await this.#named.at(zone, names)
    return rows.filter(isRecordRow)
  }

  /** Throws `InvalidDns` for what the table cannot hold. */
  protected checkContent(content: string): void {
    if (content.length > MAX_CONTENT) {
      throw new InvalidDns('content', content, `at most ${MAX_CONTENT} characters`)
    }
  }

  /** What this session wrote is known: it is no outside change. */
  protected noteWritten(zone: BackendZone, rows: WrittenRows): Promise<void> {
    return this.#seen.noteWritten(zone, rows)
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

  /** Runs a write that takes a zone name, and says so when the name is taken. */
  async #claimName(name: string, write: () => Promise<unknown>): Promise<void> {
    if (await this.findZoneByName(name)) {
      throw new ZoneExists(name)
    }
    try {
      await write()
    } catch (error) {
      throw isUniqueViolation(error) ? new ZoneExists(name) : error
    }
  }

  /**
   * SQLite tables that PowerDNS' own schema made hand out the id of a deleted zone again. A script that
   * remembers an id must not reach another zone by it, so the id comes from beyond all that ever were. A
   * zone that is brought back gets the id that it had, where it is free.
   */
  protected async fixedId(formerId?: number): Promise<{ id?: number }> {
    if (formerId !== undefined && !(await this.findZone(formerId))) {
      return { id: formerId }
    }
    if (this.transaction.dialect.name !== 'better-sqlite3') {
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
