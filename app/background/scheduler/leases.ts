import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { record } from '#audit/record'
import type { AuditActor } from '#audit/event'
import { databaseTime, timestampOf } from '#database/rows/clock'
import { isUniqueViolation } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { backoffMs } from '#background/backoff'
import type { Cause, JobState, DueRun } from '#background/scheduler/decision'
import { findRun, insertRun, type Outcome, type Run } from '#background/scheduler/runs'

/** Added to the failures for `backoffMs`, so that the first pause is about twenty seconds. */
const FAILURES_BEFORE_FIRST_PAUSE = 4

/** Actor of scheduled runs. */
export const SCHEDULER_ACTOR: AuditActor = {
  userId: null,
  username: 'scheduler',
  key: null,
  address: null,
  channel: 'job',
}

/** Stored state of a job. */
export interface Lease extends JobState {
  job: string
  failures: number
  /** The active run; null for none. */
  runId: number | null
  leasedUntil: number | null
  version: number
}

interface LeaseRow {
  job: string
  handled_until: string
  failures: number
  retry_at: string | null
  run_id: number | string | null
  leased_until: string | null
  version: number
}

/** Locks the lease of a job until the transaction ends. Other requests for a run of it wait. */
export async function lockLease(trx: TransactionClientContract, job: string): Promise<void> {
  await trx.from('zw_job_leases').where('job', job).update({ job })
}

/** The outcome of a run and its output. */
export interface Ending {
  outcome: Exclude<Outcome, 'queued' | 'running'>
  exitCode: number | null
  output: string | null
}

/** The leases of these jobs, by name. A job without a lease gets one now, so it has no missed runs. */
export async function readLeases(
  names: string[],
  client: QueryClientContract = db.connection()
): Promise<Map<string, Lease>> {
  const storedLeases = await findLeases(names, client)
  const missingJobs = names.filter((name) => !storedLeases.has(name))
  if (missingJobs.length === 0) {
    return storedLeases
  }
  const now = await databaseTime(client)
  for (const job of missingJobs) {
    await client
      .table('zw_job_leases')
      .insert({ job, handled_until: now.toISOString() })
      .catch((error: unknown) => {
        // Another node was faster.
        if (!isUniqueViolation(error)) throw error
      })
  }
  return findLeases(names, client)
}

/** The stored leases, by name of the job. */
export async function findLeases(
  names: string[],
  client: QueryClientContract = db.connection()
): Promise<Map<string, Lease>> {
  const rows: LeaseRow[] = await client.from('zw_job_leases').whereIn('job', names)
  return new Map(rows.map((row) => [row.job, leaseFromRow(row)]))
}

function leaseFromRow(row: LeaseRow): Lease {
  const parseTime = (text: string | null) => (text === null ? null : Date.parse(text))
  return {
    job: row.job,
    handledUntil: Date.parse(row.handled_until),
    failures: Number(row.failures),
    retryAt: parseTime(row.retry_at),
    runId: row.run_id === null ? null : Number(row.run_id),
    leasedUntil: parseTime(row.leased_until),
    version: Number(row.version),
  }
}

/**
 * Starts a run if the job did not change since it was read, and no run is active. Returns it, or null if another node was
 * faster. The due time is then handled, whatever the outcome of the run.
 */
export async function startRun(
  lease: Lease,
  start: DueRun,
  holder: { node: string; leaseMs: number; requestedBy?: string }
): Promise<Run | null> {
  const { dueAt, cause, missed } = start
  const { node, leaseMs, requestedBy: requester = null } = holder
  try {
    return await inTransaction(db.connection(), async (trx) => {
      const newHandledUntil = cause === 'retry' || cause === 'manual' ? lease.handledUntil : dueAt
      if (
        !(await updateIfUnchanged(trx, lease, {
          handled_until: timestampOf(newHandledUntil),
          retry_at: null,
        }))
      ) {
        return null
      }
      const now = await databaseTime(trx)
      const id = await insertRun(trx, {
        job: lease.job,
        due_at: timestampOf(dueAt),
        cause,
        missed,
        outcome: 'running',
        node,
        requested_by: requester,
        started_at: now.toISOString(),
      })
      await assignRun(trx, lease.job, id, now, leaseMs)
      return findRun(id, trx)
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // The due time has a run already: by a manual start, or before the row of the job was reset.
    await updateIfUnchanged(db.connection(), lease, handledColumns(cause, dueAt))
    return null
  }
}

/** The columns of a job after a due time was handled. */
function handledColumns(cause: Cause, dueAt: number): Record<string, string> {
  switch (cause) {
    case 'manual':
      return {}
    case 'retry':
      return { retry_at: timestampOf(dueAt + 1) }
    default:
      return { handled_until: timestampOf(dueAt) }
  }
}

/** Starts a requested run, see `startRun`. */
export async function startQueuedRun(
  lease: Lease,
  queued: Run,
  holder: { node: string; leaseMs: number }
): Promise<Run | null> {
  return inTransaction(db.connection(), async (trx) => {
    if (!(await updateIfUnchanged(trx, lease, {}))) {
      return null
    }
    const now = await databaseTime(trx)
    const row = { outcome: 'running', node: holder.node, started_at: now.toISOString() }
    const changed = await trx
      .from('zw_job_runs')
      .where({ id: queued.id, outcome: 'queued' })
      .update(row)
    if (Number(changed) === 0) {
      return null
    }
    await assignRun(trx, lease.job, queued.id, now, holder.leaseMs)
    return findRun(queued.id, trx)
  })
}

/** Sends a heartbeat. Returns whether the run still has its job. */
export async function renewLease(run: Run, leaseMs: number): Promise<boolean> {
  const now = await databaseTime(db.connection())
  const changed = await db
    .from('zw_job_leases')
    .where({ job: run.job, run_id: run.id })
    .update({ leased_until: timestampOf(now.getTime() + leaseMs) })
  return Number(changed) > 0
}

/**
 * Stores the outcome of a run and releases the job; a failure delays the next run. Returns false and does nothing if the run
 * has ended, or if a run that counts as lost is alive.
 */
export async function endRun(run: Run, { outcome, exitCode, output }: Ending): Promise<boolean> {
  return inTransaction(db.connection(), async (trx) => {
    const now = await databaseTime(trx)
    const endedColumns = { outcome, exit_code: exitCode, output, ended_at: now.toISOString() }
    // Locks the lease before the run, in the same order as all other writers.
    const row: LeaseRow | null = await trx
      .from('zw_job_leases')
      .where({ job: run.job, run_id: run.id })
      .forUpdate()
      .first()
    if (outcome === 'lost' && row && (row.leased_until ?? '') > now.toISOString()) {
      // The run is alive: it has sent a heartbeat.
      return false
    }
    const changed = await trx
      .from('zw_job_runs')
      .where({ id: run.id, outcome: 'running' })
      .update(endedColumns)
    if (Number(changed) === 0) {
      return false
    }
    if (row) {
      const { failures, retryAt } = columnsAfterRun(outcome, Number(row.failures), now.getTime())
      await trx
        .from('zw_job_leases')
        .where('job', run.job)
        .update({
          run_id: null,
          leased_until: null,
          failures,
          retry_at: retryAt === null ? null : timestampOf(retryAt),
          version: Number(row.version) + 1,
        })
    }
    if (isFailure(outcome)) {
      const detail = { run: run.id, outcome, exit_code: exitCode, node: run.node }
      const object = { kind: 'job' as const, id: null, name: run.job }
      await record(trx, SCHEDULER_ACTOR, {
        action: 'job.failed',
        object,
        outcome: 'failed',
        detail,
      })
    }
    return true
  })
}

/** Whether the run, or its node, failed. */
export function isFailure(outcome: Outcome): boolean {
  return outcome === 'failed' || outcome === 'timed_out' || outcome === 'lost'
}

/** The columns of a job after a run with this outcome. */
function columnsAfterRun(outcome: Ending['outcome'], failures: number, now: number) {
  if (outcome === 'succeeded') {
    return { failures: 0, retryAt: null }
  }
  if (outcome === 'stopped') {
    return { failures, retryAt: now }
  }
  // A lost node is rarely caused by its job, but it can be.
  const pauseMs = backoffMs(failures + 1 + (outcome === 'lost' ? 0 : FAILURES_BEFORE_FIRST_PAUSE))
  return { failures: failures + 1, retryAt: now + pauseMs }
}

/** Updates the row of a job if it did not change since it was read, and no run is active. */
async function updateIfUnchanged(
  client: QueryClientContract,
  { job, version }: Lease,
  changes: Record<string, string | null>
): Promise<boolean> {
  const changed = await client
    .from('zw_job_leases')
    .where({ job, version })
    .whereNull('run_id')
    .update({ ...changes, version: version + 1 })
  return Number(changed) > 0
}

async function assignRun(
  trx: TransactionClientContract,
  job: string,
  runId: number,
  now: Date,
  leaseMs: number
): Promise<void> {
  await trx
    .from('zw_job_leases')
    .where('job', job)
    .update({ run_id: runId, leased_until: timestampOf(now.getTime() + leaseMs) })
}
