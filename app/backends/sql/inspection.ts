import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { InspectedZone, Inspection, StrayRecord } from '#backends/inspection'
import type { ZoneTables } from '#backends/sql/tables'
import { DOMAIN_COLUMNS, zoneFromRow, type DomainRow } from '#backends/sql/rows'
import { chunks } from '#database/chunks'

/** A record of the table, and the zone that it says. */
type StrayRow = Omit<StrayRecord, 'id'> & { id: number | string }

/** Looks at tables of PowerDNS' shape, some rows by their primary keys at a time. */
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
    const soas = await this.#soasOf(found.map(({ id }) => id))
    return found.map(({ id, name, kind, masters }) => ({
      id,
      name,
      kind,
      hasPrimaries: masters.length > 0,
      soas: soas.get(id) ?? 0,
    }))
  }

  async strays(after: number, limit: number) {
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
        : await this.#strays(this.client()).whereBetween(`${records}.id`, [after + 1, last])
    return { records: rows.map(strayOf), next: ids.length < limit ? null : last }
  }

  straysAmong(ids: readonly number[]): Promise<StrayRecord[]> {
    return this.#straysAmong(this.client(), ids)
  }

  async removeStrays(
    ids: readonly number[],
    trx: TransactionClientContract
  ): Promise<StrayRecord[]> {
    const strays = await this.#straysAmong(trx, ids)
    for (const part of chunks(strays)) {
      await trx
        .from(this.tables.records)
        .whereIn(
          'id',
          part.map(({ id }) => id)
        )
        .delete()
    }
    return strays
  }

  async #straysAmong(client: QueryClientContract, ids: readonly number[]): Promise<StrayRecord[]> {
    const found: StrayRecord[] = []
    for (const part of chunks([...ids])) {
      const rows: StrayRow[] = await this.#strays(client).whereIn(`${this.tables.records}.id`, part)
      found.push(...rows.map(strayOf))
    }
    return found
  }

  /** Records whose zone is not there, or that name none. */
  #strays(client: QueryClientContract) {
    const { records, zones } = this.tables
    const columns = ['id', 'name', 'type', 'ttl', 'content'].map((name) => `${records}.${name}`)
    return client
      .from(records)
      .leftJoin(zones, `${zones}.id`, `${records}.domain_id`)
      .whereNull(`${zones}.id`)
      .orderBy(`${records}.id`)
      .select(columns)
  }

  async #soasOf(ids: number[]): Promise<Map<number, number>> {
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

function strayOf(row: StrayRow): StrayRecord {
  return { ...row, id: Number(row.id), ttl: row.ttl === null ? null : Number(row.ttl) }
}
