import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { importNewZones, noteAdopted } from '#changes/zone_index/discover'
import { sweepZones, type Repairs } from '#changes/recovery/reconcile'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'
import { correctZoneMarks } from '#lists/sql/zone_count'

/** How often it takes in new zones, and looks at some thousand others. */
const STEP_MS = 1_000

/** After all zones were looked at. */
const PASS_MS = 60_000

/** Where repairs and failures are told; the application's logger is one. */
interface ZoneKeeperLog extends KeeperLog {
  info(fields: object, text: string): void
}

/**
 * Keeps own rows of zones and their number right in the background, whatever other tools do to the zones: new
 * ones come in within a second, all else with the next pass over the zones. Any number of keepers may run on
 * one database: each step finds for itself what is to be done, and finds nothing where another was faster.
 */
export class ZoneKeeper extends BackgroundTask<ZoneKeeperLog> {
  /** The id after which the sweep goes on. */
  #after = 0
  #passEndedAt = -Infinity
  #isBegun = false
  /** Whether the index of zones was seen with something in it. */
  #isFilled = false

  /** @param begin called before the first step, again until it does not throw: whether the zones are the backend's */
  constructor(
    private readonly backend: () => DnsBackend,
    logger: ZoneKeeperLog,
    private readonly begin: () => Promise<void> = async () => {}
  ) {
    // At once: a database that Zonewright meets for the first time has no own rows.
    super(logger, { first: 0, every: STEP_MS, failure: 'The rows of zones cannot be kept' })
  }

  /** Takes in new zones, and goes on with the sweep where it is its time. */
  async step(): Promise<void> {
    if (!this.#isBegun) {
      await this.begin()
      this.#isBegun = true
    }
    let adopted = 0
    for (let more = 1; more > 0 && !this.stopping.aborted; adopted += more) {
      more = await importNewZones(this.backend(), { atMost: 1 })
      // SQLite's driver is synchronous: requests get their turn between the batches.
      await turn()
    }
    await noteAdopted(adopted)
    if (performance.now() - this.#passEndedAt < PASS_MS) {
      return
    }
    if (!(await this.#isIndexFilled())) {
      return
    }
    const { next, repairs } = await sweepZones(this.backend(), this.#after)
    this.#after = next ?? 0
    this.#tellRepairs(repairs)
    if (next === null) {
      const missed = await correctZoneMarks(db.connection())
      if (missed !== 0) {
        this.logger.info({ missed }, 'The kept number of zones was wrong')
      }
      this.#passEndedAt = performance.now()
    }
  }

  /**
   * An index that is filled from a server says nothing before it was: to a sweep, all zones would be gone. One that
   * had zones and lost them says so.
   */
  async #isIndexFilled(): Promise<boolean> {
    const { sync, zoneIndex } = this.backend()
    if (sync && !this.#isFilled) {
      this.#isFilled = Boolean(await db.from(zoneIndex.table).select(zoneIndex.columns.id).first())
      return this.#isFilled
    }
    return true
  }

  #tellRepairs(repairs: Repairs): void {
    if (Object.values(repairs).some((zones: number) => zones > 0)) {
      this.logger.info(repairs, 'Rows of zones that other tools changed')
    }
  }
}
