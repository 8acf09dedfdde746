import { withoutValues } from '#exceptions/database_errors'

/** After a failure: somebody may have to look first. */
const BRAKE_MS = 30_000

/** Soon: what comes together, as many writes do, is one step. */
const SOON_MS = 250

/** Where failures are told; the application's logger is one. */
export interface KeeperLog {
  warn(fields: object, text: string): void
}

/** When a keeper works, in ms, and what is said when it cannot. */
export interface KeeperTerms {
  first: number
  every: number
  failure: string
}

/**
 * Work in the background of the process that serves, step after step, for as long as it runs. A step that fails is
 * tried again after a while; each failure is told once.
 */
export abstract class BackgroundTask<Log extends KeeperLog = KeeperLog> {
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()
  readonly #stopping = new AbortController()
  #told = ''
  #isWorking = false
  #isHurried = false

  constructor(
    protected readonly logger: Log,
    private readonly terms: KeeperTerms
  ) {}

  /** Does what there is to do. Ends soon once `stopping` is aborted. */
  abstract step(): Promise<void>

  start(): void {
    this.#schedule(this.terms.first)
  }

  /** Takes the next step soon, not only when it is its time; while one is on, when that has ended. */
  protected hurry(): void {
    this.#isHurried = true
    if (!this.#isWorking && this.#told === '') {
      this.#schedule(SOON_MS)
    }
  }

  /** Resolves when nothing is in work any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#work
  }

  protected get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Tells a failure that was not told just before. */
  protected tell(error: unknown): void {
    this.logger.warn({ err: withoutValues(error) }, this.terms.failure)
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.stopping.aborted) {
      this.#timer = setTimeout(() => {
        this.#work = this.#run()
      }, milliseconds).unref()
    }
  }

  /** Never throws. */
  async #run(): Promise<void> {
    let pause = this.terms.every
    this.#isWorking = true
    this.#isHurried = false
    try {
      await this.step()
      this.#told = ''
    } catch (error) {
      pause = BRAKE_MS
      const text = error instanceof Error ? error.message : String(error)
      if (text !== this.#told) {
        this.#told = text
        this.tell(error)
      }
    }
    this.#isWorking = false
    this.#schedule(this.#isHurried && this.#told === '' ? SOON_MS : pause)
  }
}
