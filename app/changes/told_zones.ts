import { outsider } from '#access/actor'
import type { AuditEvent } from '#audit/event'
import type { FollowUp } from '#backends/contract'
import type { AppliedZone, KeptState } from '#changes/change_context'
import type { Origin } from '#changes/change_set'
import type { Author } from '#changes/journal'

/** Who a change set is for, as it is kept with writes that can be cut off. */
interface IntendedAuthor {
  userId: number | null
  username: string
  address: string | null
  door: Author['actor']['door']
  keyId: number | null
  reason: string | null
  origin: Origin | null
}

/** What is kept of the author of a change set until its writes are confirmed. */
export function intendedAuthor({ actor, reason, origin }: Author): IntendedAuthor {
  const { userId, username, address, door, key } = actor
  return { userId, username, address, door, keyId: key?.id ?? null, reason, origin }
}

/** The author of what was kept; nobody knows who, where nothing was. */
export function authorOfIntended(kept: object | null): Author {
  const { userId, username, address, door } = outsider()
  const nobody = { userId, username, address, door, keyId: null, reason: null, origin: null }
  const { keyId, reason, origin, ...actor } = { ...nobody, ...(kept as IntendedAuthor | null) }
  return { actor: { ...actor, key: keyId === null ? null : { id: keyId } }, reason, origin }
}

/** What own tables get with a zone that is written, beside its records. Kept until the write is confirmed. */
export interface ToldZone {
  zoneId: number
  kept: KeptState
  events: AuditEvent[]
  follows: FollowUp[]
}

/** What is told of a zone that was written in a rehearsal. */
export function toldZone(
  applied: AppliedZone,
  events: AuditEvent[],
  follows: FollowUp[]
): ToldZone {
  const { zone, kept = { zoneBefore: null, zoneAfter: null } } = applied
  return { zoneId: zone.id, kept, events, follows }
}

/** The events of a rehearsal, with the number that the journal entry really got. */
export function renumbered(events: AuditEvent[], entry: number): AuditEvent[] {
  return events.map((event) =>
    event.detail?.entry === undefined ? event : { ...event, detail: { ...event.detail, entry } }
  )
}
