import { presentContent } from '#dns/records/registry'
import type { RecordId, RRset } from '#dns/types'
import type { StoredRecord } from '#backends/contract/types'
import { defineList } from '#lists/declaration'
import type { ListQuery } from '#lists/query'

/** Lists of records. The default order, by stored type and name, has an index; `sort` compares the values that callers see. */
export const RECORD_LIST = defineList({
  sort: {
    name: 'natural',
    type: 'natural',
    content: 'natural',
    ttl: 'number',
    priority: 'number',
  },
  filters: { type: 'caseless', name: 'contains', content: 'contains' },
  search: ['name', 'content'],
  names: ['name', 'content'],
  defaultOrder: [{ field: 'stored_type' }, { field: 'stored_name' }, { field: 'id' }],
})

/** Lists of RRsets. `content` and `q` search all records of a set. */
export const RRSET_LIST = defineList({
  sort: { name: 'natural', type: 'natural', ttl: 'number' },
  filters: { type: 'caseless', name: 'contains', content: 'contains' },
  search: ['name', 'content'],
  names: ['name', 'content'],
  defaultOrder: [{ field: 'stored_type' }, { field: 'stored_name' }, { field: 'first_id' }],
})

type Filters = keyof typeof RECORD_LIST.filters

/** Query of a list of records. */
export type RecordListQuery = ListQuery<keyof typeof RECORD_LIST.sort, Filters>
/** Query of a list of RRsets. */
export type RRsetListQuery = ListQuery<keyof typeof RRSET_LIST.sort, Filters>

/** Form of a record type. */
const TYPE_PATTERN = /^[A-Za-z0-9-]{1,10}$/

/** Whether no record can match, because the filtered type is no possible type. */
export function hasImpossibleType({ filters }: Pick<RecordListQuery, 'filters'>): boolean {
  return filters.type !== undefined && !TYPE_PATTERN.test(filters.type)
}

/** A record with the values that lists compare: contents and priorities as callers see them. */
export interface ListedRecord {
  name: string
  type: string
  content: string
  ttl: number
  priority: number
  stored_type: string
  stored_name: string
  id: RecordId
  record: StoredRecord
}

/** Converts a record for lists. */
export function toListedRecord(record: StoredRecord): ListedRecord {
  const { name, type, ttl, id } = record
  const content = presentContent(type, record.content)
  const priority = record.priority ?? 0
  return { name, type, content, ttl, priority, stored_type: type, stored_name: name, id, record }
}

/** An RRset with the values that lists compare: all contents as callers see them. */
export interface ListedRRset {
  name: string
  type: string
  content: string
  ttl: number
  stored_type: string
  stored_name: string
  /** Identifies the RRset. */
  set: string
  /** Id of its first record, which also identifies the RRset. */
  first_id: RecordId
  rrset: RRset
}

/** Converts an RRset for lists. */
export function toListedRRset(rrset: RRset): ListedRRset {
  const { name, type, ttl } = rrset
  const contents = rrset.records.map((record) => presentContent(type, record.content))
  // No content contains the separator.
  const content = contents.join('\0')
  const set = `${name} ${type}`
  const stored = { stored_type: type, stored_name: name }
  return { name, type, content, ttl, ...stored, set, first_id: rrset.records[0]?.id ?? '', rrset }
}
