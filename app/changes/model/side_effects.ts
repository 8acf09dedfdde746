import type { AuditEvent } from '#audit/event'
import type { FollowUp } from '#backends/contract/backend'
import type { Origin } from '#changes/model/intent'
import type { RequestedLink } from '#changes/model/template_link'
import type { RRsetCommentChanges } from '#dns/record_comments'

/**
 * What a write stores in Zonewright tables besides the records and the journal entry of a zone. A
 * pending write stores it as JSON, and recovery applies the same object. Each member needs an entry
 * in `STORE_EFFECTS` and `RECOVER_EFFECTS` (`effect_handlers.ts`).
 */
export interface SideEffects {
  /** The template of the zone; null if the change names none. */
  template: RequestedLink | null
  /** Changed comments on records. */
  comments: RRsetCommentChanges[]
  auditEvents: AuditEvent[]
  /** Work of the name server after the commit. */
  outbox: FollowUp[]
}

/** The zone itself before and after a change, as in its journal entry. */
export interface JournalState {
  zoneBefore: object | null
  zoneAfter: object | null
  /** DNSSEC keys of a deleted zone, encrypted; null if it has none. */
  keys?: string | null
}

/** The side effects of one zone of a pending write. */
export interface ZoneEffects extends SideEffects {
  zoneId: number
  zoneName: string
  journal: JournalState
  /** Set if it differs from the origin of the change set. */
  origin?: Origin
}
