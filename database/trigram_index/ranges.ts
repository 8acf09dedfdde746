import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { mergeAdjacent, unposted } from '#database/trigram_index/pending'
import { idsOf, nextBlocks, rarestFirst } from '#database/trigram_index/postings'
import { BLOCK } from '#database/trigram_index/trigrams'
import type { IdRange, TextSource } from '#database/trigram_index/source'

/**
 * Number of blocks per statement. The first statement reads few, because they often fill a page.
 */
const FIRST_BLOCK_COUNT = 32
const MAX_BLOCKS = 256

/** Rows of one statement of a scan. */
const SCAN_BATCH_SIZE = 20_000

/**
 * Maximum number of rows that a search reads by the index and by a scan. A search that reaches it returns an incomplete
 * result.
 */
const MAX_INDEXED_ROWS = 200_000
const MAX_SCANNED_ROWS = 100_000

/** Ids of the next rows; `all` if the database has its own index. */
export type Candidates = IdRange[] | 'all'

/** Whether the candidates are complete, or the search reached a maximum. */
export type ScanEnd = { isComplete: boolean }

/**
 * Yields ranges of ids of rows that may contain texts, in the order of ids.
 *
 * @param lookups alternatives, each a list of trigrams and words (`lookupTrigrams`, `wordGram`) that a row must all have.
 *   Without any, or with an empty one, yields all rows.
 */
export async function* candidates(
  client: QueryClientContract,
  source: TextSource,
  lookups: readonly (readonly number[])[]
): AsyncGenerator<Candidates, ScanEnd> {
  if (lookups.length === 0 || lookups.some((grams) => grams.length === 0)) {
    return yield* inOrder(client, source, 0, MAX_SCANNED_ROWS)
  }
  if (await isIndexedByDatabase(client, source)) {
    yield 'all'
    return { isComplete: true }
  }
  // Reads unindexed rows first: rows that are indexed during the search are found twice, not missed.
  const { indexedTo, queued } = await unposted(client, source)
  const orders = await Promise.all(lookups.map((grams) => rarestFirst(client, source, grams)))
  const gramOrders = orders.filter((order) => order !== null)
  let remainingRows = MAX_INDEXED_ROWS
  let after = -1
  for (let size = FIRST_BLOCK_COUNT; gramOrders.length > 0; size = Math.min(size * 2, MAX_BLOCKS)) {
    const lists = await Promise.all(
      gramOrders.map((order) => nextBlocks(client, source, order, after, size))
    )
    const limitedLists = lists.filter((list) => list.length === size).map((list) => list[size - 1])
    const end = limitedLists.length > 0 ? Math.min(...limitedLists) : Infinity
    const blocks = [...new Set(lists.flat().filter((block) => block <= end))].sort((a, b) => a - b)
    if (blocks.length > 0) {
      yield idsOf(blocks)
    }
    if (limitedLists.length === 0) {
      break
    }
    after = end
    remainingRows -= blocks.length * BLOCK
    if (remainingRows <= 0) {
      return { isComplete: false }
    }
  }
  if (queued.length > 0) {
    for (let i = 0; i < queued.length; i += MAX_BLOCKS) {
      yield mergeAdjacent(queued.slice(i, i + MAX_BLOCKS))
    }
  }
  return yield* inOrder(client, source, indexedTo, MAX_SCANNED_ROWS)
}

/** Scans rows after an id in batches. */
async function* inOrder(
  client: QueryClientContract,
  { table }: TextSource,
  after: number,
  maxRows: number
): AsyncGenerator<IdRange[], ScanEnd> {
  let first = after + 1
  for (let remaining = maxRows; remaining > 0; remaining -= SCAN_BATCH_SIZE) {
    const end = (await client
      .from(table)
      .where('id', '>=', first)
      .orderBy('id')
      .offset(SCAN_BATCH_SIZE - 1)
      .select('id')
      .first()) as { id: number | string } | null
    if (!end) {
      const [{ last }] = (await client.from(table).where('id', '>=', first).max('id as last')) as {
        last: number | string | null
      }[]
      if (last !== null) yield [[first, Number(last)]]
      return { isComplete: true }
    }
    yield [[first, Number(end.id)]]
    first = Number(end.id) + 1
  }
  const nextBlock: unknown = await client.from(table).where('id', '>=', first).select('id').first()
  return { isComplete: !nextBlock }
}
