import type { Actor } from '#access/actor'

/** Somebody's wish to write: who, why, and on what terms. */
export interface Intent {
  actor: Actor
  /** Kept in the journal. */
  reason: string | null
  /** Only plan: the write is checked and rolled back; its outcome is `planned`. */
  dryRun: boolean
  /** Apply nothing but the plan of this hash. */
  planHash: string | null
  /** The repeatable request that this is, so that it is never carried out twice (`repeats.ts`). */
  repeatId: number | null
  /**
   * What becomes of a change that has to go through review: it is refused by default; `file` files a request for it, and `ask` does of any
   * change, also of what could be made at once.
   */
  review?: 'file' | 'ask'
  /** When a request that is filed is to be applied once it is approved, as own tables store moments. */
  applyAt?: string | null
}

/** The plain wish of an actor, with other terms where they are given. */
export function intentOf(actor: Actor, terms: Partial<Omit<Intent, 'actor'>> = {}): Intent {
  return { actor, reason: null, dryRun: false, planHash: null, repeatId: null, ...terms }
}

/** What a change set came from, when not straight from its actor's request. */
export interface Origin {
  kind: 'undo' | 'restore' | 'request' | 'template' | 'import' | 'bulk' | 'clone'
  id: string
}

/** Who made an entry, and why. */
export interface Author {
  actor: Pick<Actor, 'userId' | 'username' | 'address' | 'channel'> & { key: { id: number } | null }
  reason: string | null
  origin: Origin | null
}
