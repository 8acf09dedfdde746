import { withoutValues } from '#exceptions/database_errors'

/** Pause after a failed run: its cause often needs an operator. */
const RETRY_MS = 30_000

/** Delay after a wake-up: writes that arrive together need one run only. */
const WAKE_DELAY_MS = 250

/** Receives failures; the application's logger is one. */
export interface BackgroundLog {
  warn(fields: object, text: string): void
}

/** When a task runs. */
export interface TaskSchedule {
  firstRunMs: number
  /** From the end of a run to the start of the next. */
  intervalMs: number
}

/** Something that works in the background of the serving process until it is stopped. */
export interface BackgroundWorker {
  start(schedule: TaskSchedule): void
  /** Resolves when no work is in progress any more. */
  stop(): Promise<void>
}

/**
 * Work that is repeated while the process serves. A failed run is repeated after a pause. A failure is logged once until
 * another one follows or a run succeeds.
 */
export abstract class BackgroundTask<
  Log extends BackgroundLog = BackgroundLog,
> implements BackgroundWorker {
  #timer: NodeJS.Timeout | undefined
  #run: Promise<void> = Promise.resolve()
  readonly #stopping = new AbortController()
  #intervalMs = Infinity
  #lastFailure = ''
  #isRunning = false
  #isWakeRequested = false

  /** @param failureText the log line of a failed run */
  constructor(
    protected readonly logger: Log,
    private readonly failureText: string
  ) {}

  /** Does all work that is due. Ends soon after `stopping` is aborted. */
  abstract runOnce(): Promise<void>

  start({ firstRunMs, intervalMs }: TaskSchedule): void {
    this.#intervalMs = intervalMs
    this.#schedule(firstRunMs)
  }

  /** Runs the task soon instead of after its interval; during a run, soon after that. No effect during a retry pause. */
  protected wake(): void {
    this.#isWakeRequested = true
    if (!this.#isRunning && this.#lastFailure === '') {
      this.#schedule(WAKE_DELAY_MS)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#run
  }

  protected get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  protected logFailure(error: unknown): void {
    this.logger.warn({ err: withoutValues(error) }, this.failureText)
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.stopping.aborted) {
      this.#timer = setTimeout(() => {
        this.#run = this.#runAndReschedule()
      }, milliseconds).unref()
    }
  }

  /** Never throws. */
  async #runAndReschedule(): Promise<void> {
    let pause = this.#intervalMs
    this.#isRunning = true
    this.#isWakeRequested = false
    try {
      await this.runOnce()
      this.#lastFailure = ''
    } catch (error) {
      pause = RETRY_MS
      const text = error instanceof Error ? error.message : String(error)
      if (text !== this.#lastFailure) {
        this.#lastFailure = text
        this.logFailure(error)
      }
    }
    this.#isRunning = false
    this.#schedule(this.#isWakeRequested && this.#lastFailure === '' ? WAKE_DELAY_MS : pause)
  }
}
