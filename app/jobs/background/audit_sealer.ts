import { ChainBroken } from '#audit/head'
import { outbox } from '#changes/transaction/outbox'
import { refusedCalls } from '#audit/refused_calls'
import { sealAll } from '#audit/sealer'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'

/** How long a committed event may wait for its seal. */
const POLL_MS = 2_000

/** Where failures are told; the application's logger is one. */
interface AuditKeeperLog extends KeeperLog {
  error(fields: object, text: string): void
}

/** Seals what was committed to the audit log, in the background. Any number of keepers may run on one database. */
export class AuditKeeper extends BackgroundTask<AuditKeeperLog> {
  #unsubscribe: (() => void) | undefined

  constructor(logger: AuditKeeperLog) {
    super(logger, { first: POLL_MS, every: POLL_MS, failure: 'The audit log cannot be sealed' })
  }

  /** Begins, and takes in what this process commits at once: those who listen to events wait for it. */
  override start(): void {
    super.start()
    this.#unsubscribe = outbox.onKick(() => this.hurry())
  }

  /** Also writes what was counted. */
  override async stop(): Promise<void> {
    this.#unsubscribe?.()
    await super.stop()
    await refusedCalls.flush()
  }

  async step(): Promise<void> {
    await sealAll(this.stopping)
  }

  protected override tell(error: unknown): void {
    if (error instanceof ChainBroken) {
      this.logger.error({}, error.message)
    } else {
      super.tell(error)
    }
  }
}
