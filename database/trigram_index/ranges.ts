import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { gathered, unposted } from '#database/trigram_index/pending'
import { idsOf, nextBlocks, rarestFirst } from '#database/trigram_index/postings'
import { BLOCK } from '#database/trigram_index/trigrams'
import type { IdRange, TextSource } from '#database/trigram_index/source'

/** Blocks of one statement: few at first, since a page is often full soon. */
const FIRST_BLOCKS = 32
const MAX_BLOCKS = 256

/** Rows of one statement that reads them in their order. */
const SCAN_BATCH_SIZE = 20_000

/**
 * Rows that a search looks at before it gives up: where the index sends it, and where it has to read all rows in
 * their order. What lies beyond is not found, and the answer says so.
 */
const MAX_SCANNED = 200_000
const SCANNED = 100_000

/** Some ids to look at next; all of them, where the database finds them by its own index. */
export type Candidates = IdRange[] | 'all'

/** Tells, when all candidates were handed out, whether there are more beyond the bound. */
export type Ended = { isComplete: boolean }

/**
 * Hands out, piece by piece and in the order of their ids, where the rows are that may contain texts.
 *
 * @param lookups each of them the trigrams and words (`lookupTrigrams`, `wordGram`) that all have to occur in a row;
 *   one of these lists is enough. Without any, or with an empty one, all rows are handed out.
 */
export async function* candidates(
  client: QueryClientContract,
  source: TextSource,
  lookups: readonly (readonly number[])[]
): AsyncGenerator<Candidates, Ended> {
  if (lookups.length === 0 || lookups.some((grams) => grams.length === 0)) {
    return yield* inOrder(client, source, 0, SCANNED)
  }
  if (await isIndexedByDatabase(client, source)) {
    yield 'all'
    return { isComplete: true }
  }
  // The rest is read first: what moves from there into the index meanwhile is found twice, not missed.
  const { indexedTo, noted } = await unposted(client, source)
  const orders = await Promise.all(lookups.map((grams) => rarestFirst(client, source, grams)))
  const found = orders.filter((order) => order !== null)
  let left = MAX_SCANNED
  let after = -1
  for (let size = FIRST_BLOCKS; found.length > 0; size = Math.min(size * 2, MAX_BLOCKS)) {
    const lists = await Promise.all(
      found.map((order) => nextBlocks(client, source, order, after, size))
    )
    const full = lists.filter((list) => list.length === size).map((list) => list[size - 1])
    const end = full.length > 0 ? Math.min(...full) : Infinity
    const blocks = [...new Set(lists.flat().filter((block) => block <= end))].sort((a, b) => a - b)
    if (blocks.length > 0) {
      yield idsOf(blocks)
    }
    if (full.length === 0) {
      break
    }
    after = end
    left -= blocks.length * BLOCK
    if (left <= 0) {
      return { isComplete: false }
    }
  }
  if (noted.length > 0) {
    for (let i = 0; i < noted.length; i += MAX_BLOCKS) {
      yield gathered(noted.slice(i, i + MAX_BLOCKS))
    }
  }
  return yield* inOrder(client, source, indexedTo, SCANNED)
}

/** Rows beyond an id, some thousands at a time. */
async function* inOrder(
  client: QueryClientContract,
  { table }: TextSource,
  after: number,
  most: number
): AsyncGenerator<IdRange[], Ended> {
  let first = after + 1
  for (let left = most; left > 0; left -= SCAN_BATCH_SIZE) {
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
  const more: unknown = await client.from(table).where('id', '>=', first).select('id').first()
  return { isComplete: !more }
}
