import type { Answer } from '#tests/support/faults/api_calls'
import type { JournalEntry, State } from '#tests/support/faults/zone_history'
import type { SetName } from '#tests/support/model/state'

/** A zone that the writers share. */
export interface ModelZone {
  id: number
  name: string
}

/** What an entry says was there before and after, and all that came before it. */
export interface Step {
  before: State
  after: State
  /** State after each entry; index 0 is before the first. */
  states: State[]
  entries: JournalEntry[]
}

/** What the sender of a conditional write had seen. */
export interface Belief {
  of: 'zone' | 'rrset' | 'record'
  /** Of an RRset or record. */
  set?: SetName
  tag: string
  zone: ModelZone
}

/** One write, what came of it, and what it has to have done. */
export interface ModelWrite {
  /** Sent as its reason, by which the journal names it. */
  label: string
  kind: string
  zones: ModelZone[]
  dryRun: boolean
  beliefs: Belief[]
  /** What is wrong with the step of the journal in that zone, in words; the same state twice is "no change". */
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
