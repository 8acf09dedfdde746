import type { DnsBackend } from '#backends/contract'
import { AT_WORK_MS } from '#backends/unconfirmed'
import type { SyncedZones } from '#backends/zone_sync'
import { settleUnconfirmed } from '#changes/unconfirmed'
import { adoptNewZones } from '#changes/zone_adoption'
import { relistZones } from '#changes/zone_sweep'

/** What bringing the product up to date with a server came to. */
export interface Synchronised extends SyncedZones {
  /** Writes that were cut off, and whose outcome is found out now. */
  settled: number
}

/**
 * Brings the list of zones up to date with the server's, where the product knows them by a list, and finds out what
 * became of writes that were cut off. null where the backend has no list. Any number may do so at once. Throws
 * `BackendUnavailable`; what was done until then stays.
 */
export async function synchroniseZones(backend: DnsBackend): Promise<Synchronised | null> {
  const before = new Date(Date.now() - AT_WORK_MS).toISOString()
  let settled = 0
  const failures: unknown[] = []
  try {
    settled = await settleUnconfirmed(backend, { before })
  } catch (error) {
    // One write that cannot be looked at keeps no other zone out of the list.
    failures.push(error)
  }
  if (!backend.sync) {
    if (failures.length > 0) {
      throw failures[0]
    }
    return null
  }
  const synced = await backend.sync.run()
  await adoptNewZones(backend)
  if (synced.added > 0) {
    await relistZones(backend)
  }
  if (failures.length > 0) {
    throw failures[0]
  }
  return { ...synced, settled }
}
