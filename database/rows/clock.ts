import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { dialectOf } from '#database/dialects/dialect_of'
import { rawRows } from '#database/statements/raw_rows'

/** The time of the database: one clock for all nodes. */
export async function databaseTime(client: QueryClientContract): Promise<Date> {
  const [{ now }] = await rawRows<{ now: string }>(
    client,
    `select ${dialectOf(client).now} as now`,
    []
  )
  return new Date(now)
}

/** A time as Zonewright's tables store it. @param milliseconds since 1970 */
export function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
