import { keyOf } from '#backends/sql/record_values'
import type { RecordRow } from '#backends/sql/rows'
import type { RRsetKey } from '#dns/types'

/** RRsets that a write touched, and how many more of them there are since. */
export interface TouchedSets {
  sets: RRsetKey[]
  moreSets: number
}

/**
 * What a write did to RRsets.
 *
 * @param changes RRsets that it was to change
 * @param before  rows of these, and of others that records came from, as they were
 * @param after   all rows at the names of both, as they are
 */
export function touchedSets(
  changes: readonly RRsetKey[],
  before: readonly RecordRow[],
  after: readonly RecordRow[]
): TouchedSets {
  const keys = new Set([
    ...changes.map(({ name, type }) => `${name} ${type}`),
    ...before.map(keyOf),
  ])
  const sets = [...keys].map((key) => {
    const [name, type] = [key.slice(0, key.lastIndexOf(' ')), key.slice(key.lastIndexOf(' ') + 1)]
    return { name, type }
  })
  const [were, are] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  return { sets, moreSets: [...keys].filter((key) => are.has(key)).length - were.size }
}
