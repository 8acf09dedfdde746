import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/** Rows of one statement that deletes or changes rows of a whole zone. */
const RANGE_SIZE = 20_000

/** A table with rows of zones: its columns for the id of the zone and for that of the row. */
export interface ZoneTable {
  table: string
  zone: string
  id: string
}

/** A table of PowerDNS' form with rows of zones. */
export function domainTable(table: string): ZoneTable {
  return { table, zone: 'domain_id', id: 'id' }
}

/**
 * Runs work on all rows of a zone in batches of some thousand: a single statement would reach the timeout with a large zone.
 * `work` gets a query for the rows of a range, and the range of ids.
 */
export async function forEachRange(
  client: TransactionClientContract,
  { table, zone, id }: ZoneTable,
  zoneId: number,
  work: (
    rows: () => DatabaseQueryBuilderContract,
    range: [first: number, last: number]
  ) => Promise<unknown>,
  size: number = RANGE_SIZE
): Promise<void> {
  const rows = () => client.from(table).where(zone, zoneId)
  for (let first = 0; ;) {
    const remainingRows = () => rows().where(id, '>=', first)
    const end = (await remainingRows()
      .orderBy(id)
      .offset(size - 1)
      .select(`${id} as id`)
      .first()) as { id: number | string } | null
    const [highest] = end ? [end] : await remainingRows().max(`${id} as id`)
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
