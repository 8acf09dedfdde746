import type { BackendZone, DnsBackend, OutsideBounds } from '#backends/contract/backend'
import { AT_WORK_MS } from '#backends/contract/pending_writes'
import type { RefreshedZones, SyncedZones } from '#backends/contract/zone_sync'
import { recordExternalChanges } from '#changes/journal/external_changes'
import { recoverPendingWrites } from '#changes/recovery/recover'
import { writeZones } from '#changes/recovery/write_zones'
import { importNewZones } from '#changes/zone_index/discover'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import { relistZones } from '#changes/recovery/reconcile'

/** What bringing the product up to date with a server came to. */
export interface Synchronised extends SyncedZones, RefreshedZones {
  /** Writes that were cut off, and whose outcome is found out now. */
  settled: number
}

/** How many zones that others changed are read in one pass. */
export interface RefreshBounds {
  /** Zones; default: a thousand. */
  most?: number
  /** Milliseconds after which no other one is begun; default: a minute. */
  forMs?: number
  signal?: AbortSignal
}

const MOST = 1_000
const FOR_MS = 60_000

/**
 * Brings the list of zones up to date with the server's, where the product knows them by a list, and finds out what
 * became of writes that were cut off. Zones whose serial moved are looked at as when they are opened: what others changed
 * is shown by lists and searches then, and has its entry in the history. null where the backend has no list. Any number may do so at once. Throws
 * `BackendUnavailable`; what was done until then stays.
 */
export async function synchroniseZones(
  backend: DnsBackend,
  { most = MOST, forMs = FOR_MS, signal }: RefreshBounds = {}
): Promise<Synchronised | null> {
  const before = new Date(Date.now() - AT_WORK_MS).toISOString()
  let settled = 0
  const failures: unknown[] = []
  try {
    settled = await recoverPendingWrites(backend, { before })
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
  const look = await backend.sync.run()
  await importNewZones(backend)
  if (look.counts.added > 0) {
    await relistZones(backend)
  }
  const read = (zone: BackendZone) => syncExternalChanges(backend, zone)
  const refreshed = await look.refresh({ read, most, forMs, signal })
  if (failures.length > 0) {
    throw failures[0]
  }
  return { ...look.counts, ...refreshed, settled }
}

/**
 * Records in the journal of a zone what others changed. Writes only if there is something; with `upTo`, not for zones of
 * more records than that.
 */
export async function syncExternalChanges(
  backend: DnsBackend,
  zone: BackendZone,
  bounds?: OutsideBounds
): Promise<void> {
  if (!(await backend.hasOutsideChanges(zone, bounds))) {
    return
  }
  await writeZones(backend, async (write) => {
    const locked = await write.session.lockZones([zone.id])
    const current = locked.get(zone.id)
    if (current) {
      const row = await ensureZoneRow(write.trx, current, write.tally)
      await recordExternalChanges(write, current, row)
    }
  })
}
