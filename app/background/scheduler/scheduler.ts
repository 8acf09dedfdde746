import db from '@adonisjs/lucid/services/db'
import { databaseTime } from '#database/rows/clock'
import { withoutValues } from '#exceptions/database_errors'
import type { BackgroundLog, BackgroundWorker, TaskSchedule } from '#background/task'
import type { Job } from '#background/scheduler/declaration'
import { nextStartTime, findDueRun } from '#background/scheduler/decision'
import { JobRun, type RunOptions } from '#background/scheduler/job_run'
import {
  startRun,
  startQueuedRun,
  endRun,
  readLeases,
  type Lease,
} from '#background/scheduler/leases'
import { findRun, queuedRuns, type Run } from '#background/scheduler/runs'

/** Shortest pause: after a run has ended, and before a job that is due now. */
const MIN_PAUSE_MS = 20

/** The interval is that for requested runs and for runs of lost nodes. */
const DEFAULT_SCHEDULE: TaskSchedule = { firstRunMs: MIN_PAUSE_MS, intervalMs: 5_000 }

/** Maximum number of jobs of one process. Each uses the memory of a process. */
const MAX_CONCURRENT_JOBS = 2

const NO_OUTPUT = { exitCode: null, output: null }

/** Options of a scheduler. */
export interface SchedulerOptions extends RunOptions {
  /** Names this process. */
  node: string
}

/**
 * Runs jobs when they are due. Any number of schedulers may work on one database: the first that inserts the run of a due time
 * owns it. All times are those of the database, so that nodes with different clocks agree. Due times follow from the last
 * handled one, so that none is lost with a process.
 */
export class Scheduler implements BackgroundWorker {
  #timer: NodeJS.Timeout | undefined
  #currentCheck: Promise<void> = Promise.resolve()
  #isChecking = false
  #isStopping = false
  #lastLoggedError = ''
  #intervalMs = DEFAULT_SCHEDULE.intervalMs
  readonly #runs = new Map<string, JobRun>()

  constructor(
    private readonly jobs: readonly Job[],
    private readonly options: SchedulerOptions,
    private readonly logger: BackgroundLog
  ) {}

  start({ firstRunMs, intervalMs }: TaskSchedule = DEFAULT_SCHEDULE): void {
    this.#intervalMs = intervalMs
    this.#schedule(firstRunMs)
  }

  /** Checks requests now. */
  wake(): void {
    if (!this.#isChecking) {
      this.#schedule(0)
    }
  }

  /** Starts no more runs and stops the active ones; another process repeats them. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    await this.#currentCheck
    const runs = [...this.#runs.values()]
    runs.forEach((run) => run.stop())
    await Promise.all(runs.map((run) => run.done))
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.#isStopping) {
      this.#timer = setTimeout(() => {
        this.#isChecking = true
        this.#currentCheck = this.#startDueJobs().finally(() => (this.#isChecking = false))
        void this.#currentCheck
      }, milliseconds)
    }
  }

  /** Never throws. */
  async #startDueJobs(): Promise<void> {
    const maxPauseMs = this.#intervalMs
    let pauseMs = maxPauseMs
    try {
      const leases = await readLeases(this.jobs.map(({ name }) => name))
      const queued = await queuedRuns()
      const now = await databaseTime(db.connection())
      for (const job of this.jobs) {
        const lease = leases.get(job.name)
        if (lease && !this.#isStopping) {
          const requestedRun = queued.get(job.name) ?? null
          pauseMs = Math.min(
            pauseMs,
            await this.#startDueJob(job, lease, requestedRun, now.getTime())
          )
        }
      }
      this.#lastLoggedError = ''
    } catch (error) {
      this.#logFailure(error)
    }
    this.#schedule(Math.max(MIN_PAUSE_MS, Math.min(pauseMs, maxPauseMs)))
  }

  /** Starts the job if it is due. Returns the time in ms until it may be due. */
  async #startDueJob(
    job: Job,
    lease: Lease,
    requestedRun: Run | null,
    now: number
  ): Promise<number> {
    if (this.#runs.has(job.name)) {
      return Infinity
    }
    if (lease.runId !== null) {
      return this.#abandonLostRun(lease, lease.runId, now)
    }
    if (this.#runs.size >= MAX_CONCURRENT_JOBS) {
      return Infinity
    }
    const due = findDueRun(job, lease, now)
    const run = requestedRun
      ? await startQueuedRun(lease, requestedRun, this.options)
      : due && (await startRun(lease, due, this.options))
    if (run) {
      this.#trackRun(job, run)
      return Infinity
    }
    const next = nextStartTime(job, lease, now)
    return next === null ? Infinity : next - now
  }

  /** Abandons a run if its node has sent no heartbeat for too long. */
  async #abandonLostRun({ job, leasedUntil }: Lease, runId: number, now: number): Promise<number> {
    const remainingMs = (leasedUntil ?? 0) - now
    if (remainingMs >= 0) {
      return remainingMs + 1
    }
    const run = await findRun(runId)
    if (run && (await endRun(run, { outcome: 'lost', ...NO_OUTPUT }))) {
      this.logger.warn(
        { job, run: runId, node: run.node },
        `Job ${job}: its node no longer responds`
      )
    }
    return MIN_PAUSE_MS
  }

  #trackRun(job: Job, run: Run): void {
    const jobRun = new JobRun(run, job, this.options, this.logger)
    this.#runs.set(job.name, jobRun)
    void jobRun.done.then(() => {
      this.#runs.delete(job.name)
      this.wake()
    })
  }

  /** Logs an error that differs from the previous one. */
  #logFailure(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    if (text !== this.#lastLoggedError) {
      this.#lastLoggedError = text
      this.logger.warn({ err: withoutValues(error) }, 'Scheduling of jobs failed')
    }
  }
}
