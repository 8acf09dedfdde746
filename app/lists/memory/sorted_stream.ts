import type { ListDeclaration } from '#lists/declaration'
import { matcherOf, orderingOf } from '#lists/memory/sort_in_memory'
import type { ReadRows } from '#lists/memory/scan'
import type { Keyed } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'
import { SortedRuns } from '#lists/memory/external_sort'

/** Maximum number of rows in memory. An object, so that tests can lower it. */
export const HELD = { most: 12_000 }
/** Rows of a batch. */
const BATCH = 2_000

/** How rows are put aside as JSON. */
export interface Packing<Row> {
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
  { pack, unpack }: Packing<Row>,
  held: number = HELD.most
): AsyncGenerator<Row[], void> {
  const ordering = orderingOf<Row, Field, Column, Filter>(list, query)
  const matches = matcherOf<Row, Filter>(list, query)
  const runs = new SortedRuns((one, other) => ordering.compare(one, other))
  try {
    let part: Keyed<Row>[] = []
    const sorted = () => part.sort((one, other) => ordering.compare(one.key, other.key))
    const putAside = async () => {
      await runs.add(sorted().map(({ row, key }): [RowKey, unknown] => [key, pack(row)]))
      part = []
    }
    for await (const rows of read()) {
      for (const row of rows) {
        if (matches(row)) part.push({ row, key: ordering.keyOf(row) })
      }
      if (part.length >= held) await putAside()
      yield []
    }
    if (runs.isEmpty) {
      yield sorted().map(({ row }) => row)
      return
    }
    if (part.length > 0) await putAside()
    for await (const packed of runs.merged(Math.min(BATCH, held))) {
      yield packed.map(unpack)
    }
  } finally {
    await runs.close()
  }
}
