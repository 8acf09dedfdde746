import { externalActor } from '#access/actor'
import { isAdministratorType } from '#access/rules/zone_rules'
import { record } from '#audit/record'
import type { BackendZone } from '#backends/contract/backend'
import type { ChangeContext } from '#changes/transaction/change_context'
import { writeEntry } from '#changes/journal/write_entry'
import { updateZoneRow, type ZoneRow } from '#changes/zone_index/zone_rows'
import { serialOfSet } from '#dns/rdata/soa'
import type { RRsetChange } from '#dns/types'

/**
 * Writes a journal entry of external changes: records, kind, primaries, account, metadata.
 *
 * @param names owner names whose records are compared; the whole zone without them
 * @param withMetadata whether metadata are compared
 */
export async function recordExternalChanges(
  { session, trx, countChange }: Pick<ChangeContext, 'session' | 'trx' | 'countChange'>,
  zone: BackendZone,
  row: ZoneRow,
  names?: string[],
  withMetadata = names === undefined
): Promise<void> {
  const changes = await session.takeExternalChanges(zone, names)
  const properties = await session.takeExternalPropertyChanges(zone, { withMetadata })
  await auditRestrictedTypes(trx, zone, row.last_entry, session.takeNewRestrictedTypes(zone))
  if (changes.length === 0 && !properties) {
    return
  }
  await updateZoneRow({ trx, countChange: countChange }, zone, { kind: properties?.after.kind })
  const soa = changes.find(({ name, type }) => name === zone.name && type === 'SOA')
  const serialAfter = soa ? serialOfSet(soa.after) : await currentSerial(session, zone)
  const author = { actor: externalActor(), reason: null, origin: null }
  const entry = await writeEntry(trx, author, zone, row, {
    changes,
    serialBefore: soa ? serialOfSet(soa.before) : serialAfter,
    serialAfter,
    zoneBefore: properties?.before ?? null,
    zoneAfter: properties?.after ?? null,
  })
  await auditRestrictedTypes(trx, zone, entry, newRestrictedTypes(changes))
}

/** The type of each new record that only administrators may write, once per record. */
function newRestrictedTypes(changes: readonly RRsetChange[]): string[] {
  return changes.flatMap(({ type, before, after }) => {
    if (!after || !isAdministratorType(type)) return []
    const known = new Set(before?.records.map(({ content }) => content))
    return after.records.filter(({ content }) => !known.has(content)).map(() => type)
  })
}

/** Logs external records that run code: only administrators may write their types. */
async function auditRestrictedTypes(
  trx: ChangeContext['trx'],
  zone: BackendZone,
  entry: number,
  newTypes: readonly string[]
): Promise<void> {
  if (newTypes.length > 0) {
    const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
    const detail = { entry, types: [...new Set(newTypes)], records: newTypes.length }
    await record(trx, externalActor(), { action: 'zone.code_arrived', object, detail })
  }
}

async function currentSerial(
  session: ChangeContext['session'],
  zone: BackendZone
): Promise<number | null> {
  const sets = await session.rrsetsAt(zone, [zone.name])
  return serialOfSet(sets.find(({ type }) => type === 'SOA'))
}
