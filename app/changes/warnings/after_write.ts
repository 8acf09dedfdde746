import logger from '@adonisjs/core/services/logger'
import type { DnsBackend } from '#backends/contract/backend'
import type { ChangeSet } from '#changes/model/change_set'
import { luaWarnings, type ChangedZone } from '#changes/warnings/lua'
import { remainingPtrWarnings } from '#changes/warnings/remaining_ptr'
import type { ZonePlan, AppliedZone } from '#changes/model/zone_plan'

/**
 * Adds warnings that need other zones or the name server: LUA records that do not run, PTR records
 * that remain. Call it outside the transaction. A failed query adds no warning.
 */
export async function addWriteWarnings(
  backend: DnsBackend,
  set: Pick<ChangeSet, 'zones' | 'intent'>,
  zones: (AppliedZone | ZonePlan)[]
): Promise<void> {
  const changed = zones.map((zone, index) => changedZone(zone, set.zones[index]))
  try {
    const ptrWarnings = await remainingPtrWarnings(backend, set.intent.actor, changed)
    for (const [index, zone] of zones.entries()) {
      const found = [
        ...(await luaWarnings(backend, changed[index])),
        ...(ptrWarnings.get(index) ?? []),
      ]
      if (found.length > 0) zone.warnings = [...zone.warnings, ...found]
    }
  } catch (err) {
    logger.debug({ err }, 'Warnings about other zones skipped')
  }
}

function changedZone(
  zone: AppliedZone | ZonePlan,
  change: ChangeSet['zones'][number] | undefined
): ChangedZone {
  const isPlan = 'zoneName' in zone
  const requested = change?.op === 'create' ? change.zone.metadata : undefined
  const planned = isPlan ? zone.properties?.after?.metadata : undefined
  return {
    id: isPlan ? zone.zoneId : zone.zone.id,
    name: isPlan ? zone.zoneName : zone.zone.name,
    changes: zone.changes,
    metadata: requested ?? planned ?? {},
  }
}
