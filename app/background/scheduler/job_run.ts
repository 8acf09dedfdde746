import { withoutValues } from '#exceptions/database_errors'
import type { Job } from '#background/scheduler/declaration'
import { JobProcess } from '#background/scheduler/job_process'
import { end, isFailure, prolong, type Ending } from '#background/scheduler/leases'
import { forgetRuns, type Run } from '#background/scheduler/runs'
import type { BackgroundLog } from '#background/task'

/** How often an end that cannot be written down is tried again. */
const RETRY_MS = 2_000

/** How runs are carried out. */
export interface RunTerms {
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
  readonly #beat: NodeJS.Timeout
  #heardAt = performance.now()
  #isBeating = false
  #isStopping = false
  /** Resolves to the outcome after it was stored, if possible; never rejects. */
  readonly done: Promise<Ending>

  constructor(
    readonly run: Run,
    job: Job,
    private readonly terms: RunTerms,
    private readonly logger: BackgroundLog
  ) {
    this.#process = new JobProcess(terms.script, job, terms.echo)
    this.#beat = setInterval(() => void this.#signOfLife(), terms.leaseMs / 3)
    this.done = this.#toItsEnd()
  }

  /** Asks the command to end. */
  stop(): void {
    this.#isStopping = true
    this.#process.stop()
  }

  /** Never throws. */
  async #signOfLife(): Promise<void> {
    if (performance.now() - this.#heardAt > this.terms.leaseMs * MAX_SILENT_SHARE) {
      this.#process.abandon()
      return
    }
    if (this.#isBeating) {
      return
    }
    this.#isBeating = true
    const askedAt = performance.now()
    try {
      if (await prolong(this.run, this.terms.leaseMs)) {
        this.#heardAt = askedAt
      } else {
        this.#process.abandon()
      }
    } catch (error) {
      this.logger.warn(
        { err: withoutValues(error) },
        `Job ${this.run.job}: renewal of the lease failed`
      )
    }
    this.#isBeating = false
  }

  async #toItsEnd(): Promise<Ending> {
    const ending = await this.#process.ended
    while (!(await this.#writeDown(ending)) && !this.#isStopping) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    clearInterval(this.#beat)
    if (isFailure(ending.outcome)) {
      const { job, id } = this.run
      const fields = { job, run: id, outcome: ending.outcome, exit_code: ending.exitCode }
      this.logger.warn(fields, `Job ${job} failed: see node ace jobs:history ${job}`)
    }
    return ending
  }

  /** Whether it was written, or is no business of this process any more. */
  async #writeDown(ending: Ending): Promise<boolean> {
    try {
      await end(this.run, ending)
      await forgetRuns(this.run.job, this.terms.maxStoredRuns)
      return true
    } catch (error) {
      this.logger.warn(
        { err: withoutValues(error) },
        `Job ${this.run.job}: its result has not been stored yet`
      )
      return performance.now() - this.#heardAt > this.terms.leaseMs
    }
  }
}
