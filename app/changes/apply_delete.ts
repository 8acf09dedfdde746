import { ownershipOf, NOBODY } from '#access/ownership'
import { demand } from '#access/demand'
import type { BackendZone } from '#backends/contract'
import type { AppliedZone, ChangeContext } from '#changes/change_context'
import { writeEntry } from '#changes/journal'
import { ensureZoneRow } from '#changes/zone_registry'
import { zoneState } from '#changes/zone_state'
import { diffRRsets } from '#dns/diff'
import { soaSerial } from '#dns/soa'

/** Deletes a zone with all that belongs to it. The journal keeps what is needed to bring it back. */
export async function applyDelete(
  { set, session, trx }: ChangeContext,
  zone: BackendZone
): Promise<AppliedZone> {
  const ownership = await ownershipOf([zone], trx)
  const facts = { ...zone, ownership: ownership.get(zone.id) ?? NOBODY }
  demand(set.actor, { action: 'zone.delete', zone: facts })
  demand(set.actor, { action: 'key.operate', operations: ['delete'] })

  const row = await ensureZoneRow(trx, zone)
  const rrsets = await session.allRRsets(zone)
  const changes = diffRRsets(rrsets, [])
  const serialBefore = serialOf(rrsets.find((rrset) => rrset.type === 'SOA')?.records[0]?.content)
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

function serialOf(content: string | undefined): number | null {
  try {
    return content === undefined ? null : soaSerial(content)
  } catch {
    return null
  }
}
