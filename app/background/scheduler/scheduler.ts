import db from '@adonisjs/lucid/services/db'
import { databaseTime } from '#database/rows/clock'
import { withoutValues } from '#exceptions/database_errors'
import type { BackgroundLog, BackgroundWorker, TaskSchedule } from '#background/task'
import type { Job } from '#background/scheduler/declaration'
import { nextStart, startOf } from '#background/scheduler/decision'
import { JobRun, type RunTerms } from '#background/scheduler/job_run'
import { begin, beginQueued, end, readLeases, type Lease } from '#background/scheduler/leases'
import { findRun, queuedRuns, type Run } from '#background/scheduler/runs'

/** Shortest pause: after a run has ended, and before a job that is due now. */
const SOONEST_MS = 20

/** The interval is that for requested runs and for runs of lost nodes. */
const DEFAULT_SCHEDULE: TaskSchedule = { firstRunMs: SOONEST_MS, intervalMs: 5_000 }

/** Maximum number of jobs of one process. Each uses the memory of a process. */
const MAX_CONCURRENT_JOBS = 2

const NOTHING_TO_WRITE = { exitCode: null, output: null }

/** How a scheduler works. */
export interface SchedulerTerms extends RunTerms {
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
  #step: Promise<void> = Promise.resolve()
  #isStepping = false
  #isStopping = false
  #told = ''
  #intervalMs = DEFAULT_SCHEDULE.intervalMs
  readonly #runs = new Map<string, JobRun>()

  constructor(
    private readonly jobs: readonly Job[],
    private readonly terms: SchedulerTerms,
    private readonly logger: BackgroundLog
  ) {}

  start({ firstRunMs, intervalMs }: TaskSchedule = DEFAULT_SCHEDULE): void {
    this.#intervalMs = intervalMs
    this.#schedule(firstRunMs)
  }

  /** Checks requests now. */
  wake(): void {
    if (!this.#isStepping) {
      this.#schedule(0)
    }
  }

  /** Starts no more runs and stops the active ones; another process repeats them. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    await this.#step
    const runs = [...this.#runs.values()]
    runs.forEach((run) => run.stop())
    await Promise.all(runs.map((run) => run.done))
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.#isStopping) {
      this.#timer = setTimeout(() => {
        this.#isStepping = true
        this.#step = this.#look().finally(() => (this.#isStepping = false))
        void this.#step
      }, milliseconds)
    }
  }

  /** Never throws. */
  async #look(): Promise<void> {
    const longest = this.#intervalMs
    let pause = longest
    try {
      const leases = await readLeases(this.jobs.map(({ name }) => name))
      const queued = await queuedRuns()
      const now = await databaseTime(db.connection())
      for (const job of this.jobs) {
        const lease = leases.get(job.name)
        if (lease && !this.#isStopping) {
          const asked = queued.get(job.name) ?? null
          pause = Math.min(pause, await this.#startDueJob(job, lease, asked, now.getTime()))
        }
      }
      this.#told = ''
    } catch (error) {
      this.#logFailure(error)
    }
    this.#schedule(Math.max(SOONEST_MS, Math.min(pause, longest)))
  }

  /** Starts the job if it is due. Returns the time in ms until it may be due. */
  async #startDueJob(job: Job, lease: Lease, asked: Run | null, now: number): Promise<number> {
    if (this.#runs.has(job.name)) {
      return Infinity
    }
    if (lease.runId !== null) {
      return this.#abandonLostRun(lease, lease.runId, now)
    }
    if (this.#runs.size >= MAX_CONCURRENT_JOBS) {
      return Infinity
    }
    const due = startOf(job, lease, now)
    const run = asked
      ? await beginQueued(lease, asked, this.terms)
      : due && (await begin(lease, due, this.terms))
    if (run) {
      this.#work(job, run)
      return Infinity
    }
    const next = nextStart(job, lease, now)
    return next === null ? Infinity : next - now
  }

  /** Gives a run up whose node was not heard of for too long. */
  async #abandonLostRun({ job, leasedUntil }: Lease, runId: number, now: number): Promise<number> {
    const left = (leasedUntil ?? 0) - now
    if (left >= 0) {
      return left + 1
    }
    const run = await findRun(runId)
    if (run && (await end(run, { outcome: 'lost', ...NOTHING_TO_WRITE }))) {
      this.logger.warn(
        { job, run: runId, node: run.node },
        `Job ${job}: its node no longer responds`
      )
    }
    return SOONEST_MS
  }

  #work(job: Job, run: Run): void {
    const work = new JobRun(run, job, this.terms, this.logger)
    this.#runs.set(job.name, work)
    void work.done.then(() => {
      this.#runs.delete(job.name)
      this.wake()
    })
  }

  /** Logs an error that differs from the previous one. */
  #logFailure(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    if (text !== this.#told) {
      this.#told = text
      this.logger.warn({ err: withoutValues(error) }, 'Scheduling of jobs failed')
    }
  }
}
