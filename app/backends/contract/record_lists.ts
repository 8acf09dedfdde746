import { presentContent } from '#dns/records/registry'
import type { RecordId, RRset } from '#dns/types'
import type { StoredRecord } from '#backends/contract/types'
import { defineList } from '#lists/declaration'
import type { ListQuery } from '#lists/query'

/**
 * Lists of records. The default order is that in which the backend keeps type and name, which indexes serve;
 * `sort` compares what callers see.
 */
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

/** Lists of RRsets. `content` and `q` look into all records of a set. */
export const RRSET_LIST = defineList({
  sort: { name: 'natural', type: 'natural', ttl: 'number' },
  filters: { type: 'caseless', name: 'contains', content: 'contains' },
  search: ['name', 'content'],
  names: ['name', 'content'],
  defaultOrder: [{ field: 'stored_type' }, { field: 'stored_name' }, { field: 'first_id' }],
})

type Filters = keyof typeof RECORD_LIST.filters

/** What a list of records is asked for. */
export type RecordListQuery = ListQuery<keyof typeof RECORD_LIST.sort, Filters>
/** What a list of RRsets is asked for. */
export type RRsetListQuery = ListQuery<keyof typeof RRSET_LIST.sort, Filters>

/** What a record type can look like; no record has another. */
const TYPE_WORD = /^[A-Za-z0-9-]{1,10}$/

/** Whether no record can match, as the wanted type can be none. */
export function isHopeless({ filters }: Pick<RecordListQuery, 'filters'>): boolean {
  return filters.type !== undefined && !TYPE_WORD.test(filters.type)
}

/** A record with what lists compare: contents and priorities as callers see them. */
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

/** A record as lists have it. */
export function listedRecord(record: StoredRecord): ListedRecord {
  const { name, type, ttl, id } = record
  const content = presentContent(type, record.content)
  const priority = record.priority ?? 0
  return { name, type, content, ttl, priority, stored_type: type, stored_name: name, id, record }
}

/** An RRset with what lists compare: all of its contents as callers see them. */
export interface ListedRRset {
  name: string
  type: string
  content: string
  ttl: number
  stored_type: string
  stored_name: string
  /** Tells it from all others. */
  set: string
  /** Id of its first record, which tells it from all others too. */
  first_id: RecordId
  rrset: RRset
}

/** An RRset as lists have it. */
export function listedRRset(rrset: RRset): ListedRRset {
  const { name, type, ttl } = rrset
  const contents = rrset.records.map((record) => presentContent(type, record.content))
  // No content has the character between them.
  const content = contents.join('\0')
  const set = `${name} ${type}`
  const stored = { stored_type: type, stored_name: name }
  return { name, type, content, ttl, ...stored, set, first_id: rrset.records[0]?.id ?? '', rrset }
}
