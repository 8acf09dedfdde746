import { fileURLToPath } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { jobsOf, type Job, type JobDeclaration } from '#background/scheduler/declaration'
import { Scheduler, type SchedulerOptions } from '#background/scheduler/scheduler'
import { findLeases, type Lease } from '#background/scheduler/leases'
import { lastRuns, type Run } from '#background/scheduler/runs'

/** The script that test jobs run instead of an Ace command. */
export const SCRIPT = fileURLToPath(new URL('script.mjs', import.meta.url))

/** Declares a job whose arguments control the script. */
export function testJob(name: string, does: string[], more: Partial<JobDeclaration> = {}): Job {
  const declaration = {
    command: name,
    arguments: does,
    cron: '* * * * * *',
    timezone: 'UTC',
    timeoutSeconds: 30,
    jitterSeconds: 0,
    ...more,
  }
  return jobsOf([declaration], 'test')[0]
}

/** A log that stores its lines. */
export class Lines {
  readonly all: string[] = []
  warn = (_: object, text: string) => void this.all.push(text)
}

export const TERMS: SchedulerOptions = {
  script: SCRIPT,
  node: 'test',
  leaseMs: 3_000,
  maxStoredRuns: 100,
}

/** Returns a started scheduler of these jobs. */
export function started(jobs: Job[], terms: Partial<SchedulerOptions> = {}, log = new Lines()) {
  const scheduler = new Scheduler(jobs, { ...TERMS, ...terms }, log)
  scheduler.start({ firstRunMs: 20, intervalMs: 100 })
  return scheduler
}

/** Returns the runs of a job, oldest first. */
export async function runsOf(job: string): Promise<Run[]> {
  const runs = await lastRuns(job, { limit: 1_000 })
  return runs.reverse()
}

/** Sets the time up to which due times of a job are handled. */
export async function handledUntil(job: string, moment: string, overrides: object = {}) {
  await db.from('zw_job_leases').where('job', job).delete()
  await db.table('zw_job_leases').insert({ job, handled_until: moment, ...overrides })
}

/** Returns the row of a job. Throws without a row. */
export async function leaseOf(job: string): Promise<Lease> {
  const leases = await findLeases([job])
  const lease = leases.get(job)
  if (!lease) throw new Error(`No scheduler knows the job ${job} yet`)
  return lease
}
