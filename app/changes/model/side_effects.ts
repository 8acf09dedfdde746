import type { AuditEvent } from '#audit/event'
import type { FollowUp } from '#backends/contract/backend'
import type { Origin } from '#changes/model/intent'
import type { WantedLink } from '#changes/model/template_link'
import type { NotedSet } from '#dns/record_comments'

/**
 * What a write stores in Zonewright's tables besides the records and the journal entry of a zone. JSON: a pending write
 * stores it, and recovery applies the same object. Each member needs an entry in `STORE` and `RECOVER` (`pending_effects.ts`).
 */
export interface SideEffects {
  /** The template that the zone came from; null where the change names none. */
  template: WantedLink | null
  /** Comments on records that change. */
  comments: NotedSet[]
  auditEvents: AuditEvent[]
  /** What the name server has to do after the commit. */
  outbox: FollowUp[]
}

/** The zone itself before and after a change, as its journal entry has it. */
export interface JournalState {
  zoneBefore: object | null
  zoneAfter: object | null
  /** DNSSEC keys of a deleted zone, sealed; null where it has none. */
  keys?: string | null
}

/** The side effects of one zone of a pending write. */
export interface ZoneEffects extends SideEffects {
  zoneId: number
  zoneName: string
  journal: JournalState
  /** Where it differs from the origin of the whole change set. */
  origin?: Origin
}
