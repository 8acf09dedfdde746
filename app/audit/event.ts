import type { Actor, Channel } from '#access/actor'
import type { AuditAction } from '#audit/actions'
import type { Json } from '#audit/canonical_json'

/** The actor of an event, as far as known. An `Actor` has these members, too. */
export interface AuditActor {
  userId: number | null
  /** null for an unauthenticated caller: a claimed name is not an identity. */
  username: string | null
  key: Pick<NonNullable<Actor['key']>, 'id'> | null
  address: string | null
  channel: Channel
}

/** Outcome: done, denied, or failed. */
export type Outcome = 'success' | 'denied' | 'failed'

/** The object of the action. */
export interface AuditObject {
  kind: 'user' | 'key' | 'group' | 'template' | 'zone' | 'zone_template' | 'job' | 'webhook'
  id: number | null
  name: string | null
}

/** Members of the detail of an event; undefined ones are omitted. */
export type Detail = Record<string, Json | undefined>

/** An event of the audit log, without its actor. */
export interface AuditEvent {
  action: AuditAction
  object?: AuditObject | null
  /** `success` by default. */
  outcome?: Outcome
  /** No secrets. Names of zones only in the member `zones` (`actions.ts`). */
  detail?: Detail
  /** ISO 8601 in UTC with milliseconds; now by default. */
  time?: string
}

/** An event with its actor. */
export interface ActedEvent {
  actor: AuditActor
  event: AuditEvent
}

/** Returns the actor for an unauthenticated caller. */
export function anonymousActor(address: string | null, channel: Channel): AuditActor {
  return { userId: null, username: null, key: null, address, channel }
}
