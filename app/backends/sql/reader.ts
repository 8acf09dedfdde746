import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { RecordId, RRset } from '#dns/types'
import type { BackendZone, RecordQuery, StoredRecord, ZoneBelongings } from '#backends/contract'
import {
  DOMAIN_COLUMNS,
  RECORD_COLUMNS,
  gatherRRsets,
  recordFromRow,
  zoneFromRow,
  type DomainRow,
  type RecordRow,
} from '#backends/sql/rows'

/** Owner names asked for in one statement; the databases limit the number of bound values. */
export const CHUNK = 500

/** Splits a list for statements with one bound value (or row) an item. */
export function chunks<T>(items: T[], size: number = CHUNK): T[][] {
  const parts: T[][] = []
  for (let i = 0; i < items.length; i += size) {
    parts.push(items.slice(i, i + size))
  }
  return parts
}

/** The row that a record id names: a positive decimal number, written in the one way there is. */
export function rowId(id: RecordId): number | null {
  const number = Number(id)
  return /^[1-9]\d*$/.test(String(id)) && Number.isSafeInteger(number) ? number : null
}

/** Reads PowerDNS' tables through one client: the pool, or a transaction. */
export class SqlReader {
  constructor(protected readonly client: QueryClientContract) {}

  async findZone(id: number): Promise<BackendZone | null> {
    if (!Number.isInteger(id) || id < 1 || id > 2147483647) {
      return null
    }
    const row = await this.domains().where('id', id).first()
    return row ? zoneFromRow(row) : null
  }

  async findZoneByName(name: string): Promise<BackendZone | null> {
    const row = await this.domains().where('name', name).first()
    return row ? zoneFromRow(row) : null
  }

  async findRecord(zone: BackendZone, id: RecordId): Promise<StoredRecord | null> {
    const number = rowId(id)
    if (number === null) {
      return null
    }
    const row = await this.records(zone).where('id', number).first()
    return row ? recordFromRow(row, zone.name) : null
  }

  async listRecords(
    zone: BackendZone,
    query: RecordQuery
  ): Promise<{ records: StoredRecord[]; total: number }> {
    const rows = this.records(zone).orderBy([
      { column: 'type' },
      { column: 'name' },
      { column: 'id' },
    ])
    if (query.type !== undefined) {
      rows.where('type', query.type.toUpperCase())
    }
    if (query.limit === undefined) {
      const all = await rows
      const records = all.map((row) => recordFromRow(row, zone.name))
      return { records, total: records.length }
    }
    const counting = this.records(zone).clearSelect().count('* as total')
    if (query.type !== undefined) {
      counting.where('type', query.type.toUpperCase())
    }
    const [count] = (await counting) as unknown as { total: number | string }[]
    const window = await rows.offset(query.offset ?? 0).limit(query.limit)
    return {
      records: window.map((row) => recordFromRow(row, zone.name)),
      total: Number(count.total),
    }
  }

  async rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    const sets: RRset[] = []
    for (const part of chunks([...new Set(names)])) {
      const rows = await this.records(zone).whereIn('name', part).orderBy('id')
      sets.push(...gatherRRsets(rows.map((row) => recordFromRow(row, zone.name))))
    }
    return sets
  }

  async allRRsets(zone: BackendZone): Promise<RRset[]> {
    const { records } = await this.listRecords(zone, {})
    return gatherRRsets(records)
  }

  async rrsetsPointingTo(zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]> {
    const spellings = targets.flatMap((target) => [target, `${target}.`])
    if (types.length === 0 || spellings.length === 0) {
      return []
    }
    const rows = await this.records(zone).whereIn('type', types).whereIn('content', spellings)
    const names = [...new Set(rows.map((row) => row.name))]
    const sets = await this.rrsetsAt(zone, names)
    return sets.filter((set) => types.includes(set.type))
  }

  async zonesHolding(name: string, exceptZoneId?: number): Promise<string[]> {
    const query = this.client
      .from('records')
      .join('domains', 'domains.id', 'records.domain_id')
      .where('records.name', name)
      .whereNotIn('records.type', ['NS', 'DS'])
      .select('domains.name as zone_name')
    if (exceptZoneId !== undefined) {
      query.whereNot('records.domain_id', exceptZoneId)
    }
    const rows = (await query) as { zone_name: string }[]
    return [...new Set(rows.map((row) => row.zone_name))]
  }

  async belongings(zone: BackendZone): Promise<ZoneBelongings> {
    const kinds: { kind: string; content: string | null }[] = await this.client
      .from('domainmetadata')
      .where('domain_id', zone.id)
      .orderBy('id')
    const metadata: Record<string, string[]> = {}
    for (const { kind, content } of kinds) {
      metadata[kind] = [...(metadata[kind] ?? []), content ?? '']
    }
    const comments: {
      name: string
      type: string
      modified_at: number
      account: string | null
      comment: string
    }[] = await this.client.from('comments').where('domain_id', zone.id).orderBy('id')
    return {
      metadata,
      comments: comments.map((row) => ({
        name: row.name,
        type: row.type,
        modifiedAt: row.modified_at,
        account: row.account ?? '',
        comment: row.comment,
      })),
    }
  }

  protected domains() {
    return this.client
      .from('domains')
      .select(DOMAIN_COLUMNS) as DatabaseQueryBuilderContract<DomainRow>
  }

  /** Records of the zone. Empty non-terminals (no type) are PowerDNS' bookkeeping, not records. */
  protected records(zone: BackendZone) {
    return this.client
      .from('records')
      .select(RECORD_COLUMNS)
      .where('domain_id', zone.id)
      .whereNotNull('type') as DatabaseQueryBuilderContract<RecordRow>
  }
}
