import type { StoredRecord } from '#backends/contract/backend'
import { recordTag } from '#changes/model/etags'
import { presentContent, recordType } from '#dns/records/registry'
import { shownRecordId } from '#transformers/record_id'
import { ttlText } from '#web/format/durations'
import { shownOwner, type DisplayName } from '#web/page/display_name'

/** A record as the editor shows it. */
export interface RecordView {
  id: string
  /** Entity tag of the stored record; a change sends this tag. */
  tag: string
  owner: DisplayName
  /** Relative to the zone, in the form of input fields. */
  name: string
  type: string
  content: string
  ttl: number
  ttlText: string
  /** null if the type has no priority. */
  priority: number | null
  disabled: boolean
  /** The comment of the record; '' for none. */
  comment: string
  /** Values for the editor's script, as JSON. */
  data: string
}

/** Returns a record for the editor of its zone. */
export function recordView(record: StoredRecord, apex: string, comment = ''): RecordView {
  const { name, type, ttl, disabled } = record
  const owner = shownOwner(name, apex)
  const values = {
    id: String(shownRecordId(record.id)),
    tag: recordTag(record),
    name: owner.ascii ?? owner.text,
    type,
    content: presentContent(type, record.content),
    ttl,
    priority: recordType(type)?.priority ? (record.priority ?? 0) : null,
    disabled,
    comment,
  }
  return { ...values, owner, ttlText: ttlText(ttl), data: JSON.stringify(values) }
}
