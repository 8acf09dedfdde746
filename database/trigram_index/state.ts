import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { hasTrigramIndex } from '#database/trigram_index/postgres'
import type { TextSource } from '#database/trigram_index/source'
import { dialectOf } from '#database/dialects/dialect_of'

/** How far the index of a source is. */
export interface TextIndexState {
  title: string
  /** Whether the database keeps it by itself, where it could, or the product does. */
  indexedBy: 'database' | 'product'
  /** Whether this database could keep it by itself. */
  couldBeDatabase: boolean
  /** Rows, and those of them that wait for the index. */
  rows: number
  waiting: number
}

/** Looks how far the index of a source is. Counts rows, which takes a moment where there are millions. */
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
