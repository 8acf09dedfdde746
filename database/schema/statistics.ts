import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * Lets the planner know how many rows tables have by now, as the database does by itself some minutes after so many
 * came: until then it may read a long list whole for one page. Does nothing on SQLite, which plans without.
 *
 * @param tables names of tables of the product or of PowerDNS, never a caller's
 */
export async function refreshStatistics(
  client: QueryClientContract,
  tables: readonly string[]
): Promise<void> {
  if (client.dialect.name === 'postgres') {
    await client.rawQuery(`ANALYZE ${tables.join(', ')}`)
  } else if (client.dialect.name === 'mysql') {
    await client.rawQuery(`ANALYZE TABLE ${tables.join(', ')}`)
  }
}
