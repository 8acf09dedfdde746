import { setImmediate as turn } from 'node:timers/promises'
import type { Keyed } from '#lists/list_result'
import type { RowKey } from '#lists/row_key'
import type { IdFilter } from '#lists/source'
import type { KeysetQuery, PagedQuery } from '#lists/sql/keyset_query'

/** The first step reads `times` as many ids as rows are needed; each further one `times` as many again. */
const STEP = { times: 4, most: 50_000 }

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

  get narrowing(): string {
    return this.query.narrowing
  }

  get isFiltered(): boolean {
    return this.query.isFiltered
  }

  /** How many there are. */
  async count(): Promise<number> {
    return this.filter.ids.size
  }

  /**
   * The first rows, or those after a key, each with its key; at most `limit`. Fewer only if no more follow, also if rows are
   * deleted meanwhile.
   */
  async after(key: RowKey | null, limit: number, offset = 0): Promise<Keyed<Row>[]> {
    const rows = await this.#there(key, offset + limit, false, offset)
    return rows.slice(0, limit)
  }

  /** The row of a key, if it is still there, and in the filter. */
  async at(key: RowKey): Promise<Keyed<Row>[]> {
    // The last value of a key is the id.
    return this.filter.ids.has(Number(key.at(-1))) ? this.query.at(key) : []
  }

  /** The key of the row at a position from 0, counted from the end when reversed. */
  async keyAt(position: number, reversed = false): Promise<RowKey | null> {
    const [found] = await this.#there(null, position + 1, reversed, position)
    return found?.key ?? null
  }

  /** The rows of the first `wanted` ids but some, that many at least while there are more ids. */
  async #there(
    key: RowKey | null,
    wanted: number,
    reversed: boolean,
    skipped: number
  ): Promise<Keyed<Row>[]> {
    for (let more = 0; ;) {
      const ids = await this.#ids(key, wanted + more, reversed)
      const rows = await this.query.withIds(this.filter, ids.slice(skipped))
      const missing = wanted - skipped - rows.length
      if (missing <= 0 || ids.length < wanted + more) return rows
      // Some rows were deleted during the read.
      more = 2 * more + missing
    }
  }

  async #ids(key: RowKey | null, limit: number, reversed: boolean): Promise<number[]> {
    const { ids } = this.filter
    const found: number[] = []
    // No row follows the last id.
    const wanted = Math.min(limit, ids.size)
    let behind = key
    for (let step = nextStep(wanted); found.length < wanted; step = nextStep(step)) {
      const walked = await this.query.ids(this.filter, behind, step, reversed)
      for (const id of walked.ids) {
        if (found.length === wanted) break
        if (ids.has(id)) found.push(id)
      }
      if (walked.last === null) break
      behind = walked.last
      // SQLite's driver is synchronous: others get their turn between the steps.
      await turn()
    }
    return found
  }
}

function nextStep(step: number): number {
  return Math.min(STEP.most, step * STEP.times)
}
