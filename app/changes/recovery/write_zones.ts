import { setTimeout as wait } from 'node:timers/promises'
import type { DnsBackend } from '#backends/contract/backend'
import { WritesPending } from '#backends/contract/errors'
import { recoverPendingWrites } from '#changes/recovery/recover'
import { runZoneWork, type ZoneWrite } from '#changes/transaction/zone_transaction'

/** How often pending writes of the same zones are recovered before a write fails. */
const MAX_RECOVERIES = 3

/** Pause before the next recovery of a write whose process may still work on it. */
const PAUSE_MS = 300

/**
 * Runs work that writes zones and Zonewright tables in one transaction (`runZoneWork`). Recovers
 * pending writes of the same zones first. May retry the work after a conflict with another writer.
 */
export async function writeZones<T>(
  backend: DnsBackend,
  work: (write: ZoneWrite) => Promise<T>
): Promise<T> {
  for (let attemptsLeft = MAX_RECOVERIES; ; attemptsLeft--) {
    try {
      return await backend.write(runZoneWork(backend, work))
    } catch (error) {
      if (!(error instanceof WritesPending) || attemptsLeft === 0) {
        throw error
      }
      try {
        await recoverPendingWrites(backend, { zoneIds: error.zoneIds })
      } catch (cause) {
        if (!(cause instanceof WritesPending)) {
          throw cause
        }
        await wait(PAUSE_MS)
      }
    }
  }
}
