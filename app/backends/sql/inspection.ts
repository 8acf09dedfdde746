import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { InspectedZone, Inspection, StrayRecord } from '#backends/contract/inspection'
import type { ZoneTables } from '#backends/sql/tables'
import { DOMAIN_COLUMNS, zoneFromRow, type DomainRow, type RecordRow } from '#backends/sql/rows'
import { chunks } from '#database/statements/chunks'

/** A record with the zone id of its row. */
type StrayRow = Pick<RecordRow, 'id' | 'type' | 'ttl' | 'prio' | 'disabled' | 'content'> & {
  name: string | null
  domain_id: number | null
}

const STRAY_COLUMNS = ['id', 'domain_id', 'name', 'type', 'ttl', 'prio', 'disabled', 'content']

/** Inspects tables of PowerDNS' form, some rows by primary key per call. */
export class SqlInspection implements Inspection {
  constructor(
    private readonly client: () => QueryClientContract,
    private readonly tables: ZoneTables
  ) {}

  async zones(after: number, limit: number): Promise<InspectedZone[]> {
    const { zones } = this.tables
    const rows: DomainRow[] = await this.client()
      .from(zones)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .select(DOMAIN_COLUMNS)
    const found = rows.map(zoneFromRow)
    const soaCounts = await this.#countSoas(found.map(({ id }) => id))
    return found.map(({ id, name, kind, masters }) => ({
      id,
      name,
      kind,
      hasPrimaries: masters.length > 0,
      soaCount: soaCounts.get(id) ?? 0,
    }))
  }

  async findStrays(after: number, limit: number) {
    const { records } = this.tables
    const ids: { id: number | string }[] = await this.client()
      .from(records)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .select('id')
    const last = Number(ids.at(-1)?.id ?? 0)
    const rows: StrayRow[] =
      ids.length === 0
        ? []
        : await this.#strays(this.client())
            .whereBetween('id', [after + 1, last])
            .orderBy('id')
            .select(STRAY_COLUMNS)
    return { records: rows.map(strayFromRow), next: ids.length < limit ? null : last }
  }

  async findStraysAmong(ids: readonly number[]): Promise<StrayRecord[]> {
    const found: StrayRecord[] = []
    for (const part of chunks([...ids])) {
      found.push(...(await this.#strayBatch(this.client(), part)))
    }
    return found
  }

  async removeStrays(
    ids: readonly number[],
    trx: TransactionClientContract
  ): Promise<StrayRecord[]> {
    const removed: StrayRecord[] = []
    for (const part of chunks([...ids])) {
      const strays = await this.#strayBatch(trx, part, true)
      const known = strays.map(({ id }) => id)
      // The zone may be created in the meantime: the deletion has the condition, too.
      await this.#strays(trx).whereIn('id', known).delete()
      const remainingRows: { id: number | string }[] = await trx
        .from(this.tables.records)
        .whereIn('id', known)
        .select('id')
      const remainingIds = new Set(remainingRows.map(({ id }) => Number(id)))
      removed.push(...strays.filter(({ id }) => !remainingIds.has(id)))
    }
    return removed
  }

  /** Invalid records among the ids of one statement; locked with `isLocked`. */
  async #strayBatch(
    client: QueryClientContract,
    ids: number[],
    isLocked = false
  ): Promise<StrayRecord[]> {
    const query = this.#strays(client).whereIn('id', ids).orderBy('id').select(STRAY_COLUMNS)
    if (isLocked) query.forUpdate()
    const rows: StrayRow[] = await query
    return rows.map(strayFromRow)
  }

  /** Selects records whose zone does not exist, or that have no zone id. */
  #strays(client: QueryClientContract) {
    const { records, zones } = this.tables
    return client
      .from(records)
      .whereNotExists(
        client.from(zones).whereColumn(`${zones}.id`, `${records}.domain_id`).select(`${zones}.id`)
      )
  }

  async #countSoas(ids: number[]): Promise<Map<number, number>> {
    const { records, zones } = this.tables
    const counts = new Map<number, number>()
    for (const part of chunks(ids)) {
      const rows: { zone: number | string; soas: number | string }[] = await this.client()
        .from(records)
        .join(zones, `${zones}.id`, `${records}.domain_id`)
        .whereIn(`${records}.domain_id`, part)
        .where(`${records}.type`, 'SOA')
        .where(`${records}.disabled`, false)
        .whereColumn(`${records}.name`, `${zones}.name`)
        .groupBy(`${records}.domain_id`)
        .select(`${records}.domain_id as zone`)
        .count(`${records}.id as soas`)
      rows.forEach(({ zone, soas }) => counts.set(Number(zone), Number(soas)))
    }
    return counts
  }
}

function strayFromRow(row: StrayRow): StrayRecord {
  const { name, type, content, disabled } = row
  return {
    id: Number(row.id),
    domainId: numberOrNull(row.domain_id),
    name,
    type,
    ttl: numberOrNull(row.ttl),
    priority: numberOrNull(row.prio),
    disabled: disabled === null ? null : Boolean(disabled),
    content,
  }
}

function numberOrNull(value: number | string | null): number | null {
  return value === null ? null : Number(value)
}
