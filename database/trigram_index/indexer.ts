import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { holdRow } from '#database/rows/row_lock'
import { inTransaction } from '#database/transaction'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { post, type IndexedRow } from '#database/trigram_index/postings'
import type { TextSource } from '#database/trigram_index/source'

/** Rows of one transaction of a process without requests: some tens of milliseconds. */
const ROW_BATCH_SIZE = 1000

const QUEUE_BATCH_SIZE = 200

interface IndexState {
  indexed_to: number | string
  swept_to: number | string
}

interface QueuedRange {
  id: number | string
  first_id: number | string
  last_id: number | string
}

/**
 * Indexes the next rows in one short transaction: rows above the highest indexed id, and queued rows. Continues after the last
 * transaction of any process.
 *
 * @param rows maximum number of rows; on SQLite other requests wait during the transaction
 * @returns whether more rows wait
 */
export async function feedTexts(
  client: QueryClientContract,
  source: TextSource,
  rows = ROW_BATCH_SIZE
): Promise<boolean> {
  if ((await isIndexedByDatabase(client, source)) || !(await hasWork(client, source))) {
    return false
  }
  return inTransaction(client, async (trx) => {
    const mark = await lockState(trx, source)
    const isBehind = await indexNext(trx, source, Number(mark.indexed_to), rows)
    return (await takeQueued(trx, source, rows)) || isBehind
  })
}

/**
 * Compares the next rows, in the order of ids, with the index: other tools can change rows, or insert them with a lower id.
 * Starts again after the last row.
 *
 * @param rows number of rows
 */
export async function verifyTexts(
  client: QueryClientContract,
  source: TextSource,
  rows: number
): Promise<void> {
  if (await isIndexedByDatabase(client, source)) {
    return
  }
  await inTransaction(client, async (trx) => {
    const { swept_to: after } = await lockState(trx, source)
    const indexedRows = await rowsBetween(trx, source, Number(after) + 1, null, rows)
    await post(trx, source, indexedRows)
    const last = indexedRows.length < rows ? 0 : indexedRows[indexedRows.length - 1].id
    await trx.from('zw_text_marks').where('id', source.number).update({ swept_to: last })
  })
}

/** Deletes all trigrams of a source. The background task creates them again. */
export async function forgetTexts(client: QueryClientContract, source: TextSource): Promise<void> {
  await inTransaction(client, async (trx) => {
    await lockState(trx, source)
    await trx.from(source.grams).delete()
    await trx
      .from('zw_text_marks')
      .where('id', source.number)
      .update({ indexed_to: 0, swept_to: 0 })
  })
}

/** Whether rows wait. Reads without a lock. */
async function hasWork(client: QueryClientContract, source: TextSource): Promise<boolean> {
  const mark = (await client.from('zw_text_marks').where('id', source.number).first()) as IndexState
  const [{ highest }] = (await client.from(source.table).max('id as highest')) as {
    highest: number | string | null
  }[]
  if (Number(highest ?? 0) > Number(mark.indexed_to)) {
    return true
  }
  const queueEntry: unknown = await client
    .from('zw_text_pending')
    .where('source', source.number)
    .first()
  return Boolean(queueEntry)
}

/** The locked index state of a source. */
async function lockState(trx: TransactionClientContract, source: TextSource): Promise<IndexState> {
  await holdRow(trx, 'zw_text_marks', source.number)
  return (await trx.from('zw_text_marks').where('id', source.number).first()) as IndexState
}

async function indexNext(
  trx: TransactionClientContract,
  source: TextSource,
  indexedTo: number,
  limit: number
): Promise<boolean> {
  const rows = await rowsBetween(trx, source, indexedTo + 1, null, limit)
  if (rows.length === 0) {
    return false
  }
  await post(trx, source, rows)
  const last = rows[rows.length - 1].id
  await trx.from('zw_text_marks').where('id', source.number).update({ indexed_to: last })
  return rows.length === limit
}

/** Takes entries of the queue until their rows fill a transaction. */
async function takeQueued(
  trx: TransactionClientContract,
  source: TextSource,
  limit: number
): Promise<boolean> {
  const queueEntries = (await trx
    .from('zw_text_pending')
    .where('source', source.number)
    .orderBy('id')
    .limit(QUEUE_BATCH_SIZE)) as QueuedRange[]
  const finished: QueuedRange[] = []
  let remaining = limit
  for (const queueEntry of queueEntries) {
    const rows = await rowsBetween(
      trx,
      source,
      Number(queueEntry.first_id),
      Number(queueEntry.last_id),
      remaining
    )
    await post(trx, source, rows)
    remaining -= rows.length
    if (remaining === 0) {
      // The entry may have more rows.
      const remainingRange = { first_id: rows[rows.length - 1].id + 1 }
      await trx.from('zw_text_pending').where('id', queueEntry.id).update(remainingRange)
      break
    }
    finished.push(queueEntry)
  }
  await trx
    .from('zw_text_pending')
    .whereIn(
      'id',
      finished.map(({ id }) => id)
    )
    .delete()
  return remaining === 0 || queueEntries.length === QUEUE_BATCH_SIZE
}

async function rowsBetween(
  trx: TransactionClientContract,
  { table, texts, separateColumns, words }: TextSource,
  first: number,
  last: number | null,
  limit: number
): Promise<IndexedRow[]> {
  const rows = trx.from(table).where('id', '>=', first).orderBy('id').limit(limit)
  if (last !== null) {
    rows.where('id', '<=', last)
  }
  const textRows = (await rows.select('id', ...texts, ...separateColumns, ...words)) as Record<
    string,
    string | number | null
  >[]
  const valuesOf = (row: (typeof textRows)[number], columns: readonly string[]) =>
    columns.map((column) => row[column] as string | null)
  return textRows.map((row) => ({
    id: Number(row.id),
    texts: valuesOf(row, texts),
    separateTexts: valuesOf(row, separateColumns),
    words: valuesOf(row, words),
  }))
}
