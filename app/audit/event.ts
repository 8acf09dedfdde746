import type { Actor, Channel } from '#access/actor'
import type { AuditAction } from '#audit/actions'
import type { Json } from '#audit/canonical_json'

/** Who did it, as far as that is known; an `Actor` is one. */
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

/** Members of an event's detail; absent ones are left out. */
export type Detail = Record<string, Json | undefined>

/** Something that happened. */
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

/** An event with who did it. */
export interface ActedEvent {
  actor: AuditActor
  event: AuditEvent
}

/** An unauthenticated caller. */
export function anonymousActor(address: string | null, channel: Channel): AuditActor {
  return { userId: null, username: null, key: null, address, channel }
}
