import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/statements/chunks'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { BLOCK } from '#database/trigram_index/trigrams'
import type { IdRange, TextSource } from '#database/trigram_index/source'

/** The most notes that a search reads; beyond them it takes all rows from the first to the last. */
const MAX_QUEUED_READ = 5000

/**
 * Notes, in the transaction that writes them, that rows are new or changed. Their trigrams follow in the
 * background; until then a search looks at the rows themselves. Writers never wait for each other here.
 */
export async function enqueueTexts(
  trx: QueryClientContract,
  source: TextSource,
  ids: readonly number[]
): Promise<void> {
  await enqueueRanges(trx, source, gathered(ids.map((id) => [id, id])))
}

/** As `enqueueTexts`, for rows of a range, and perhaps rows between them that were not written. */
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

/** The rows that may have no trigrams yet: those that were noted, and all beyond the highest that has them. */
export async function unposted(
  client: QueryClientContract,
  source: TextSource
): Promise<{ indexedTo: number; noted: IdRange[] }> {
  const mark = (await client.from('zw_text_marks').where('id', source.number).first()) as {
    indexed_to: number | string
  } | null
  const indexedTo = Number(mark?.indexed_to ?? 0)
  const notes = () =>
    client.from('zw_text_pending').where('source', source.number).where('first_id', '<=', indexedTo)
  const rows = (await notes()
    .select('first_id', 'last_id')
    .limit(MAX_QUEUED_READ + 1)) as Record<'first_id' | 'last_id', number | string>[]
  if (rows.length > MAX_QUEUED_READ) {
    const [ends] = await notes().min('first_id as first').max('last_id as last')
    return { indexedTo, noted: [[Number(ends.first), Number(ends.last)]] }
  }
  const ranges = rows.map((row): IdRange => [Number(row.first_id), Number(row.last_id)])
  return { indexedTo, noted: gathered(ranges) }
}

/** The same ids in few ranges, in order: what lies within one block of each other is one. */
export function gathered(ranges: IdRange[]): IdRange[] {
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
