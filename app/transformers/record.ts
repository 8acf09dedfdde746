import type { BackendZone } from '#backends/contract/backend'
import { relativeName } from '#dns/names'
import { presentContent } from '#dns/records/registry'
import { shownRecordId } from '#transformers/record_id'
import type { CommentedRecord } from '#zones/records/records'

/** A record in a list, with an absolute name. */
export function recordItem(record: CommentedRecord) {
  return { id: shownRecordId(record.id), ...fields(record, record.name) }
}

/** A record with a name relative to the zone, `@` at the apex. */
export function recordDetail(zone: BackendZone, record: CommentedRecord) {
  return {
    id: shownRecordId(record.id),
    zone_id: zone.id,
    ...fields(record, relativeName(record.name, zone.name)),
  }
}

function fields(record: CommentedRecord, name: string) {
  return {
    name,
    type: record.type,
    content: presentContent(record.type, record.content),
    ttl: record.ttl,
    priority: record.priority ?? 0,
    disabled: record.disabled,
    auth: record.auth,
    ...(record.comment === undefined ? {} : { comment: record.comment }),
  }
}
