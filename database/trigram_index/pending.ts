import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/statements/chunks'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { BLOCK } from '#database/trigram_index/trigrams'
import type { IdRange, TextSource } from '#database/trigram_index/source'

/** Maximum number of queue entries that a search reads. If there are more, it reads all rows from the first to the last. */
const MAX_QUEUED_READ = 5000

/**
 * Queues new or changed rows for the index, in the transaction that writes them. The background task indexes them; until then
 * a search reads the rows. Writers do not wait for each other.
 */
export async function enqueueTexts(
  trx: QueryClientContract,
  source: TextSource,
  ids: readonly number[]
): Promise<void> {
  await enqueueRanges(trx, source, mergeAdjacent(ids.map((id) => [id, id])))
}

/** `enqueueTexts` for a range of ids, which can contain unchanged rows. */
export async function enqueueTextRange(
  trx: QueryClientContract,
  source: TextSource,
  range: IdRange
): Promise<void> {
  await enqueueRanges(trx, source, [range])
}

async function enqueueRanges(
  trx: QueryClientContract,
  source: TextSource,
  ranges: IdRange[]
): Promise<void> {
  if (ranges.length === 0 || (await isIndexedByDatabase(trx, source))) {
    return
  }
  const rows = ranges.map(([first, last]) => {
    return { source: source.number, first_id: first, last_id: last }
  })
  for (const part of chunks(rows)) {
    await trx.table('zw_text_pending').multiInsert(part)
  }
}

/** The rows that may not be indexed yet: queued rows, and all above the highest indexed id. */
export async function unposted(
  client: QueryClientContract,
  source: TextSource
): Promise<{ indexedTo: number; queued: IdRange[] }> {
  const mark = (await client.from('zw_text_marks').where('id', source.number).first()) as {
    indexed_to: number | string
  } | null
  const indexedTo = Number(mark?.indexed_to ?? 0)
  const queueRows = () =>
    client.from('zw_text_pending').where('source', source.number).where('first_id', '<=', indexedTo)
  const rows = (await queueRows()
    .select('first_id', 'last_id')
    .limit(MAX_QUEUED_READ + 1)) as Record<'first_id' | 'last_id', number | string>[]
  if (rows.length > MAX_QUEUED_READ) {
    const [ends] = await queueRows().min('first_id as first').max('last_id as last')
    return { indexedTo, queued: [[Number(ends.first), Number(ends.last)]] }
  }
  const ranges = rows.map((row): IdRange => [Number(row.first_id), Number(row.last_id)])
  return { indexedTo, queued: mergeAdjacent(ranges) }
}

/** Merges ranges, in order, whose distance is less than a block. */
export function mergeAdjacent(ranges: IdRange[]): IdRange[] {
  const result: IdRange[] = []
  for (const [first, last] of [...ranges].sort(([one], [other]) => one - other)) {
    const before = result.at(-1)
    if (before && first <= before[1] + BLOCK) {
      before[1] = Math.max(before[1], last)
    } else {
      result.push([first, last])
    }
  }
  return result
}
