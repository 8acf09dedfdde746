import type { Answer } from '#tests/support/faults/api_calls'
import type { JournalEntry, State } from '#tests/support/faults/zone_history'
import type { SetName } from '#tests/support/model/state'

/** A zone that the writers share. */
export interface ModelZone {
  id: number
  name: string
}

/** An entry with the state before, the state after, and the entries before it. */
export interface Step {
  before: State
  after: State
  /** State after each entry. Index 0 is the state before the first. */
  states: State[]
  entries: JournalEntry[]
}

/** State that the sender of a conditional write had read. */
export interface Belief {
  of: 'zone' | 'rrset' | 'record'
  /** The RRset or record. */
  set?: SetName
  tag: string
  zone: ModelZone
}

/** One write, its response and its expected effect. */
export interface ModelWrite {
  /** Sent as the reason. The journal stores it. */
  label: string
  kind: string
  zones: ModelZone[]
  dryRun: boolean
  beliefs: Belief[]
  /** Returns faults of the journal step in this zone. Equal states mean "no change". */
  check: (zone: ModelZone, step: Step) => string[]
  /** Ticks of one clock that all writers share. */
  sentAt: number
  answeredAt: number
  answer: Answer
}

export const KINDS = [
  'create',
  'update',
  'delete',
  'replace',
  'clear',
  'bulk',
  'changes',
  'comment',
  'undo',
  'restore',
  'describe',
  'dyndns',
] as const

export type Kind = (typeof KINDS)[number]
