import { outsider } from '#access/actor'
import type { AuditEvent } from '#audit/event'
import type { FollowUp } from '#backends/contract/backend'
import type { AppliedZone, KeptState } from '#changes/transaction/change_context'
import type { Origin, ZoneChangeSet } from '#changes/model/change_set'
import type { Author } from '#changes/journal/write_entry'
import type { ZoneSideEffects } from '#changes/planning/side_effects'

/** Who a change set is for, as it is kept with writes that can be cut off. */
interface IntendedAuthor {
  userId: number | null
  username: string
  address: string | null
  channel: Author['actor']['channel']
  keyId: number | null
  reason: string | null
  origin: Origin | null
  /** The request with an `Idempotency-Key` (`markApplied`). */
  repeatId: number | null
}

/**
 * What is kept of the author of a change set until its writes are confirmed.
 *
 * @param repeatId the request that asked for it, where it may come again
 */
export function intendedAuthor(
  { actor, reason, origin }: Author,
  repeatId: number | null = null
): IntendedAuthor {
  const { userId, username, address, channel, key } = actor
  return { userId, username, address, channel, keyId: key?.id ?? null, reason, origin, repeatId }
}

/** The request that may come again, of what was kept; null where there is none. */
export function repeatOfIntended(kept: object | null): number | null {
  return (kept as IntendedAuthor | null)?.repeatId ?? null
}

/** The author of what was kept; nobody knows who, where nothing was. */
export function authorOfIntended(kept: object | null): Author {
  const nobody = { ...outsider(), keyId: null, reason: null, origin: null }
  const known = { ...nobody, ...(kept as IntendedAuthor | null) }
  const { userId, username, address, channel, keyId, reason, origin } = known
  const key = keyId === null ? null : { id: keyId }
  return { actor: { userId, username, address, channel, key }, reason, origin }
}

/** What own tables get with a zone that is written, beside its records. Kept until the write is confirmed. */
export interface PendingEffects {
  zoneId: number
  zoneName: string
  kept: KeptState
  /** Absent where there is nothing. */
  beside?: ZoneSideEffects
  /** What it came from, where that is not what the whole write came from. */
  origin?: Origin
  events: AuditEvent[]
  follows: FollowUp[]
}

/** The author of what is told of a zone. */
export function authorTold(author: Author, told: PendingEffects | undefined): Author {
  return { ...author, origin: told?.origin ?? author.origin }
}

/** What is told of a zone that was written in a rehearsal. */
export function toldZone(
  change: ZoneChangeSet,
  applied: AppliedZone,
  events: AuditEvent[],
  follows: FollowUp[]
): PendingEffects {
  const { zone, kept = { zoneBefore: null, zoneAfter: null }, beside } = applied
  const { id: zoneId, name: zoneName } = zone
  const origin = change.op === 'edit' ? change.origin : undefined
  const own = { ...(beside ? { beside } : {}), ...(origin ? { origin } : {}) }
  return { zoneId, zoneName, kept, ...own, events, follows }
}

/** The events of a rehearsal, with the number that the journal entry really got. */
export function renumbered(events: AuditEvent[], entry: number): AuditEvent[] {
  return events.map((event) =>
    event.detail?.entry === undefined ? event : { ...event, detail: { ...event.detail, entry } }
  )
}
