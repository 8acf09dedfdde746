import type { Actor } from '#access/actor'

/** The terms of a write: actor, reason and options. */
export interface Intent {
  actor: Actor
  /** Stored in the journal. */
  reason: string | null
  /** The write is checked and rolled back; its outcome is `planned`. */
  dryRun: boolean
  /** Apply the plan of this hash only. */
  planHash: string | null
  /** The row of its idempotency key (`idempotency/requests.ts`); null without one. */
  repeatId: number | null
  /**
   * Handling of a change that needs review. It is refused by default; `file` files a change
   * request, and `ask` files one for any change.
   */
  review?: 'file' | 'ask'
  /** Scheduled time of a filed request, as Zonewright tables store timestamps. */
  applyAt?: string | null
}

/** The default terms of an actor, with `options` as changes. */
export function intentOf(actor: Actor, options: Partial<Omit<Intent, 'actor'>> = {}): Intent {
  return { actor, reason: null, dryRun: false, planHash: null, repeatId: null, ...options }
}

/** The origin of a change set that is no direct request of its actor. */
export interface Origin {
  kind: 'undo' | 'restore' | 'request' | 'template' | 'import' | 'bulk' | 'clone'
  id: string
}

/** The author of a journal entry. */
export interface Author {
  actor: Pick<Actor, 'userId' | 'username' | 'address' | 'channel'> & { key: { id: number } | null }
  reason: string | null
  origin: Origin | null
}
