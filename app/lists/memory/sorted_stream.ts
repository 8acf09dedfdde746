import type { ListDeclaration } from '#lists/declaration'
import { matcherOf, orderingOf } from '#lists/memory/sort_in_memory'
import type { ReadRows } from '#lists/memory/scan'
import type { RowWithKey } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'
import { SortedRuns } from '#lists/memory/external_sort'

/** Maximum number of rows in memory. An object, so that tests can lower it. */
export const MAX_ROWS_IN_MEMORY = { count: 12_000 }
/** Rows of a batch. */
const MERGE_BATCH_SIZE = 2_000

/** How rows are put aside as JSON. */
export interface RowSerializer<Row> {
  pack(row: Row): unknown
  unpack(packed: unknown): Row
}

/**
 * A whole list that is too long for memory, in an order without an index. Reads it once, sorts parts of it in a file, and
 * merges them. Yields empty batches while it reads, so that the caller can stop.
 */
export async function* sortedBatches<
  Row extends object,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  read: ReadRows<Row>,
  { pack, unpack }: RowSerializer<Row>,
  maxRows: number = MAX_ROWS_IN_MEMORY.count
): AsyncGenerator<Row[], void> {
  const ordering = orderingOf<Row, Field, Column, Filter>(list, query)
  const matches = matcherOf<Row, Filter>(list, query)
  const runs = new SortedRuns((one, other) => ordering.compare(one, other))
  try {
    let part: RowWithKey<Row>[] = []
    const sortPart = () => part.sort((one, other) => ordering.compare(one.key, other.key))
    const writePart = async () => {
      await runs.add(sortPart().map(({ row, key }): [RowKey, unknown] => [key, pack(row)]))
      part = []
    }
    for await (const rows of read()) {
      for (const row of rows) {
        if (matches(row)) part.push({ row, key: ordering.keyOf(row) })
      }
      if (part.length >= maxRows) await writePart()
      yield []
    }
    if (runs.isEmpty) {
      yield sortPart().map(({ row }) => row)
      return
    }
    if (part.length > 0) await writePart()
    for await (const packed of runs.merged(Math.min(MERGE_BATCH_SIZE, maxRows))) {
      yield packed.map(unpack)
    }
  } finally {
    await runs.close()
  }
}
