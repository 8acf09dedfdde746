import { recordType } from '#dns/records/registry'
import type { RRset } from '#dns/types'

/** Returns whether at least one record is enabled. */
export function isServed({ records }: RRset): boolean {
  return records.some(({ disabled }) => !disabled)
}

/** Returns the target host names of an RRset, without duplicates. */
export function targetsOf({ type, records }: RRset): string[] {
  const known = recordType(type)
  if (!known) return []
  if (records.length === 1) return known.targets(records[0].content)
  return [...new Set(records.flatMap(({ content }) => known.targets(content)))]
}
