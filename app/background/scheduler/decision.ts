import type { Job } from '#background/scheduler/declaration'
import { nextDue, type Schedule } from '#background/scheduler/due_times'

/** What is known of a job, moments in ms since 1970. */
export interface JobState {
  /** Every due moment up to this one was dealt with. */
  handledUntil: number
  /** A run did not get to its end: the next one does not begin before this moment, and then in any case. */
  retryAt: number | null
}

/** Why a run begins. */
export type Cause = 'schedule' | 'catch-up' | 'retry' | 'manual'

/** A run that is to begin now. */
export interface Start {
  dueAt: number
  cause: Cause
  /** Due moments before it that nobody ran; it stands for them too. */
  missed: number
}

/** A run that begins so much later than it was due, or stands for others, is a catch-up. */
const LATE_MS = 60_000

/** More missed runs than this are not counted. */
export const MAX_MISSED = 1_000

/**
 * What has to begin at a moment, if anything. However many due moments have passed, one run catches up with all of
 * them. After one that did not get to its end the next run waits for its pause, and comes when that is over, due or
 * not.
 */
export function startOf(job: Job, state: JobState, now: number): Start | null {
  const { retryAt, handledUntil } = state
  if (retryAt !== null && now < retryAt) {
    return null
  }
  const until = now - job.delayMs
  const first = job.schedule && nextDue(job.schedule, handledUntil)
  if (job.schedule && first !== null && first <= until) {
    const { last, missed } = walk(job.schedule, first, until)
    const isLate = missed > 0 || until - last > LATE_MS
    return { dueAt: last, cause: isLate ? 'catch-up' : 'schedule', missed }
  }
  return retryAt === null ? null : { dueAt: retryAt, cause: 'retry', missed: 0 }
}

/** When the job begins next, if nobody asks for it before; null for never. */
export function nextStart(job: Job, state: JobState, now: number): number | null {
  if (state.retryAt !== null) {
    return Math.max(state.retryAt, now)
  }
  const due = job.schedule && nextDue(job.schedule, state.handledUntil)
  return due === null ? null : Math.max(due + job.delayMs, now)
}

/** The last due moment up to `until`, and how many there are before it from `first` on. */
function walk(schedule: Schedule, first: number, until: number) {
  let last = first
  let missed = 0
  for (; missed < MAX_MISSED; missed += 1) {
    const next = nextDue(schedule, last)
    if (next === null || next > until) {
      return { last, missed }
    }
    last = next
  }
  return { last: lastUntil(schedule, last, until), missed }
}

/** The last due moment up to `until`, of which `known` is one: looks back from the end, further each time. */
function lastUntil(schedule: Schedule, known: number, until: number): number {
  for (let back = 60_000; until - back > known; back *= 2) {
    let due = nextDue(schedule, until - back)
    if (due !== null && due <= until) {
      for (let next = due; next <= until;) {
        due = next
        next = nextDue(schedule, due) ?? Infinity
      }
      return due
    }
  }
  return known
}
