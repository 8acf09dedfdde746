import type { KeyScope } from '#access/actor'

/** Name and scope that a key is to have. */
export interface KeyDraft {
  name: string
  scope: KeyScope
  enabled?: boolean
}

/** What a key is for, where it is for one thing alone: the addresses of hosts. */
export type KeyPurpose = 'dyndns' | null

/** What was done to a key, before and after; null where there is none. */
export interface KeyChange {
  kind: 'created' | 'changed' | 'regenerated' | 'deleted'
  id: number
  owner: { id: number; username: string }
  before: Required<KeyDraft> | null
  after: Required<KeyDraft> | null
}
