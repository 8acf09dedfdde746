import db from '@adonisjs/lucid/services/db'
import type { AuditActor } from '#audit/event'
import { record } from '#audit/record'
import { databaseTime, timestampOf } from '#database/rows/clock'
import { isUniqueViolation } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { conflict, notFound } from '#exceptions/refusal'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { configuredJobs } from '#background/scheduler/configured'
import type { Job } from '#background/scheduler/declaration'
import { nextStart } from '#background/scheduler/decision'
import { begin, find, holdLease, readLeases } from '#background/scheduler/leases'
import { findRun, insertRun, lastRuns, queuedRuns, type Run } from '#background/scheduler/runs'

/** A job and its state. Times are ISO 8601 in UTC. */
export interface JobReport {
  name: string
  /** The Ace command with its arguments. */
  command: string
  /** null for a job without a schedule. */
  cron: string | null
  timezone: string
  enabled: boolean
  timeout_seconds: number
  /** null if no scheduler ran yet, and for a disabled job. */
  next_run_at: string | null
  /** Runs that failed in a row. */
  failures: number
  last_run: Run | null
}

/** Every job and how it stands. */
export async function reportJobs(): Promise<JobReport[]> {
  const jobs = configuredJobs()
  const leases = await find(jobs.map(({ name }) => name))
  const now = await databaseTime(db.connection())
  const reports: JobReport[] = []
  for (const job of jobs) {
    const { name, schedule, cron, timezone, timeoutMs } = job
    const lease = leases.get(name)
    const next = lease ? nextStart(job, lease, now.getTime()) : null
    const [last] = await lastRuns(name, { limit: 1 })
    reports.push({
      name,
      command: [name, ...job.arguments].join(' '),
      cron: schedule ? cron : null,
      timezone,
      enabled: schedule !== null,
      timeout_seconds: timeoutMs / 1_000,
      next_run_at: next === null ? null : timestampOf(next),
      failures: lease?.failures ?? 0,
      last_run: last ?? null,
    })
  }
  return reports
}

/** The job of that name. Throws a 404 `Refusal` that lists the names. */
export function jobNamed(name: string): Job {
  const jobs = configuredJobs()
  const job = jobs.find((one) => one.name === name)
  if (!job) {
    const names = jobs.map((one) => one.name).join(', ')
    throw notFound(`There is no job '${name.slice(0, 64)}'; available: ${names}`)
  }
  return job
}

/** Requests a run of a job. Returns the waiting request if there is one. `settle` ends the transaction of the HTTP request. */
export async function requestRun(
  job: Job,
  actor: AuditActor,
  settle: (trx: TransactionClientContract) => Promise<void>
): Promise<Run> {
  await readLeases([job.name])
  return inTransaction(db.connection(), async (trx) => {
    // Concurrent requests wait, and then find this run.
    await holdLease(trx, job.name)
    const waiting = await queuedRuns(trx)
    const asked = waiting.get(job.name)
    if (asked) {
      await settle(trx)
      return asked
    }
    const now = await databaseTime(trx)
    const id = await insertRun(trx, {
      job: job.name,
      due_at: now.toISOString(),
      cause: 'manual',
      outcome: 'queued',
      requested_by: actor.username,
    })
    const object = { kind: 'job' as const, id: null, name: job.name }
    await record(trx, actor, { action: 'job.requested', object, detail: { run: id } })
    await settle(trx)
    return (await findRun(id, trx))!
  }).catch((error: unknown) => {
    throw isUniqueViolation(error)
      ? conflict(`A run of the job '${job.name}' is starting right now`)
      : error
  })
}

/** Starts a run of a job in this process. Throws a 409 `Refusal` if one is active. */
export async function beginNow(job: Job, holder: { node: string; leaseMs: number }): Promise<Run> {
  for (let attempts = 0; ; attempts += 1) {
    const leases = await readLeases([job.name])
    const lease = leases.get(job.name)!
    const now = await databaseTime(db.connection())
    const due = { dueAt: now.getTime(), cause: 'manual' as const, missed: 0 }
    const run = lease.runId === null ? await begin(lease, due, holder) : null
    if (run) {
      return run
    }
    if (attempts > 3 || lease.runId !== null) {
      throw conflict(await runningText(job, lease.runId))
    }
  }
}

async function runningText({ name }: Job, runId: number | null): Promise<string> {
  const run = runId === null ? null : await findRun(runId)
  const where = run ? ` on ${run.node} since ${run.started_at}` : ''
  return `The job '${name}' is running${where}: only one run at a time is allowed`
}
