import { setImmediate as turn } from 'node:timers/promises'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { IdSet } from '#database/id_set'
import type { Keyed } from '#lists/listed'
import type { RowKey } from '#lists/row_key'
import type { ListView, PagedView } from '#lists/view'

/** Which rows are in a list, by a column that tells them apart. */
export interface Sieve {
  column: string
  ids: IdSet
  /** Makes the query for the rows of which some are then picked by that column. */
  lookup(): DatabaseQueryBuilderContract
}

/** Ids of one step of a walk: more from step to step, as what is wanted may lie far off, or at once. */
const STEP = { first: 2_000, times: 4, most: 50_000 }

/** So many are sorted sooner than found on a walk. An object, so that tests can walk through few rows. */
export const SORTED = { most: 30_000 }

/**
 * The rows of a list that are in a sieve: all of them sorted where they are few, else found by a walk through the ids of all, which an index has in the order of
 * the list: some millionths of a second for each, whatever it takes to know whether a row is in the sieve.
 */
export class SievedView<Row> implements PagedView<Row> {
  constructor(
    private readonly view: ListView<Row>,
    private readonly sieve: Sieve
  ) {}

  get identity(): string {
    return this.view.identity
  }

  get narrowing(): string {
    return this.view.narrowing
  }

  get isFiltered(): boolean {
    return this.view.isFiltered
  }

  /** How many there are. */
  async count(): Promise<number> {
    return this.sieve.ids.size
  }

  /** The first rows, or those behind a key: at most `limit`, each with its key. */
  async after(key: RowKey | null, limit: number, offset = 0): Promise<Keyed<Row>[]> {
    const ids = await this.#ids(key, offset + limit, false)
    return this.view.withIds(this.sieve, ids.slice(offset))
  }

  /** The row of a key, if it is still there. */
  async at(key: RowKey): Promise<Keyed<Row>[]> {
    return this.view.at(key)
  }

  /** The key of the row at a position from 0, counted from the end when reversed. */
  async keyAt(position: number, reversed = false): Promise<RowKey | null> {
    const ids = await this.#ids(null, position + 1, reversed)
    const [found] = await this.view.withIds(this.sieve, ids.slice(position))
    return found?.key ?? null
  }

  async #ids(key: RowKey | null, limit: number, reversed: boolean): Promise<number[]> {
    const { ids } = this.sieve
    if (ids.size <= SORTED.most) {
      const sorted = await this.view.sorted(this.sieve, reversed)
      // The last value of a key tells its row from all others; that may be gone.
      const start = key === null ? 0 : sorted.indexOf(Number(key.at(-1))) + 1
      if (key === null || start > 0) return sorted.slice(start, start + limit)
    }
    const found: number[] = []
    // As many as there are at most: behind the last one nobody looks.
    const wanted = Math.min(limit, ids.size)
    let behind = key
    for (let step = STEP.first; found.length < wanted; step = nextStep(step)) {
      const walked = await this.view.ids(this.sieve, behind, step, reversed)
      for (const id of walked.ids) {
        if (found.length === wanted) break
        if (ids.has(id)) found.push(id)
      }
      if (walked.ids.length < step) break
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
