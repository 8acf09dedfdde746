import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { hasTrigramIndex } from '#database/trigram_index/postgres'
import type { TextSource } from '#database/trigram_index/source'
import { dialectOf } from '#database/dialects/dialect_of'

/** By the table of a source: whether PostgreSQL has a trigram index. Read once. */
const indexed = new Map<string, Promise<boolean>>()

/**
 * Whether the database has its own trigram index of a source. A running server notices a created or dropped index at its next
 * start; its results are correct in any case.
 */
export async function isIndexedByDatabase(
  client: QueryClientContract,
  source: TextSource
): Promise<boolean> {
  if (!dialectOf(client).hasTrigramExtension) {
    return false
  }
  const cached = indexed.get(source.table) ?? hasTrigramIndex(client, source)
  indexed.set(source.table, cached)
  try {
    return await cached
  } catch (error) {
    indexed.delete(source.table)
    throw error
  }
}

/** Call it after an index was created or dropped. */
export function clearEngineCache(): void {
  indexed.clear()
}
