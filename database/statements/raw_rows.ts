import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { dialectOf } from '#database/dialects/dialect_of'

/** Sends a statement of SQL and returns its rows, without the wrapper of the driver. */
export async function rawRows<Row>(
  client: QueryClientContract,
  sql: string,
  bindings: (string | number)[]
): Promise<Row[]> {
  return dialectOf(client).rowsOf<Row>(await client.rawQuery(sql, bindings))
}
