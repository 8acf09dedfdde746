import type { Job } from '#background/scheduler/declaration'
import { nextDue, type Schedule } from '#background/scheduler/due_times'

/** State of a job. Times are ms since 1970. */
export interface JobState {
  /** All due times up to this one are handled. */
  handledUntil: number
  /** Set after an unfinished run: the next run starts at this time, even if no due time is reached. */
  retryAt: number | null
}

/** Why a run begins. */
export type Cause = 'schedule' | 'catch-up' | 'retry' | 'manual'

/** A run that is to begin now. */
export interface DueRun {
  dueAt: number
  cause: Cause
  /** Number of earlier due times without a run, which this run covers. */
  missed: number
}

/** A run that starts this much after its due time, or covers others, is a catch-up. */
const CATCH_UP_AFTER_MS = 60_000

/** More missed runs than this are not counted. */
export const MAX_MISSED_RUNS = 1_000

/**
 * The run to start now, if any. One run covers all past due times. After an unfinished run, the next run starts when
 * its pause ends.
 */
export function findDueRun(job: Job, state: JobState, now: number): DueRun | null {
  const { retryAt, handledUntil } = state
  if (retryAt !== null && now < retryAt) {
    return null
  }
  const until = now - job.delayMs
  const first = job.schedule && nextDue(job.schedule, handledUntil)
  if (job.schedule && first !== null && first <= until) {
    const { last, missed } = countDueTimes(job.schedule, first, until)
    const isLate = missed > 0 || until - last > CATCH_UP_AFTER_MS
    return { dueAt: last, cause: isLate ? 'catch-up' : 'schedule', missed }
  }
  return retryAt === null ? null : { dueAt: retryAt, cause: 'retry', missed: 0 }
}

/** When the job starts next without a request; null for never. */
export function nextStartTime(job: Job, state: JobState, now: number): number | null {
  if (state.retryAt !== null) {
    return Math.max(state.retryAt, now)
  }
  const due = job.schedule && nextDue(job.schedule, state.handledUntil)
  return due === null ? null : Math.max(due + job.delayMs, now)
}

/** The last due time up to `until`, and the number of due times before it from `first` on. */
function countDueTimes(schedule: Schedule, first: number, until: number) {
  let last = first
  let missed = 0
  for (; missed < MAX_MISSED_RUNS; missed += 1) {
    const next = nextDue(schedule, last)
    if (next === null || next > until) {
      return { last, missed }
    }
    last = next
  }
  return { last: lastDueTime(schedule, last, until), missed }
}

/** The last due time up to `until`. `firstDue` is a due time; searches backwards from the end in growing steps. */
function lastDueTime(schedule: Schedule, firstDue: number, until: number): number {
  for (let distanceMs = 60_000; until - distanceMs > firstDue; distanceMs *= 2) {
    let due = nextDue(schedule, until - distanceMs)
    if (due !== null && due <= until) {
      for (let next = due; next <= until;) {
        due = next
        next = nextDue(schedule, due) ?? Infinity
      }
      return due
    }
  }
  return firstDue
}
