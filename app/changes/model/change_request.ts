import type { RecordAction, ZoneEdit } from '#changes/model/change_set'
import type { RecordData, CommentText, RRset, RRsetKey } from '#dns/types'

/** States of a change request. */
export type RequestStatus = 'pending' | 'approved' | 'rejected' | 'cancelled' | 'failed'

export const REQUEST_STATUSES: readonly RequestStatus[] = [
  'pending',
  'approved',
  'rejected',
  'cancelled',
  'failed',
]

/** A record without its id. */
export type RecordValue = Pick<RecordData, 'content' | 'priority' | 'disabled'>

/** An RRset, and the stored spelling of its name if it differs. */
export interface SpelledKey extends RRsetKey {
  spelling?: string
}

/** The comment on a record; null for none. */
export interface CommentedValue extends Pick<RecordData, 'content' | 'priority'> {
  comment: CommentText | null
}

/** Baseline of an action; the action is stale once the stored state differs. */
export type ActionBaseline =
  | (RecordsBaseline & {
      /** Comments on the records of the action; absent without comments. */
      comments?: CommentedValue[]
    })
  /** All records of the zone, as a digest. */
  | { kind: 'zone'; digest: string }

type RecordsBaseline =
  /** This record, with the TTL of its RRset. */
  | ({ kind: 'record'; ttl: number } & SpelledKey & RecordValue)
  /** No record of this value. */
  | ({ kind: 'absent' } & RRsetKey & Pick<RecordData, 'content' | 'priority'>)
  /** The whole RRset; null if it does not exist. */
  | ({ kind: 'rrset'; state: { ttl: number; records: RecordValue[] } | null } & RRsetKey)
  /** These records of the RRset. */
  | ({ kind: 'records'; records: RecordValue[] } & RRsetKey)

/** A requested record, for display. */
export interface RequestedRecord extends RRsetKey, RecordValue {
  ttl: number
}

/** One action of a request. */
export interface RequestAction {
  /** Index of its zone in the request. */
  zone: number
  /** null: deletion of the zone. */
  requestedAction: RecordAction | null
  base: ActionBaseline
  /** The requested record of an `add` or `edit`. */
  after?: RequestedRecord
  /** The requested comment on the record. */
  comment?: string
  /** The action had no effect when its baseline was stored. */
  done?: boolean
}

/** Parts of a request about the zone as a whole; see `ZoneEdit`. */
export type ZoneParts = Pick<
  ZoneEdit,
  'properties' | 'propertiesFrom' | 'continuesSerial' | 'restores' | 'comments' | 'template'
>

/** A zone of a request, with its state at the baseline. */
export interface RequestZone {
  id: number
  uid: string
  name: string
  baseSerial: number | null
  terms: ZoneParts
}

/** A user, with the name at the time. */
export interface RecordedUser {
  id: number | null
  username: string
}

export interface Approval extends RecordedUser {
  comment: string | null
  createdAt: string
}

export interface RequestComment extends RecordedUser {
  number: number
  action: number | null
  text: string
  createdAt: string
}

/** A change set that was filed for review, with its baseline. */
export interface ChangeRequest {
  id: number
  kind: 'records' | 'zone_delete'
  status: RequestStatus
  version: number
  requester: RecordedUser
  comment: string | null
  reviewer: RecordedUser | null
  reviewComment: string | null
  createdAt: string
  reviewedAt: string | null
  appliedAt: string | null
  applyAt: string | null
  /**
   * Set if the requester cancelled the request, or if it was cancelled for the reason in `error`.
   */
  cancelledAt: string | null
  error: string | null
  /** Result of the last check; null before the first. */
  stale: number[] | null
  zones: RequestZone[]
  actions: RequestAction[]
  approvals: Approval[]
}

/** Whether a request is approved and waits for its scheduled time. */
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
