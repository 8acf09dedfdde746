import { dialectOf } from '#database/dialects/dialect_of'
import { foldCase } from '#dns/names'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { mapYielding } from '#database/event_loop'
import { recordType } from '#dns/records/registry'
import type { Metadata } from '#dns/metadata/metadata'
import type { RecordId, RRset } from '#dns/types'
import type {
  BackendZone,
  NamedZone,
  ExternalCheckBounds,
  StoredRecord,
  NonRecordData,
} from '#backends/contract/backend'
import { namesBelow } from '#backends/sql/descendants'
import { gatherMetadata, metadataRows } from '#backends/sql/metadata_rows'
import {
  DOMAIN_COLUMNS,
  RECORD_COLUMNS,
  rrsetsOfRows,
  recordFromRow,
  zoneFromRow,
  type DomainRow,
  type RecordRow,
} from '#backends/sql/rows'
import { atNames, nameCondition, nameBindings, withIds } from '#backends/sql/row_lookup'
import { POWERDNS_TABLES, memoizeByTables, type ZoneTables } from '#backends/sql/tables'
import { CHUNK_SIZE, chunks } from '#database/statements/chunks'
import { PreparedStatement } from '#database/statements/prepared'
import { hasExternalChangesCached } from '#backends/sql/snapshots/cached_external_check'
import {
  differsFromMetadataSnapshot,
  differsFromSnapshots,
} from '#backends/sql/snapshots/external_check'

/** Above this many names, one pass over the delegations of a zone is cheaper than many small reads. */
const MAX_SEPARATE_NAMES = 2_000

/** Not IS NOT NULL, which a planner could use for a lookup; '' is the root. */
const HAS_NAME_CONDITION = "coalesce(name, '-') <> '-'"

const statements = memoizeByTables(({ zones, records }) => {
  const zone = `select ${DOMAIN_COLUMNS.join(', ')} from ${zones}`
  // The conditions of `records` and of row_lookup.ts.
  const inZone = `select ${RECORD_COLUMNS.join(', ')} from ${records} where type is not null and ${HAS_NAME_CONDITION} and +domain_id = ?`
  return {
    zoneById: new PreparedStatement<DomainRow>(`${zone} where id = ?`),
    zoneByName: new PreparedStatement<DomainRow>(`${zone} where name = ?`),
    recordById: new PreparedStatement<RecordRow>(`${inZone} and id = ?`),
    recordsAtName: new PreparedStatement<RecordRow>(
      (dialect) => `${inZone} and ${nameCondition(dialect, 1)} order by id`
    ),
  }
})

/** The row that a record id names: a positive decimal number, written in the one way there is. */
export function parseRowId(id: RecordId): number | null {
  const number = Number(id)
  return /^[1-9]\d*$/.test(String(id)) && Number.isSafeInteger(number) ? number : null
}

/** Reads tables of PowerDNS' shape through one client: the pool, or a transaction. */
export class SqlReader {
  constructor(
    protected readonly client: QueryClientContract,
    protected readonly tables: ZoneTables = POWERDNS_TABLES
  ) {}

  async findZone(id: number): Promise<BackendZone | null> {
    if (!Number.isInteger(id) || id < 1 || id > 2147483647) {
      return null
    }
    const [row] = await statements(this.tables).zoneById.rows(this.client, [id])
    return row ? zoneFromRow(row) : null
  }

  async findZoneByName(name: string): Promise<BackendZone | null> {
    const [row] = await statements(this.tables).zoneByName.rows(this.client, [name])
    return row ? zoneFromRow(row) : null
  }

  async findRecord(zone: BackendZone, id: RecordId): Promise<StoredRecord | null> {
    const number = parseRowId(id)
    if (number === null) {
      return null
    }
    const [row] = await statements(this.tables).recordById.rows(this.client, [zone.id, number])
    return row ? recordFromRow(row, zone.name) : null
  }

  async findRecords(zone: BackendZone, ids: RecordId[]): Promise<StoredRecord[]> {
    const numbers = new Set(ids.map(parseRowId).filter((number) => number !== null))
    const records: StoredRecord[] = []
    for (const part of chunks([...numbers])) {
      const rows = await this.records(zone).whereIn('id', part)
      records.push(...rows.map((row) => recordFromRow(row, zone.name)))
    }
    return records
  }

  async rrsetsAt(zone: NamedZone, names: string[]): Promise<RRset[]> {
    const rows =
      names.length === 1
        ? await statements(this.tables).recordsAtName.rows(this.client, [
            zone.id,
            ...nameBindings(dialectOf(this.client), names),
          ])
        : await this.rowsAt(zone, names)
    return rrsetsOfRows(rows, zone.name)
  }

  hasOutsideChanges(zone: BackendZone, bounds?: ExternalCheckBounds): Promise<boolean> {
    const { client, tables } = this
    return bounds?.allowsCached
      ? hasExternalChangesCached(client, tables, zone)
      : differsFromSnapshots(client, tables, zone, bounds)
  }

  /** Whether the metadata of the zone differs from its snapshot. */
  hasExternalMetadataChange(zone: BackendZone, metadata: Metadata): Promise<boolean> {
    return differsFromMetadataSnapshot(this.client, zone, metadata)
  }

  async allRRsets(zone: BackendZone): Promise<RRset[]> {
    const rows = await this.records(zone).orderBy([
      { column: 'type' },
      { column: 'name' },
      { column: 'id' },
    ])
    return rrsetsOfRows(rows, zone.name)
  }

  async rrsetsPointingTo(zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]> {
    if (types.length === 0 || targets.length === 0) {
      return []
    }
    const rows = this.records(zone).whereIn('type', types)
    if (targets.length <= CHUNK_SIZE) {
      // Contents with other fields than the target (SRV) are checked below.
      const singleFieldTypes = types.filter((type) => recordType(type)?.fields.length === 1)
      const spellings = targets.flatMap((target) => [target, `${target}.`])
      rows.where((query) => {
        query.whereNotIn('type', singleFieldTypes).orWhereIn('content', spellings)
      })
    }
    const wanted = new Set(targets)
    const pointsToTarget = ({ type, content }: StoredRecord) =>
      recordType(type)
        ?.targets(content)
        .some((target) => wanted.has(target)) ?? false
    const candidates = await rows
    const records = await mapYielding(candidates, (row) => recordFromRow(row, zone.name))
    const names = new Set(records.filter(pointsToTarget).map((record) => record.name))
    const sets = await this.rrsetsAt(zone, [...names])
    return sets.filter((set) => types.includes(set.type))
  }

  async cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    const onlyCuts = (rows: DatabaseQueryBuilderContract<RecordRow>) =>
      rows.whereIn('type', ['NS', 'DNAME']).orderBy('id')
    const wanted = new Set(names)
    const parts = wanted.size > MAX_SEPARATE_NAMES ? [null] : chunks([...wanted])
    const sets: RRset[] = []
    for (const part of parts) {
      const rows = await onlyCuts(part ? this.recordsAt(zone, part) : this.records(zone))
      const found = await rrsetsOfRows(rows, zone.name)
      sets.push(...found.filter((set) => wanted.has(set.name)))
    }
    return sets
  }

  namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]> {
    return namesBelow(this.client, this.tables, zone, names, limit)
  }

  async aliasesAmong(names: string[], exceptZoneId: number): Promise<string[]> {
    const found = new Set<string>()
    for (const part of chunks([...new Set(names)])) {
      const rows = (await this.client
        .from(this.tables.records)
        .whereIn('name', part)
        .where('type', 'CNAME')
        .where('disabled', false)
        .whereNot('domain_id', exceptZoneId)
        .distinct('name')) as { name: string }[]
      rows.forEach(({ name }) => found.add(foldCase(name)))
    }
    return [...found]
  }

  async zonesHolding(name: string, exceptZoneId?: number): Promise<string[]> {
    const { zones, records } = this.tables
    const query = this.client
      .from(records)
      .join(zones, `${zones}.id`, `${records}.domain_id`)
      .where(`${records}.name`, name)
      .whereNotIn(`${records}.type`, ['NS', 'DS'])
      .select(`${zones}.name as zone_name`)
    if (exceptZoneId !== undefined) {
      query.whereNot(`${records}.domain_id`, exceptZoneId)
    }
    const rows = (await query) as { zone_name: string }[]
    return [...new Set(rows.map((row) => row.zone_name))]
  }

  async metadataOf(zone: BackendZone): Promise<Metadata> {
    const rows = await metadataRows(this.client, this.tables, zone)
    const folded = rows.map(({ kind, ...row }) => ({ ...row, kind: kind.toUpperCase() }))
    const byKind = Object.entries(gatherMetadata(folded))
    return Object.fromEntries(byKind.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  async misspeltKinds(zone: BackendZone): Promise<string[]> {
    const rows = await metadataRows(this.client, this.tables, zone)
    return rows
      .map(({ kind }) => kind)
      .filter((kind) => kind !== kind.toUpperCase())
      .map((kind) => kind.toUpperCase())
  }

  async signedZones(after: number, limit: number): Promise<BackendZone[]> {
    const { zones, metadata, keys } = this.tables
    const rows: DomainRow[] = await this.client
      .from(zones)
      .where('id', '>', after)
      .whereNotIn('type', ['SLAVE', 'CONSUMER'])
      .whereExists((active) => {
        active.from(keys).whereColumn('domain_id', `${zones}.id`).where('active', true)
      })
      .whereNotExists((presigned) => {
        presigned
          .from(metadata)
          .whereColumn('domain_id', `${zones}.id`)
          .where({ kind: 'PRESIGNED', content: '1' })
      })
      .orderBy('id')
      .limit(limit)
      .select(DOMAIN_COLUMNS)
    return rows.map(zoneFromRow)
  }

  async nonRecordData(zone: BackendZone): Promise<NonRecordData> {
    const metadata = gatherMetadata(await metadataRows(this.client, this.tables, zone))
    const comments: {
      name: string
      type: string
      modified_at: number | string
      account: string | null
      comment: string
    }[] = await this.client.from(this.tables.comments).where('domain_id', zone.id).orderBy('id')
    return {
      metadata,
      comments: comments.map((row) => ({
        name: row.name,
        type: row.type,
        modifiedAt: Number(row.modified_at),
        account: row.account ?? '',
        comment: row.comment,
      })),
    }
  }

  async recordsByIds(ids: number[]): Promise<Map<RecordId, StoredRecord>> {
    const { zones, records: table } = this.tables
    const records = new Map<RecordId, StoredRecord>()
    for (const part of chunks(ids)) {
      const rows = (await this.client
        .from(table)
        .join(zones, `${zones}.id`, `${table}.domain_id`)
        .whereIn(`${table}.id`, part)
        .whereNotNull(`${table}.type`)
        .whereNotNull(`${table}.name`)
        .select(`${zones}.name as apex`)
        .select(RECORD_COLUMNS.map((column) => `${table}.${column}`))) as (RecordRow & {
        apex: string
      })[]
      rows.forEach(({ apex, ...row }) =>
        records.set(Number(row.id), recordFromRow(row, foldCase(apex)))
      )
    }
    return records
  }

  /** The record rows at these owner names; those of one name by their ids. */
  protected async rowsAt(zone: NamedZone, names: string[]): Promise<RecordRow[]> {
    const rows: RecordRow[] = []
    for (const part of chunks([...new Set(names)])) {
      rows.push(...(await this.recordsAt(zone, part).orderBy('id')))
    }
    return rows
  }

  /** Records of the zone at some owner names. */
  protected recordsAt(zone: NamedZone, names: string[]) {
    return atNames(this.#allRecords(), zone.id, names)
  }

  /**
   * Records of the zone. Empty non-terminals (no type) are PowerDNS' bookkeeping, not records; nor is a row
   * without a name, which the tables allow and no name server finds.
   */
  protected records(zone: BackendZone) {
    return this.#allRecords().where('domain_id', zone.id)
  }

  /** Records with some of these ids. */
  protected recordsWithIds(zone: BackendZone, ids: number[]) {
    return withIds(this.#allRecords(), zone.id, ids)
  }

  #allRecords() {
    return this.client
      .from(this.tables.records)
      .select(RECORD_COLUMNS)
      .whereNotNull('type')
      .whereRaw(HAS_NAME_CONDITION) as DatabaseQueryBuilderContract<RecordRow>
  }
}
