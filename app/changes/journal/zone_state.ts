import type { BackendZone } from '#backends/contract/backend'
import type { ChangeContext } from '#changes/transaction/change_context'
import type { Owners } from '#changes/model/zone_properties'
import { ownersOf } from '#changes/zone_index/zone_rows'

/** State of a zone in the journal without its records: enough for a restore. */
export interface ZoneState {
  name: string
  kind: string
  masters: string[]
  account: string | null
  description: string | null
  owners: Owners
  metadata: Record<string, string[]>
  comments: { name: string; type: string; modifiedAt: number; account: string; comment: string }[]
}

/** Reads the state of a zone, with everything that its deletion deletes. */
export async function readZoneState(
  { session, trx }: Pick<ChangeContext, 'session' | 'trx'>,
  zone: BackendZone,
  description: string | null
): Promise<ZoneState> {
  const { metadata, comments } = await session.nonRecordData(zone)
  const { name, kind, masters, account } = zone
  const owners = await ownersOf(trx, zone.id)
  return { name, kind, masters, account, description, owners, metadata, comments }
}
