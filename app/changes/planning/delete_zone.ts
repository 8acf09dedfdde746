import { loadZoneFacts } from '#access/ownership'
import { demand } from '#access/demand'
import type { BackendZone } from '#backends/contract/backend'
import type { ChangeContext } from '#changes/transaction/change_context'
import type { ZoneDeletion } from '#changes/model/change_set'
import { checkZoneCondition } from '#changes/planning/preconditions'
import { journalAuthorOf, writeEntry } from '#changes/journal/write_entry'
import { failRequestsOf } from '#changes/requests/zone_gone'
import { ensureZoneRow, removeZoneRow } from '#changes/zone_index/zone_rows'
import { readZoneState } from '#changes/journal/zone_state'
import { putInTrash, encryptKeys } from '#changes/journal/trash'
import { recordExternalChanges } from '#changes/journal/external_changes'
import type { ZonePlan } from '#changes/model/zone_plan'
import { diffRRsets } from '#dns/diff'
import { serialOfSet } from '#dns/rdata/soa'

/** Plans the deletion of a zone with all its data. Journal and trash store what a restore needs. */
export async function planDeletion(
  { set, session, trx, countChange }: ChangeContext,
  zone: BackendZone,
  { condition }: ZoneDeletion
): Promise<ZonePlan> {
  const { actor } = set.intent
  const action = set.isFiling ? 'zone.request_deletion' : 'zone.delete'
  demand(actor, { action, zone: await loadZoneFacts(zone, trx) })
  demand(actor, { action: 'key.operate', operations: ['delete'] })

  const row = await ensureZoneRow(trx, zone, countChange)
  await recordExternalChanges({ session, trx, countChange: countChange }, zone, row)
  const { description, last_entry: lastEntry } = row
  checkZoneCondition(condition, { zone, description, lastEntry })
  const rrsets = await session.allRRsets(zone)
  const changes = diffRRsets(rrsets, [])
  const serialBefore = serialOfSet(rrsets.find((rrset) => rrset.type === 'SOA'))
  const zoneBefore = await readZoneState({ session, trx }, zone, description)
  const { name, kind, masters, account } = zone
  return {
    zoneId: zone.id,
    zoneName: zone.name,
    changes,
    properties: { before: { name, kind, masters, account, description }, after: null },
    serialBefore,
    serialAfter: null,
    warnings: [],
    async apply() {
      const end = { changes, serialBefore, serialAfter: null }
      const entry = await writeEntry(trx, journalAuthorOf(set), zone, row, {
        ...end,
        zoneBefore,
        zoneAfter: null,
      })
      const keys = encryptKeys(await session.keysOf(zone))
      await putInTrash(trx, zone, row, actor, { owners: zoneBefore.owners, keys })
      await failRequestsOf(trx, actor, row)
      await session.deleteZone(zone)
      await removeZoneRow(trx, zone.id, countChange)
      const journal = { zoneBefore, zoneAfter: null, keys }
      return { zone, description, entry, lastEntry: entry, ...end, warnings: [], journal }
    },
  }
}
