import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { importNewZones, refreshZoneStatistics } from '#changes/zone_index/discover'
import { reconcileZones, type Repairs } from '#changes/recovery/reconcile'
import { BackgroundTask, type BackgroundLog } from '#background/task'
import { correctZoneCount } from '#lists/sql/zone_count'

/** Between two passes over all zones. */
const PASS_INTERVAL_MS = 60_000

interface ZoneIndexLog extends BackgroundLog {
  info(fields: object, text: string): void
}

/**
 * Corrects zone rows and their number after changes by other tools: new zones are imported within a second, all else with the
 * next pass over the zones. Any number of processes may run it on one database; each run finds only work that is left.
 */
export class ZoneIndexSync extends BackgroundTask<ZoneIndexLog> {
  /** The pass continues after this id. */
  #lastCheckedId = 0
  #passEndedAt = -Infinity
  #isBackendChecked = false
  /** Whether the zone index has had a zone. */
  #isFilled = false

  /** @param checkBackend called before the first run, again until it does not throw: checks that the zones belong to the backend */
  constructor(
    private readonly backend: () => DnsBackend,
    logger: ZoneIndexLog,
    private readonly checkBackend: () => Promise<void> = async () => {}
  ) {
    super(logger, 'Update of the zone index failed')
  }

  /** Imports new zones, and continues the pass over all zones if it is due. */
  async runOnce(): Promise<void> {
    if (!this.#isBackendChecked) {
      await this.checkBackend()
      this.#isBackendChecked = true
    }
    let importedCount = 0
    for (
      let batchCount = 1;
      batchCount > 0 && !this.stopping.aborted;
      importedCount += batchCount
    ) {
      batchCount = await importNewZones(this.backend(), { maxZones: 1 })
      // SQLite's driver is synchronous: requests are served between the batches.
      await turn()
    }
    await refreshZoneStatistics(importedCount)
    if (performance.now() - this.#passEndedAt < PASS_INTERVAL_MS) {
      return
    }
    if (!(await this.#isIndexFilled())) {
      return
    }
    const { next, repairs } = await reconcileZones(this.backend(), this.#lastCheckedId)
    this.#lastCheckedId = next ?? 0
    this.#logRepairs(repairs)
    if (next === null) {
      const difference = await correctZoneCount(db.connection())
      if (difference !== 0) {
        this.logger.info({ missed: difference }, 'Wrong zone count corrected')
      }
      this.#passEndedAt = performance.now()
    }
  }

  /**
   * Whether the index was filled from the server once. Before that, the sweep would treat all zones as deleted. An index that
   * lost its zones counts as filled.
   */
  async #isIndexFilled(): Promise<boolean> {
    const { sync, zoneIndex } = this.backend()
    if (sync && !this.#isFilled) {
      this.#isFilled = Boolean(await db.from(zoneIndex.table).select(zoneIndex.columns.id).first())
      return this.#isFilled
    }
    return true
  }

  #logRepairs(repairs: Repairs): void {
    if (Object.values(repairs).some((zones: number) => zones > 0)) {
      this.logger.info(repairs, 'Zone index updated after changes by other tools')
    }
  }
}
