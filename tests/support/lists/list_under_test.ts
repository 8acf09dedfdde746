import type { Caller } from '#tests/support/app/api'
import type { Cell, ReferenceList, ReferenceRow } from '#tests/support/lists/reference'

type Item = Record<string, unknown>

/** A list of the API with stored rows. */
export interface ListUnderTest {
  as: Caller
  path: string
  /** Member of `data` that contains the rows. */
  member: string
  /** Member of an item, or a function of several members, that identifies the item. */
  key: string | ((item: Item) => Cell)
  reference: ReferenceList
  /** Where texts are case-folded; `either` if it depends on the request. */
  foldedBy: 'server' | 'database' | 'either'
  /** Stored rows in no order. */
  rows: () => Promise<ReferenceRow[]>
  /** Additional filter values that are likely to match. */
  words: string[]
}

/** Returns the identity of an item, as in the rows of the reference. */
export function idOf({ key }: ListUnderTest, item: Item): Cell {
  return typeof key === 'string' ? (item[key] as Cell) : key(item)
}

/** Returns the path and query of a request. */
export function addressOf({ path }: ListUnderTest, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString()
  return query === '' ? path : `${path}?${query}`
}
