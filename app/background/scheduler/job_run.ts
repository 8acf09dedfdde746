import { withoutValues } from '#exceptions/database_errors'
import type { Job } from '#background/scheduler/declaration'
import { JobProcess } from '#background/scheduler/job_process'
import { endRun, isFailure, renewLease, type Ending } from '#background/scheduler/leases'
import { pruneRuns, type Run } from '#background/scheduler/runs'
import type { BackgroundLog } from '#background/task'

/** Pause between attempts to store the outcome of a run. */
const RETRY_MS = 2_000

/** Options of runs. */
export interface RunOptions {
  /** Script that runs Ace commands. */
  script: string
  leaseMs: number
  maxStoredRuns: number
  /** Receives the output of commands. */
  echo?: (text: string) => void
}

/** Part of a lease without a successful heartbeat after which the job is killed: before another node takes over. */
const MAX_SILENT_SHARE = 0.6

/**
 * A run whose lease this process holds. It sends three heartbeats per lease. If they fail, it kills the command before another
 * node can take over.
 */
export class JobRun {
  readonly #process: JobProcess
  readonly #heartbeatTimer: NodeJS.Timeout
  #lastHeartbeatAt = performance.now()
  #isHeartbeatPending = false
  #isStopping = false
  /** Resolves to the outcome after it was stored, if possible; never rejects. */
  readonly done: Promise<Ending>

  constructor(
    readonly run: Run,
    job: Job,
    private readonly options: RunOptions,
    private readonly logger: BackgroundLog
  ) {
    this.#process = new JobProcess(options.script, job, options.echo)
    this.#heartbeatTimer = setInterval(() => void this.#sendHeartbeat(), options.leaseMs / 3)
    this.done = this.#waitForEnd()
  }

  /** Asks the command to end. */
  stop(): void {
    this.#isStopping = true
    this.#process.stop()
  }

  /** Never throws. */
  async #sendHeartbeat(): Promise<void> {
    if (performance.now() - this.#lastHeartbeatAt > this.options.leaseMs * MAX_SILENT_SHARE) {
      this.#process.abandon()
      return
    }
    if (this.#isHeartbeatPending) {
      return
    }
    this.#isHeartbeatPending = true
    const sentAt = performance.now()
    try {
      if (await renewLease(this.run, this.options.leaseMs)) {
        this.#lastHeartbeatAt = sentAt
      } else {
        this.#process.abandon()
      }
    } catch (error) {
      this.logger.warn(
        { err: withoutValues(error) },
        `Job ${this.run.job}: renewal of the lease failed`
      )
    }
    this.#isHeartbeatPending = false
  }

  async #waitForEnd(): Promise<Ending> {
    const ending = await this.#process.ended
    while (!(await this.#storeEnding(ending)) && !this.#isStopping) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    clearInterval(this.#heartbeatTimer)
    if (isFailure(ending.outcome)) {
      const { job, id } = this.run
      const fields = { job, run: id, outcome: ending.outcome, exit_code: ending.exitCode }
      this.logger.warn(fields, `Job ${job} failed: see node ace jobs:history ${job}`)
    }
    return ending
  }

  /** Returns whether the outcome was stored, or the run belongs to another process by now. */
  async #storeEnding(ending: Ending): Promise<boolean> {
    try {
      await endRun(this.run, ending)
      await pruneRuns(this.run.job, this.options.maxStoredRuns)
      return true
    } catch (error) {
      this.logger.warn(
        { err: withoutValues(error) },
        `Job ${this.run.job}: its result has not been stored yet`
      )
      return performance.now() - this.#lastHeartbeatAt > this.options.leaseMs
    }
  }
}
