import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { dialectOf } from '#database/dialects/dialect_of'

/**
 * Updates the planner's statistics of tables after many inserts. Without this call, the database does so minutes later and may
 * read a whole table for one page until then. Does nothing on SQLite, which plans without statistics.
 *
 * @param tables names from the code, never from a request
 */
export async function refreshStatistics(
  client: QueryClientContract,
  tables: readonly string[]
): Promise<void> {
  const statement = dialectOf(client).analyze(tables)
  if (statement !== null) {
    await client.rawQuery(statement)
  }
}
