import type { Actor } from '#access/actor'
import type { NewZone, ZoneKind } from '#backends/contract'
import type { RecordId } from '#dns/types'

/** A record as a door hands it over: not yet normalised, checked only for shape. */
export interface RecordInput {
  /** Relative to the zone, `@`, or absolute. */
  name: string
  type: string
  content: string
  /** Seconds. */
  ttl: number
  priority: number
  disabled: boolean
}

/** One wish about the records of a zone. */
export type RecordAction =
  | { op: 'add'; record: RecordInput }
  | { op: 'edit'; id: RecordId; patch: Partial<RecordInput> }
  | { op: 'delete'; id: RecordId }

/** Properties of a zone that can change; absent members stay. */
export interface ZoneProperties {
  /** New apex, canonical. */
  name?: string
  kind?: ZoneKind
  masters?: string[]
  account?: string | null
  description?: string | null
}

/** Ids of the users and groups that own a zone. */
export interface Owners {
  users: number[]
  groups: number[]
}

/** The part of a change set that is about one zone. */
export type ZoneChangeSet =
  | {
      op: 'create'
      zone: NewZone
      description: string | null
      owners: Owners
      /** First records of the zone. */
      records: RecordInput[]
    }
  | { op: 'edit'; zoneId: number; properties?: ZoneProperties; actions: RecordAction[] }
  | { op: 'delete'; zoneId: number }

/** What a change set came from, when not straight from its actor's request. */
export interface Origin {
  kind: 'undo' | 'restore' | 'request' | 'template' | 'import' | 'bulk'
  id: string
}

/**
 * What somebody wants to change, on one zone or several, to be done as a whole or not at all. The only
 * way to write a zone or a record.
 */
export interface ChangeSet {
  actor: Actor
  reason: string | null
  origin: Origin | null
  zones: ZoneChangeSet[]
}
