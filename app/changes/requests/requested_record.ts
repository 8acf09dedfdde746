import type { BackendZone } from '#backends/contract/backend'
import type { RecordInput } from '#changes/model/change_set'
import type { RequestedRecord } from '#changes/model/change_request'
import { ifValid } from '#dns/errors'
import { ownerName } from '#dns/names'
import { canonicalRecord } from '#dns/records/registry'
import type { RRset } from '#dns/types'

/**
 * A requested record for display. A record that cannot be normalised is shown as requested; the
 * plan reports its errors.
 *
 * @param set the RRset that it is added to, if there is one
 */
export function toRequestedRecord(
  zone: BackendZone,
  input: RecordInput,
  set: RRset | null
): RequestedRecord {
  const name = ownerName(input.name, zone.name)
  const type = input.type.toUpperCase()
  const { content, isTyped, priority, disabled } = input
  const ttl = input.ttl ?? set?.ttl
  const absoluteRecord = { type, content, isTyped, priority, disabled, name, apex: zone.name }
  const record = ifValid(() => canonicalRecord(absoluteRecord)) ?? { content, priority }
  return { name, type, ttl, content: record.content, priority: record.priority, disabled }
}
