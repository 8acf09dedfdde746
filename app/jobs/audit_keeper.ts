import type { AuditActor } from '#audit/event'
import { ChainBroken } from '#audit/head'
import { pruneLog } from '#audit/pruner'
import { refusedCalls } from '#audit/refused_calls'
import { sealAll } from '#audit/sealer'
import logging from '#config/logging'
import { Keeper, type KeeperLog } from '#jobs/keeper'

/** How long a committed event may wait for its seal. */
const POLL_MS = 2_000

const PRUNE_INTERVAL_MS = 60 * 60 * 1000

/** Who removes old events by the setting. */
const RETENTION: AuditActor = {
  userId: null,
  username: 'retention',
  key: null,
  address: null,
  door: 'job',
}

/** Where failures are told; the application's logger is one. */
interface AuditKeeperLog extends KeeperLog {
  error(fields: object, text: string): void
}

/**
 * Keeps the audit log in the background: seals what was committed, and removes what is older than
 * `logging.audit_retention_days`. Any number of keepers may run on one database.
 */
export class AuditKeeper extends Keeper<AuditKeeperLog> {
  #prunedAt = 0

  constructor(logger: AuditKeeperLog) {
    super(logger, { first: POLL_MS, every: POLL_MS, failure: 'The audit log cannot be sealed' })
  }

  /** Also writes what was counted. */
  override async stop(): Promise<void> {
    await super.stop()
    await refusedCalls.flush()
  }

  async step(): Promise<void> {
    await sealAll(this.stopping)
    const days = logging.audit_retention_days
    if (days > 0 && Date.now() - this.#prunedAt >= PRUNE_INTERVAL_MS) {
      this.#prunedAt = Date.now()
      await pruneLog(RETENTION, days, false, this.stopping)
    }
  }

  protected override tell(error: unknown): void {
    if (error instanceof ChainBroken) {
      this.logger.error({}, error.message)
    } else {
      super.tell(error)
    }
  }
}
