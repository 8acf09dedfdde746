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
import { nextStartTime } from '#background/scheduler/decision'
import { startRun, findLeases, lockLease, readLeases } from '#background/scheduler/leases'
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

/** Every job with its state. */
export async function reportJobs(): Promise<JobReport[]> {
  const jobs = configuredJobs()
  const leases = await findLeases(jobs.map(({ name }) => name))
  const now = await databaseTime(db.connection())
  const reports: JobReport[] = []
  for (const job of jobs) {
    const { name, schedule, cron, timezone, timeoutMs } = job
    const lease = leases.get(name)
    const nextRunAt = lease ? nextStartTime(job, lease, now.getTime()) : null
    const [lastRun] = await lastRuns(name, { limit: 1 })
    reports.push({
      name,
      command: [name, ...job.arguments].join(' '),
      cron: schedule ? cron : null,
      timezone,
      enabled: schedule !== null,
      timeout_seconds: timeoutMs / 1_000,
      next_run_at: nextRunAt === null ? null : timestampOf(nextRunAt),
      failures: lease?.failures ?? 0,
      last_run: lastRun ?? null,
    })
  }
  return reports
}

/** The job of that name. Throws a 404 `Refusal` that lists the names. */
export function findJob(name: string): Job {
  const jobs = configuredJobs()
  const job = jobs.find((one) => one.name === name)
  if (!job) {
    const names = jobs.map((one) => one.name).join(', ')
    throw notFound(`There is no job '${name.slice(0, 64)}'; available: ${names}`)
  }
  return job
}

/** Requests a run of a job. Returns the waiting request if there is one. `finishRequest` ends the transaction of the HTTP request. */
export async function requestRun(
  job: Job,
  actor: AuditActor,
  finishRequest: (trx: TransactionClientContract) => Promise<void>
): Promise<Run> {
  await readLeases([job.name])
  return inTransaction(db.connection(), async (trx) => {
    // Concurrent requests wait, and then find this run.
    await lockLease(trx, job.name)
    const queuedByJob = await queuedRuns(trx)
    const queuedRun = queuedByJob.get(job.name)
    if (queuedRun) {
      await finishRequest(trx)
      return queuedRun
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
    await finishRequest(trx)
    return (await findRun(id, trx))!
  }).catch((error: unknown) => {
    throw isUniqueViolation(error)
      ? conflict(`A run of the job '${job.name}' is starting right now`)
      : error
  })
}

/** Starts a run of a job in this process. Throws a 409 `Refusal` if one is active. */
export async function startRunNow(
  job: Job,
  holder: { node: string; leaseMs: number }
): Promise<Run> {
  for (let attempts = 0; ; attempts += 1) {
    const leases = await readLeases([job.name])
    const lease = leases.get(job.name)!
    const now = await databaseTime(db.connection())
    const dueRun = { dueAt: now.getTime(), cause: 'manual' as const, missed: 0 }
    const run = lease.runId === null ? await startRun(lease, dueRun, holder) : null
    if (run) {
      return run
    }
    if (attempts > 3 || lease.runId !== null) {
      throw conflict(await alreadyRunningMessage(job, lease.runId))
    }
  }
}

async function alreadyRunningMessage({ name }: Job, runId: number | null): Promise<string> {
  const run = runId === null ? null : await findRun(runId)
  const location = run ? ` on ${run.node} since ${run.started_at}` : ''
  return `The job '${name}' is running${location}: only one run at a time is allowed`
}
