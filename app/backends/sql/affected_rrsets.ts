import { keyOf } from '#backends/sql/record_values'
import type { RecordRow } from '#backends/sql/rows'
import type { RRsetKey } from '#dns/types'

/** RRsets that a write changed, and the change of their number. */
export interface AffectedRRsets {
  sets: RRsetKey[]
  addedSetCount: number
}

/**
 * Computes the RRsets that a write changed, one row per step.
 *
 * @param changes RRsets that it was to change
 * @param before  rows of these, and of others that records came from, as they were
 * @param after   all rows at the names of both, as they are
 */
export function* affectedSteps(
  changes: readonly RRsetKey[],
  before: readonly RecordRow[],
  after: readonly RecordRow[]
): Generator<undefined, AffectedRRsets> {
  const keys = new Set<string>()
  for (const { name, type } of changes) {
    yield
    keys.add(`${name} ${type}`)
  }
  const keysBefore = yield* keySteps(before)
  const keysAfter = yield* keySteps(after)
  keysBefore.forEach((key) => keys.add(key))
  const sets: RRsetKey[] = []
  let remainingCount = 0
  for (const key of keys) {
    yield
    const [name, type] = [key.slice(0, key.lastIndexOf(' ')), key.slice(key.lastIndexOf(' ') + 1)]
    sets.push({ name, type })
    if (keysAfter.has(key)) remainingCount++
  }
  return { sets, addedSetCount: remainingCount - keysBefore.size }
}

function* keySteps(rows: readonly RecordRow[]): Generator<undefined, Set<string>> {
  const keys = new Set<string>()
  for (const row of rows) {
    yield
    keys.add(keyOf(row))
  }
  return keys
}
