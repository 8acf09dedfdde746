import type { KeyScope } from '#access/actor'

/** New name and scope of a key. */
export interface KeyDraft {
  name: string
  scope: KeyScope
  enabled?: boolean
}

/** Purpose of a restricted key: `dyndns` for updates of host addresses. */
export type KeyPurpose = 'dyndns' | null

/** A change of a key, before and after; null if there is no such state. */
export interface KeyChange {
  kind: 'created' | 'changed' | 'regenerated' | 'deleted'
  id: number
  owner: { id: number; username: string }
  before: Required<KeyDraft> | null
  after: Required<KeyDraft> | null
}
