import { factsOf } from '#access/ownership'
import { demand } from '#access/demand'
import type { BackendZone } from '#backends/contract'
import type { AppliedZone, ChangeContext } from '#changes/change_context'
import { writeEntry } from '#changes/journal'
import { ensureZoneRow } from '#changes/zone_registry'
import { zoneState } from '#changes/zone_state'
import { diffRRsets } from '#dns/diff'
import { serialOfSet } from '#dns/soa'

/** Deletes a zone with all that belongs to it. The journal keeps what is needed to bring it back. */
export async function applyDelete(
  { set, session, trx }: ChangeContext,
  zone: BackendZone
): Promise<AppliedZone> {
  demand(set.actor, { action: 'zone.delete', zone: await factsOf(zone, trx) })
  demand(set.actor, { action: 'key.operate', operations: ['delete'] })

  const row = await ensureZoneRow(trx, zone)
  const rrsets = await session.allRRsets(zone)
  const changes = diffRRsets(rrsets, [])
  const serialBefore = serialOfSet(rrsets.find((rrset) => rrset.type === 'SOA'))
  const zoneBefore = await zoneState({ session, trx }, zone, row.description)
  const entry = await writeEntry(trx, set, zone, row, {
    changes,
    serialBefore,
    serialAfter: null,
    zoneBefore,
    zoneAfter: null,
  })
  await session.deleteZone(zone)
  await trx.from('zw_zones').where('id', zone.id).delete()
  return { zone, changes, entry, serialBefore, serialAfter: null }
}
