import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { hasTrigramIndex } from '#database/trigram_index/postgres'
import type { TextSource } from '#database/trigram_index/source'
import { dialectOf } from '#database/dialects/dialect_of'

/** By the table of a source: whether PostgreSQL keeps its trigrams. Found out once. */
const kept = new Map<string, Promise<boolean>>()

/**
 * Whether the database keeps the trigrams of a source by itself. A server that runs while an index is made or
 * dropped learns of it when it starts again; what it finds is right all the same.
 */
export async function isIndexedByDatabase(
  client: QueryClientContract,
  source: TextSource
): Promise<boolean> {
  if (!dialectOf(client).hasTrigramExtension) {
    return false
  }
  const known = kept.get(source.table) ?? hasTrigramIndex(client, source)
  kept.set(source.table, known)
  try {
    return await known
  } catch (error) {
    kept.delete(source.table)
    throw error
  }
}

/** Looks anew the next time: an index was made or dropped. */
export function clearEngineCache(): void {
  kept.clear()
}
