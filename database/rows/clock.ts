import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { rawRows } from '#database/statements/raw_rows'

/** How each database says its time as own tables store moments. */
const NOW: Record<string, string> = {
  'better-sqlite3': `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  'postgres': `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  'mysql': `concat(left(date_format(utc_timestamp(3), '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`,
}

/** The time of the database: one for all nodes, whatever their own clocks say. */
export async function databaseTime(client: QueryClientContract): Promise<Date> {
  const [row] = await rawRows<{ moment: string }>(
    client,
    `select ${NOW[client.dialect.name]} as moment`,
    []
  )
  return new Date(row.moment)
}

/** A moment as own tables store it. */
export function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
