import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { InvalidDns } from '#dns/errors'
import { recordType } from '#dns/records/registry'
import type { RRsetChange } from '#dns/types'
import type { BackendZone, NewZone, ZonePatch } from '#backends/contract'
import { ZoneExists } from '#backends/errors'
import type { WriteSession } from '#backends/write_session'
import { AuthorityKeeper } from '#backends/sql/authority_keeper'
import { isUniqueViolation } from '#database/conflicts'
import { SqlReader, chunks, rowId } from '#backends/sql/reader'
import { DOMAIN_COLUMNS, recordFromRow, storedForm, zoneFromRow } from '#backends/sql/rows'
import type { DomainRow, RecordRow } from '#backends/sql/rows'

const MAX_NAME = 253
/** Rows of one statement that works on a whole zone. */
const RANGE = 5_000
/** The shortest of the three databases: PowerDNS' schema for MariaDB. */
const MAX_CONTENT = 64_000

/** The columns of a record that this product decides; PowerDNS' bookkeeping is the authority keeper's. */
interface RecordValues {
  name: string
  type: string
  content: string
  ttl: number
  priority: number
  disabled: boolean
}

/** A write on PowerDNS' tables, inside one transaction of the product's database. */
export class SqlWriteSession extends SqlReader implements WriteSession {
  readonly #authority: AuthorityKeeper

  constructor(readonly transaction: TransactionClientContract) {
    super(transaction)
    this.#authority = new AuthorityKeeper(transaction)
  }

  async lockZones(ids: number[]): Promise<Map<number, BackendZone>> {
    const wanted = ids.filter((id) => Number.isInteger(id) && id > 0 && id <= 2147483647)
    if (this.transaction.dialect.name === 'better-sqlite3') {
      // The first statement of the transaction: it takes SQLite's one write lock before anything is
      // read, so that no other writer can come between reading and writing.
      await this.transaction
        .from('domains')
        .whereIn('id', [0, ...wanted])
        .update({ id: this.transaction.raw('id') })
    }
    const query = this.transaction
      .from('domains')
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
      ...(await this.#fixedId()),
      name: zone.name,
      type: zone.kind,
      master: zone.masters.length > 0 ? zone.masters.join(',') : null,
      account: zone.account,
    }
    await this.#claimName(zone.name, () => this.transaction.table('domains').insert(values))
    const created = await this.findZoneByName(zone.name)
    if (!created) {
      throw new Error(`Zone '${zone.name}' is missing right after it was written`)
    }
    const metadata = Object.entries(zone.metadata).flatMap(([kind, contents]) =>
      contents.map((content) => ({ domain_id: created.id, kind, content }))
    )
    if (metadata.length > 0) {
      await this.transaction.table('domainmetadata').multiInsert(metadata)
    }
    return created
  }

  async updateZone(zone: BackendZone, patch: ZonePatch): Promise<BackendZone> {
    const next = { ...zone, ...patch }
    await this.transaction
      .from('domains')
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
      .from('records')
      .where('domain_id', zone.id)
      .orderByRaw('length(name) desc')
      .select('name')
      .first()
    if (longest && longest.name.length - zone.name.length + name.length > MAX_NAME) {
      const allowed = `a name by which '${longest.name}' stays within ${MAX_NAME} characters`
      throw new InvalidDns('name', name, allowed)
    }
    await this.#claimName(name, () =>
      this.transaction.from('domains').where('id', zone.id).update({ name })
    )
    const kept = 'substr(name, 1, length(name) - ?)'
    const joined = this.transaction.dialect.name === 'mysql' ? `concat(${kept}, ?)` : `${kept} || ?`
    const moved = this.transaction.raw(joined, [zone.name.length, name])
    for (const table of ['records', 'comments']) {
      await this.#inRanges(table, zone, async (rows) => {
        await rows().whereRaw("name LIKE ? ESCAPE '!'", [suffix]).update({ name: moved })
        await rows().where('name', zone.name).update({ name })
      })
    }
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
    for (const table of ['records', 'comments', 'domainmetadata', 'cryptokeys']) {
      await this.#inRanges(table, zone, (rows) => rows().delete())
    }
    await this.transaction.from('domains').where('id', zone.id).delete()
  }

  async applyRRsets(zone: BackendZone, changes: RRsetChange[]): Promise<RRsetChange[]> {
    if (changes.length === 0) {
      return []
    }
    const names = [...new Set(changes.map((change) => change.name))]
    const rows = await this.#rowsToChange(zone, changes, names)
    const free = new Map(rows.map((row) => [Number(row.id), row]))
    const inserts: ReturnType<typeof insertOf>[] = []

    const wanted = changes.flatMap(({ after }) =>
      after ? after.records.map((record) => ({ set: after, record })) : []
    )
    // Records that name their row take it first: another one must not be matched with it by content.
    wanted.sort((a, b) => Number(b.record.id !== undefined) - Number(a.record.id !== undefined))
    for (const { set, record } of wanted) {
      if (record.content.length > MAX_CONTENT) {
        throw new InvalidDns('content', record.content, `at most ${MAX_CONTENT} characters`)
      }
      const values: RecordValues = {
        name: set.name,
        type: set.type,
        content: record.content,
        ttl: set.ttl,
        priority: recordType(set.type)?.priority === false ? 0 : record.priority,
        disabled: record.disabled,
      }
      const row = takeRow(free, values, record.id, zone.name)
      if (!row) {
        inserts.push(insertOf(zone, values))
      } else if (isDifferent(row, values, zone.name)) {
        await this.transaction.from('records').where('id', row.id).update(columnsOf(values))
      }
    }
    for (const part of chunks([...free.keys()])) {
      await this.transaction.from('records').whereIn('id', part).delete()
    }
    for (const part of chunks(inserts)) {
      await this.transaction.table('records').multiInsert(part)
    }
    await this.#authority.afterChanges(zone, changes)

    const stored = await this.rrsetsAt(zone, names)
    const now = new Map(stored.map((set) => [`${set.name} ${set.type}`, set]))
    return changes.map((change) => ({
      ...change,
      after: now.get(`${change.name} ${change.type}`) ?? null,
    }))
  }

  /** Rows of the changed RRsets, and rows elsewhere that a record of `after` names by its id. */
  async #rowsToChange(
    zone: BackendZone,
    changes: RRsetChange[],
    names: string[]
  ): Promise<RecordRow[]> {
    const keys = new Set(changes.map((change) => `${change.name} ${change.type}`))
    const rows = new Map<number, RecordRow>()
    for (const part of chunks(names)) {
      const found = await this.records(zone).whereIn('name', part)
      for (const row of found.filter((candidate) => keys.has(keyOf(candidate)))) {
        rows.set(Number(row.id), row)
      }
    }
    const named = changes.flatMap(({ before, after }) =>
      [before, after].flatMap((set) => set?.records.map((record) => record.id) ?? [])
    )
    const missing = named.flatMap((id) => {
      const number = id === undefined ? null : rowId(id)
      return number === null || rows.has(number) ? [] : [number]
    })
    for (const part of chunks(missing)) {
      const found = await this.records(zone).whereIn('id', part)
      found.forEach((row) => rows.set(Number(row.id), row))
    }
    return [...rows.values()]
  }

  /**
   * Does something to all rows of a zone, some thousands at a time: no single statement takes so long that
   * the database seems lost, however large the zone is.
   */
  async #inRanges(
    table: string,
    zone: BackendZone,
    work: (rows: () => DatabaseQueryBuilderContract) => Promise<unknown>
  ): Promise<void> {
    const rows = () => this.transaction.from(table).where('domain_id', zone.id)
    for (let last = 0; ;) {
      const ids = (await rows().where('id', '>', last).orderBy('id').limit(RANGE).select('id')) as {
        id: number | string
      }[]
      if (ids.length === 0) {
        return
      }
      const first = Number(ids[0].id)
      last = Number(ids[ids.length - 1].id)
      await work(() => rows().whereBetween('id', [first, last]))
    }
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
   * remembers an id must not reach another zone by it, so the id comes from beyond all that ever were.
   */
  async #fixedId(): Promise<{ id?: number }> {
    if (this.transaction.dialect.name !== 'better-sqlite3') {
      return {}
    }
    const tables = [
      ['domains', 'id'],
      ['zw_journal', 'zone_id'],
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

/** The columns of a record as PowerDNS wants them. */
function columnsOf({ content, priority, ...values }: RecordValues) {
  return { ...values, ...storedForm(values.type, content, priority) }
}

function insertOf(zone: BackendZone, values: RecordValues) {
  return { domain_id: zone.id, ...columnsOf(values) }
}

function keyOf(row: RecordRow): string {
  return `${row.name.toLowerCase()} ${(row.type ?? '').toUpperCase()}`
}

/** Takes the row that a record stands for: the one it names, else one with the same content. */
function takeRow(
  free: Map<number, RecordRow>,
  values: RecordValues,
  id: number | string | undefined,
  apex: string
): RecordRow | null {
  const named = id === undefined ? undefined : free.get(Number(id))
  const same =
    named ??
    [...free.values()].find((row) => {
      if (keyOf(row) !== `${values.name} ${values.type}`) {
        return false
      }
      const stored = recordFromRow(row, apex)
      return stored.content === values.content && (stored.priority ?? 0) === values.priority
    })
  if (!same) {
    return null
  }
  free.delete(Number(same.id))
  return same
}

function isDifferent(row: RecordRow, values: RecordValues, apex: string): boolean {
  const stored = recordFromRow(row, apex)
  return (
    row.name !== values.name ||
    row.type !== values.type ||
    stored.content !== values.content ||
    stored.ttl !== values.ttl ||
    (stored.priority ?? 0) !== values.priority ||
    stored.disabled !== values.disabled
  )
}
