import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { sizeOfZone } from '#backends/sql/lists/zone_size'
import { differsFromSnapshots } from '#backends/sql/snapshots/external_check'
import { propertiesSnapshot } from '#backends/sql/snapshots/property_snapshots'
import type { ZoneTables } from '#backends/sql/tables'
import { CACHE_TTL_MS, TTL_PER_COMPUTE_TIME } from '#lists/cache/page_positions'
import { VersionedCache } from '#lists/cache/versioned_cache'

const MAX_ZONES = 500

/** Large zones whose rows matched their snapshots. */
const checkCache = new VersionedCache<{ agrees: boolean }>(
  () => ({ agrees: false }),
  MAX_ZONES,
  CACHE_TTL_MS
)

/**
 * `differsFromSnapshots` for frequent callers that tolerate delay. For a large zone, the result "no change" is cached for a
 * hundred times the time of the check, at most a minute, unless the serial, the number of records or snapshots, or properties
 * change. Writes of Zonewright update the snapshots. Throws the error of the driver.
 */
export async function hasExternalChangesCached(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone
): Promise<boolean> {
  const size = await sizeOfZone(client, tables, zone)
  if (size.isSmall) {
    return differsFromSnapshots(client, tables, zone)
  }
  const cacheKey = `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  const cached = checkCache.get(cacheKey, `${size.externalVersion} ${propertiesSnapshot(zone)}`)
  if (cached.agrees) {
    return false
  }
  const start = performance.now()
  const differs = await differsFromSnapshots(client, tables, zone)
  if (!differs) {
    cached.agrees = true
    checkCache.extendTtl(cacheKey, TTL_PER_COMPUTE_TIME * (performance.now() - start))
  }
  return differs
}
