import { demand } from '#access/demand'
import type { AppliedZone, ChangeContext } from '#changes/change_context'
import type { ZoneChangeSet } from '#changes/change_set'
import { writeEntry } from '#changes/journal'
import { desiredRRsets } from '#changes/record_actions'
import { addOwners, addZoneRow } from '#changes/zone_registry'
import { zoneState } from '#changes/zone_state'
import { diffRRsets } from '#dns/diff'
import { nameRules } from '#dns/rules'
import { soaSerial } from '#dns/soa'
import { invalid } from '#exceptions/refusal'

/** Creates a zone with its first records, its own row and its owners. */
export async function applyCreate(
  { set, session, trx }: ChangeContext,
  change: Extract<ZoneChangeSet, { op: 'create' }>
): Promise<AppliedZone> {
  demand(set.actor, { action: 'zone.create', kind: change.zone.kind })
  demand(set.actor, { action: 'key.operate', operations: ['create'] })
  const zone = await session.createZone(change.zone)
  const row = await addZoneRow(trx, zone, change.description)
  await addOwners(trx, zone.id, change.owners)

  const actions = change.records.map((record) => ({ op: 'add' as const, record }))
  const wanted = desiredRRsets(zone, [], actions)
  for (const name of new Set(wanted.map((rrset) => rrset.name))) {
    const [broken] = nameRules(
      zone.name,
      name,
      wanted.filter((rrset) => rrset.name === name)
    )
    if (broken?.severity === 'error') {
      throw invalid(broken.message)
    }
  }
  const changes = await session.applyRRsets(zone, diffRRsets([], wanted))
  const soa = wanted.find((rrset) => rrset.type === 'SOA')
  const serialAfter = soa ? soaSerial(soa.records[0].content) : null
  const entry = await writeEntry(trx, set, zone, row, {
    changes,
    serialBefore: null,
    serialAfter,
    zoneBefore: null,
    zoneAfter: await zoneState({ session, trx }, zone, change.description),
  })
  return { zone, changes, entry, serialBefore: null, serialAfter }
}
