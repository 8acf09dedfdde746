import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/** Rows of one statement that deletes or changes rows of a whole zone. */
const RANGE = 20_000

/** A table with rows of zones: its columns for the id of the zone and for that of the row. */
export interface ZoneTable {
  table: string
  zone: string
  id: string
}

/** One of the tables of PowerDNS' shape that hold what belongs to a zone. */
export function belongingTable(table: string): ZoneTable {
  return { table, zone: 'domain_id', id: 'id' }
}

/**
 * Does something to all rows of a zone, some thousands at a time: no single statement takes so long that
 * the database seems lost, however large the zone is. `work` gets a query for the rows of one range, and
 * the range of their ids.
 */
export async function inRanges(
  client: TransactionClientContract,
  { table, zone, id }: ZoneTable,
  zoneId: number,
  work: (
    rows: () => DatabaseQueryBuilderContract,
    range: [first: number, last: number]
  ) => Promise<unknown>,
  size: number = RANGE
): Promise<void> {
  const rows = () => client.from(table).where(zone, zoneId)
  for (let first = 0; ;) {
    const left = () => rows().where(id, '>=', first)
    const end = (await left()
      .orderBy(id)
      .offset(size - 1)
      .select(`${id} as id`)
      .first()) as { id: number | string } | null
    const [highest] = end ? [end] : await left().max(`${id} as id`)
    if (highest.id === null) {
      return
    }
    const last = Number(highest.id)
    await work(() => rows().whereBetween(id, [first, last]), [first, last])
    if (!end) {
      return
    }
    first = last + 1
  }
}
