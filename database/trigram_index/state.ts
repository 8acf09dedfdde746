import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { hasTrigramIndex } from '#database/trigram_index/postgres'
import type { TextSource } from '#database/trigram_index/source'
import { dialectOf } from '#database/dialects/dialect_of'

/** Progress of the index of a source. */
export interface TextIndexState {
  title: string
  /** Whether the database or Zonewright updates the index. */
  indexedBy: 'database' | 'product'
  /** Whether this database can have its own index. */
  couldBeDatabase: boolean
  /** Number of rows, and of those that are not indexed. */
  rows: number
  waiting: number
}

/** Reads the progress of the index of a source. Counts rows, which takes a second for millions. */
export async function textIndexState(
  client: QueryClientContract,
  source: TextSource
): Promise<TextIndexState> {
  const couldBeDatabase = dialectOf(client).hasTrigramExtension
  const isIndexed = couldBeDatabase && (await hasTrigramIndex(client, source))
  const mark = (await client.from('zw_text_marks').where('id', source.number).first()) as {
    indexed_to: number | string
  }
  const count = async (after: number) => {
    const [row] = (await client.from(source.table).where('id', '>', after).count('* as total')) as {
      total: number | string
    }[]
    return Number(row.total)
  }
  return {
    title: source.title,
    indexedBy: isIndexed ? 'database' : 'product',
    couldBeDatabase,
    rows: await count(0),
    waiting: isIndexed ? 0 : await count(Number(mark.indexed_to)),
  }
}
