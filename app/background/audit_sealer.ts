import { ChainBroken } from '#audit/head'
import { outbox } from '#changes/transaction/outbox'
import { sealAll } from '#audit/sealer'
import { BackgroundTask, type BackgroundLog, type TaskSchedule } from '#background/task'

interface AuditSealerLog extends BackgroundLog {
  error(fields: object, text: string): void
}

/** Appends committed audit events to the hash chain. Any number of processes may run it on one database. */
export class AuditSealer extends BackgroundTask<AuditSealerLog> {
  #unsubscribe: (() => void) | undefined

  constructor(logger: AuditSealerLog) {
    super(logger, 'Sealing of the audit log failed')
  }

  /** Also runs after each commit of this process: event streams wait for sealed events. */
  override start(schedule: TaskSchedule): void {
    super.start(schedule)
    this.#unsubscribe = outbox.onWake(() => this.wake())
  }

  override async stop(): Promise<void> {
    this.#unsubscribe?.()
    await super.stop()
  }

  async runOnce(): Promise<void> {
    await sealAll(this.stopping)
  }

  protected override logFailure(error: unknown): void {
    if (error instanceof ChainBroken) {
      this.logger.error({}, error.message)
    } else {
      super.logFailure(error)
    }
  }
}
