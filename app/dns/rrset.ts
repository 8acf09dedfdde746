import { recordType } from '#dns/records/registry'
import type { RRset } from '#dns/types'

/** Whether name servers answer with at least one record of the RRset. */
export function isServed({ records }: RRset): boolean {
  return records.some(({ disabled }) => !disabled)
}

/** The host names that an RRset points to, each once. */
export function targetsOf({ type, records }: RRset): string[] {
  const known = recordType(type)
  if (!known) return []
  if (records.length === 1) return known.targets(records[0].content)
  return [...new Set(records.flatMap(({ content }) => known.targets(content)))]
}
