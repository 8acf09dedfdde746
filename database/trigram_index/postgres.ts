import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { createTrigramIndex, hasValidIndex } from '#database/schema/postgres_indexes'
import type { TextSource } from '#database/trigram_index/source'

/** Whether PostgreSQL has a complete trigram index of a source. */
export async function hasTrigramIndex(
  client: QueryClientContract,
  { index }: TextSource
): Promise<boolean> {
  return hasValidIndex(client, index)
}

/** Whether PostgreSQL would use the index for a query. Reads the plan, which takes about a millisecond. */
export async function isPlannedWith(
  rows: DatabaseQueryBuilderContract,
  index: string
): Promise<boolean> {
  const { sql, bindings } = rows.toSQL()
  const plan: unknown = await rows.client.rawQuery(`EXPLAIN (FORMAT JSON) ${sql}`, [
    ...bindings,
  ] as string[])
  const { rows: lines } = plan as { rows: unknown[] }
  return JSON.stringify(lines).includes(`"${index}"`)
}

/** Creates the trigram index of a source, see `createTrigramIndex`. */
export async function buildTrigramIndex(
  client: QueryClientContract,
  { index, table, texts, separateColumns, words }: TextSource,
  isRebuilt = false
): Promise<string | null> {
  return createTrigramIndex(
    client,
    { index, table, columns: [...texts, ...separateColumns, ...words] },
    isRebuilt
  )
}
