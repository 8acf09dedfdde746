import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { MAX_MISSED_RUNS, type Cause } from '#background/scheduler/decision'

/** State of a run: queued, running, succeeded, failed, timed out, stopped with its node, or lost with its node. */
export type Outcome =
  'queued' | 'running' | 'succeeded' | 'failed' | 'timed_out' | 'stopped' | 'lost'

/** A run in answers and output. Times are ISO 8601 in UTC. */
export interface Run {
  id: number
  job: string
  due_at: string
  cause: Cause
  /** Number of other due times that the run covers; 1000 stands for 1000 or more. */
  missed: number
  outcome: Outcome
  node: string | null
  /** User name of the requester. */
  requested_by: string | null
  started_at: string | null
  ended_at: string | null
  exit_code: number | null
  /** The last lines of the output. */
  output: string | null
}

/** A row of a new run. */
export type NewRun = Pick<Run, 'job' | 'due_at' | 'cause' | 'outcome'> &
  Partial<Pick<Run, 'missed' | 'node' | 'requested_by' | 'started_at'>>

/** Inserts a run and returns its id. Throws a unique violation if the due time has a run. */
export async function insertRun(trx: TransactionClientContract, run: NewRun): Promise<number> {
  const row = { ...run, missed: Math.min(run.missed ?? 0, MAX_MISSED_RUNS) }
  const [inserted] = await trx
    .insertQuery<{ id: number | string } | number>()
    .table('zw_job_runs')
    .returning('id')
    .insert(row)
  return Number(typeof inserted === 'object' ? inserted.id : inserted)
}

/** The run with this id; null if it was deleted from the history. */
export async function findRun(
  id: number,
  client: QueryClientContract = db.connection()
): Promise<Run | null> {
  const row: Run | null = await client.from('zw_job_runs').where('id', id).first()
  return row && runFromRow(row)
}

/** The last runs of a job, the newest first. */
export async function lastRuns(
  job: string | null,
  { offset = 0, limit }: { offset?: number; limit: number }
): Promise<Run[]> {
  const query = db.from('zw_job_runs').orderBy('id', 'desc').offset(offset).limit(limit)
  const rows: Run[] = await (job === null ? query : query.where('job', job))
  return rows.map(runFromRow)
}

/** Number of runs of a job in the history. */
export async function countRuns(job: string): Promise<number> {
  const [row] = await db.from('zw_job_runs').where('job', job).count('* as total')
  const { total } = row as unknown as { total: number | string }
  return Number(total)
}

/** Requested runs that wait, by job; the oldest of each job. */
export async function queuedRuns(
  client: QueryClientContract = db.connection()
): Promise<Map<string, Run>> {
  const rows: Run[] = await client
    .from('zw_job_runs')
    .where('outcome', 'queued')
    .orderBy('id', 'desc')
  return new Map(rows.map((row) => [row.job, runFromRow(row)]))
}

/** Deletes the oldest runs of a job, except for the newest `maxRuns`. */
export async function pruneRuns(job: string, maxRuns: number): Promise<void> {
  const oldest: { id: number | string } | null = await db
    .from('zw_job_runs')
    .where('job', job)
    .orderBy('id', 'desc')
    .offset(maxRuns)
    .select('id')
    .first()
  if (oldest) {
    await db
      .from('zw_job_runs')
      .where('job', job)
      .where('id', '<=', Number(oldest.id))
      .whereNotIn('outcome', ['queued', 'running'])
      .delete()
  }
}

function runFromRow(row: Run): Run {
  return {
    id: Number(row.id),
    job: row.job,
    due_at: row.due_at,
    cause: row.cause,
    missed: Number(row.missed),
    outcome: row.outcome,
    node: row.node,
    requested_by: row.requested_by,
    started_at: row.started_at,
    ended_at: row.ended_at,
    exit_code: row.exit_code,
    output: row.output,
  }
}
