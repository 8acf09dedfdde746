import { setImmediate as turn } from 'node:timers/promises'
import type { RowWithKey } from '#lists/list_result'
import type { RowKey } from '#lists/row_key'
import type { IdFilter } from '#lists/source'
import type { KeysetQuery, PagedQuery } from '#lists/sql/keyset_query'

/**
 * The first step reads `factor` times as many ids as rows are needed. Each further step reads `factor` times as many
 * again.
 */
const ID_STEP = { factor: 4, maxIds: 50_000 }

/**
 * The rows of a list whose ids a filter contains. Walks through the ids of all rows in the order of the list, by an
 * index: a few microseconds for each id.
 */
export class FilteredQuery<Row> implements PagedQuery<Row> {
  constructor(
    private readonly query: KeysetQuery<Row>,
    private readonly filter: IdFilter
  ) {}

  get identity(): string {
    return this.query.identity
  }

  get filterIdentity(): string {
    return this.query.filterIdentity
  }

  get isFiltered(): boolean {
    return this.query.isFiltered
  }

  /** Number of ids. */
  async count(): Promise<number> {
    return this.filter.ids.size
  }

  /**
   * The first rows, or those after a key, each with its key; at most `limit`. Fewer only if no more follow, also if rows are
   * deleted meanwhile.
   */
  async after(key: RowKey | null, limit: number, offset = 0): Promise<RowWithKey<Row>[]> {
    const rows = await this.#existingRows(key, offset + limit, false, offset)
    return rows.slice(0, limit)
  }

  /** The row of a key, if it still exists and its id is in the filter. */
  async at(key: RowKey): Promise<RowWithKey<Row>[]> {
    // The last value of a key is the id.
    return this.filter.ids.has(Number(key.at(-1))) ? this.query.at(key) : []
  }

  /** The key of the row at a position from 0, counted from the end when reversed. */
  async keyAt(position: number, reversed = false): Promise<RowKey | null> {
    const [found] = await this.#existingRows(null, position + 1, reversed, position)
    return found?.key ?? null
  }

  /** Rows of the first ids after `skippedCount`. Returns fewer than `neededCount` only if no more ids exist. */
  async #existingRows(
    key: RowKey | null,
    neededCount: number,
    reversed: boolean,
    skippedCount: number
  ): Promise<RowWithKey<Row>[]> {
    for (let extraCount = 0; ;) {
      const ids = await this.#ids(key, neededCount + extraCount, reversed)
      const rows = await this.query.withIds(this.filter, ids.slice(skippedCount))
      const missingCount = neededCount - skippedCount - rows.length
      if (missingCount <= 0 || ids.length < neededCount + extraCount) return rows
      // Some rows were deleted during the read.
      extraCount = 2 * extraCount + missingCount
    }
  }

  async #ids(key: RowKey | null, limit: number, reversed: boolean): Promise<number[]> {
    const { ids } = this.filter
    const found: number[] = []
    // No row follows the last id.
    const neededCount = Math.min(limit, ids.size)
    let afterKey = key
    for (let step = nextStep(neededCount); found.length < neededCount; step = nextStep(step)) {
      const stepResult = await this.query.ids(this.filter, afterKey, step, reversed)
      for (const id of stepResult.ids) {
        if (found.length === neededCount) break
        if (ids.has(id)) found.push(id)
      }
      if (stepResult.last === null) break
      afterKey = stepResult.last
      // The SQLite driver is synchronous: other requests run between the steps.
      await turn()
    }
    return found
  }
}

function nextStep(step: number): number {
  return Math.min(ID_STEP.maxIds, step * ID_STEP.factor)
}
