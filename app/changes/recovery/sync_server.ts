import type { BackendZone, DnsBackend, ExternalCheckBounds } from '#backends/contract/backend'
import { HEARTBEAT_TIMEOUT_MS } from '#backends/contract/pending_writes'
import type { RefreshedZones, SyncedZones } from '#backends/contract/zone_sync'
import { recordExternalChanges } from '#changes/journal/external_changes'
import { recoverPendingWrites } from '#changes/recovery/recover'
import { writeZones } from '#changes/recovery/write_zones'
import { importNewZones } from '#changes/zone_index/discover'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import { relistZones } from '#changes/recovery/reconcile'

/** Result of a synchronisation with the server. */
export interface ServerSyncResult extends SyncedZones, RefreshedZones {
  /** Pending writes that were recovered. */
  settled: number
}

/** Limits of the zones that one pass reads. */
export interface RefreshLimits {
  /** Number of zones; default 1000. */
  maxZones?: number
  /** Milliseconds after which no further zone is read; default one minute. */
  maxMs?: number
  signal?: AbortSignal
}

const MAX_ZONES = 1_000
const MAX_MS = 60_000

/**
 * Updates the zone list of a backend that has one, and recovers pending writes. Reads zones whose
 * serial changed, and records their external changes. Several runs may overlap.
 *
 * @returns null for a backend without a zone list
 * @throws BackendUnavailable; finished work stays
 */
export async function synchroniseZones(
  backend: DnsBackend,
  { maxZones = MAX_ZONES, maxMs = MAX_MS, signal }: RefreshLimits = {}
): Promise<ServerSyncResult | null> {
  const before = new Date(Date.now() - HEARTBEAT_TIMEOUT_MS).toISOString()
  let settled = 0
  const failures: unknown[] = []
  try {
    settled = await recoverPendingWrites(backend, { before })
  } catch (error) {
    // A write that cannot be recovered must not block the zone list.
    failures.push(error)
  }
  if (!backend.sync) {
    if (failures.length > 0) {
      throw failures[0]
    }
    return null
  }
  const sync = await backend.sync.run()
  await importNewZones(backend)
  if (sync.counts.added > 0) {
    await relistZones(backend)
  }
  const read = (zone: BackendZone) => syncExternalChanges(backend, zone)
  const refreshed = await sync.refresh({ read, maxZones: maxZones, maxMs: maxMs, signal })
  if (failures.length > 0) {
    throw failures[0]
  }
  return { ...sync.counts, ...refreshed, settled }
}

/**
 * Records external changes in the journal of a zone. Writes nothing without changes; `bounds` skips
 * zones with more records.
 */
export async function syncExternalChanges(
  backend: DnsBackend,
  zone: BackendZone,
  bounds?: ExternalCheckBounds
): Promise<void> {
  if (!(await backend.hasExternalChanges(zone, bounds))) {
    return
  }
  await writeZones(backend, async (write) => {
    const locked = await write.session.lockZones([zone.id])
    const current = locked.get(zone.id)
    if (current) {
      const row = await ensureZoneRow(write.trx, current, write.countChange)
      await recordExternalChanges(write, current, row)
    }
  })
}
