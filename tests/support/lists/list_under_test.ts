import type { Caller } from '#tests/support/app/api'
import type { Cell, ReferenceList, ReferenceRow } from '#tests/support/lists/reference'

type Item = Record<string, unknown>

/** A list of the API with rows to look for. */
export interface ListUnderTest {
  as: Caller
  path: string
  /** Member of `data` that holds the rows. */
  member: string
  /** Member of an item, or more of them, that tells it from the others. */
  key: string | ((item: Item) => Cell)
  reference: ReferenceList
  /** Where texts are made equal whatever their case; either where that depends on the request. */
  foldedBy: 'server' | 'database' | 'either'
  /** What is stored, in no order. */
  rows: () => Promise<ReferenceRow[]>
  /** Values of filters that are likely to be met, beside those of the rows. */
  words: string[]
}

/** What tells an item of an answer from the others, as in the rows of the reference. */
export function idOf({ key }: ListUnderTest, item: Item): Cell {
  return typeof key === 'string' ? (item[key] as Cell) : key(item)
}

/** Path and query of a request. */
export function addressOf({ path }: ListUnderTest, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString()
  return query === '' ? path : `${path}?${query}`
}
