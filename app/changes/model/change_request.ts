import type { RecordAction, ZoneEdit } from '#changes/model/change_set'
import type { RecordData, RecordNote, RRset, RRsetKey } from '#dns/types'

/** What became of a change request. */
export type RequestStatus = 'pending' | 'approved' | 'rejected' | 'cancelled' | 'failed'

export const REQUEST_STATUSES: readonly RequestStatus[] = [
  'pending',
  'approved',
  'rejected',
  'cancelled',
  'failed',
]

/** Values of a record, whatever its id. */
export type RecordValue = Pick<RecordData, 'content' | 'priority' | 'disabled'>

/** An RRset and how others spelled its name, where that differs. */
export interface PlacedKey extends RRsetKey {
  spelling?: string
}

/** What is written about a record; null is "nothing". */
export interface NotedValue extends Pick<RecordData, 'content' | 'priority'> {
  note: RecordNote | null
}

/** What was there when an action was wished; the action is stale when that is so no longer. */
export type ActionBase =
  | (RecordsBase & {
      /** Of the records that the action speaks of; absent where there are none. */
      notes?: NotedValue[]
    })
  /** All records of the zone, by their digest. */
  | { kind: 'zone'; digest: string }

type RecordsBase =
  /** This record, with the TTL of its RRset. */
  | ({ kind: 'record'; ttl: number } & PlacedKey & RecordValue)
  /** No record of this value. */
  | ({ kind: 'absent' } & RRsetKey & Pick<RecordData, 'content' | 'priority'>)
  /** The RRset as a whole; null is "not there". */
  | ({ kind: 'rrset'; state: { ttl: number; records: RecordValue[] } | null } & RRsetKey)
  /** These records of the RRset. */
  | ({ kind: 'records'; records: RecordValue[] } & RRsetKey)

/** A record as it is to be, for people. */
export interface WishedRecord extends RRsetKey, RecordValue {
  ttl: number
}

/** One action of a request. */
export interface RequestAction {
  /** Position of its zone among those of the request. */
  zone: number
  /** null is the deletion of the zone. */
  wish: RecordAction | null
  base: ActionBase
  /** The record of an `add` or `edit` as it is to be. */
  after?: WishedRecord
  /** What somebody wrote about the record that they wish. */
  note?: string
  /** There was nothing left to do when the request got its base. */
  done?: boolean
}

/** What of a wish is about the zone as a whole; see `ZoneEdit`. */
export type ZoneTerms = Pick<
  ZoneEdit,
  'properties' | 'propertiesFrom' | 'stepSerial' | 'restores' | 'notes' | 'template'
>

/** A zone that a request is about, as it was when the request got its base. */
export interface RequestZone {
  id: number
  uid: string
  name: string
  baseSerial: number | null
  terms: ZoneTerms
}

/** Somebody, by value. */
export interface Who {
  id: number | null
  username: string
}

export interface Approval extends Who {
  comment: string | null
  createdAt: string
}

export interface RequestComment extends Who {
  number: number
  action: number | null
  text: string
  createdAt: string
}

/** A change set that somebody filed for review, with its base. */
export interface ChangeRequest {
  id: number
  kind: 'records' | 'zone_delete'
  status: RequestStatus
  version: number
  requester: Who
  comment: string | null
  reviewer: Who | null
  reviewComment: string | null
  createdAt: string
  reviewedAt: string | null
  appliedAt: string | null
  applyAt: string | null
  /** Known of what was taken back, by its requester or for the reason in `error`. */
  cancelledAt: string | null
  error: string | null
  /** As last looked at; null where nobody looked. */
  stale: number[] | null
  zones: RequestZone[]
  actions: RequestAction[]
  approvals: Approval[]
}

/** Whether a request waits for its moment: it is approved and not applied. */
export function isScheduled({ status, appliedAt }: ChangeRequest): boolean {
  return status === 'approved' && appliedAt === null
}

/** An RRset without ids. */
export function valueOf(set: RRset | null): { ttl: number; records: RecordValue[] } | null {
  return set && { ttl: set.ttl, records: set.records.map(recordValue) }
}

export function recordValue({ content, priority, disabled }: RecordValue): RecordValue {
  return { content, priority, disabled }
}
