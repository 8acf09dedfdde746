import type { ListDeclaration } from '#lists/declaration'
import { matcherOf, orderingOf, type Ordering } from '#lists/memory/sort_in_memory'
import { pageOf, type Keyed, type Listed } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'

/** Rows that are held at once. More than the largest page. */
const HELD = 12_000
/** Keys by which a pass guesses where a position far down lies. */
const SAMPLED = 8_000

/** Begins to read all rows of a list, in whatever order. */
export type Pass<Row> = () => AsyncGenerator<Row[], void>

/**
 * Answers a list query that no index serves, from a list that is too long for memory: all rows are read, and only
 * those held that the page may need. A page costs one pass over the list; far down, two or three.
 */
export async function listInPasses<
  Row extends object,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  pass: Pass<Row>,
  held: number = HELD
): Promise<Listed<Row>> {
  const reader = new PassReader(list, query, pass)
  const { page } = query
  if (!page) {
    throw new Error('A whole list comes in batches')
  }
  const { offset, size } = page
  if (page.after !== undefined) {
    const { rows } = await reader.lowest(page.after, size + 1)
    return { ...pageOf(rows, size, rows.length <= size), total: null }
  }
  if (offset + size <= held) {
    const { rows, total } = await reader.lowest(null, offset + size)
    return { ...pageOf(rows.slice(offset), size, offset + size >= total), total }
  }
  const { keys, total } = await reader.sample()
  const found = await window(reader, keys, { offset, total, size, held })
  return { ...pageOf(found, size, offset + size >= total), total }
}

interface Wanted {
  offset: number
  size: number
  total: number
  held: number
}

/** The rows from a position far down, from whichever side holds fewer than are to be held. */
async function window<Row>(
  reader: PassReader<Row>,
  sampled: RowKey[],
  { offset, size, total, held }: Wanted
): Promise<Keyed<Row>[]> {
  if (offset >= total) {
    return []
  }
  if (total - offset <= held) {
    const { rows } = await reader.lowest(null, total - offset, true)
    return rows.reverse().slice(0, size)
  }
  // Sure to lie before the position, nearly always: four standard deviations of the guess.
  const margin = Math.ceil(2 * Math.sqrt(sampled.length))
  const guess = Math.floor((offset / total) * sampled.length) - margin
  let after: RowKey | null = sampled[guess] ?? null
  for (;;) {
    const { rows, before } = await reader.lowest(after, held + size)
    if (before > offset) {
      // Guessed wrong, or rows have gone.
      after = null
    } else if (offset - before < held || rows.length < held + size) {
      return rows.slice(offset - before, offset - before + size)
    } else {
      // No further than the position.
      after = rows[held - 1].key
    }
  }
}

class PassReader<Row> {
  readonly #ordering: Ordering<Row>
  readonly #matches: (row: Row) => boolean

  constructor(
    list: ListDeclaration,
    query: ListQuery,
    private readonly pass: Pass<Row>
  ) {
    this.#ordering = orderingOf<Row & object, string, string, string>(list, query)
    this.#matches = matcherOf<Row & object>(list, query) as (row: Row) => boolean
  }

  /** The first `limit` rows behind a key, or the last ones, last first; how many lie not behind it, and all. */
  async lowest(after: RowKey | null, limit: number, fromEnd = false) {
    const { compare } = this.#ordering
    const lowest = new Lowest<Row>(limit, fromEnd ? (a, b) => compare(b, a) : compare)
    let [before, total] = [0, 0]
    await this.#each((row, key) => {
      total++
      if (after !== null && compare(key, after) <= 0) before++
      else lowest.add({ row, key })
    })
    return { rows: lowest.rows(), before, total }
  }

  /** Some keys of the list, each as likely as another, in order; and how many rows there are. */
  async sample(): Promise<{ keys: RowKey[]; total: number }> {
    const keys: RowKey[] = []
    let total = 0
    await this.#each((_row, key) => {
      const place = total < SAMPLED ? total : Math.floor(Math.random() * (total + 1))
      if (place < SAMPLED) keys[place] = key
      total++
    })
    return { keys: keys.sort(this.#ordering.compare), total }
  }

  async #each(work: (row: Row, key: RowKey) => void): Promise<void> {
    for await (const batch of this.pass()) {
      for (const row of batch) {
        if (this.#matches(row)) work(row, this.#ordering.keyOf(row))
      }
    }
  }
}

/** The lowest of many rows. Holds twice as many at most. */
class Lowest<Row> {
  #held: Keyed<Row>[] = []
  #highest: RowKey | null = null

  constructor(
    private readonly limit: number,
    private readonly compare: (one: RowKey, other: RowKey) => number
  ) {}

  add(keyed: Keyed<Row>): void {
    if (this.#highest !== null && this.compare(keyed.key, this.#highest) >= 0) {
      return
    }
    this.#held.push(keyed)
    if (this.#held.length >= 2 * this.limit) {
      this.#cut()
      this.#highest = this.#held[this.#held.length - 1].key
    }
  }

  rows(): Keyed<Row>[] {
    this.#cut()
    return this.#held
  }

  #cut(): void {
    this.#held.sort((one, other) => this.compare(one.key, other.key))
    this.#held.length = Math.min(this.#held.length, this.limit)
  }
}
