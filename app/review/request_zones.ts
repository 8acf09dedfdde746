import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { ZoneFacts } from '#access/authorize'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import type { ChangeRequest } from '#changes/model/change_request'

/**
 * Current ids of the zones of a request, in its order; null for a missing one. A restored zone has
 * the same uid.
 */
export async function findRequestZoneIds(
  { zones }: Pick<ChangeRequest, 'zones'>,
  client: QueryClientContract = db.connection()
): Promise<(number | null)[]> {
  const rows: { id: number; uid: string; name: string }[] = await client
    .from('zw_zones')
    .whereIn(
      'uid',
      zones.map(({ uid }) => uid)
    )
    .select('id', 'uid', 'name')
  return zones.map(({ uid }) => rows.find((row) => row.uid === uid)?.id ?? null)
}

/** The current zones of a request, in its order; null for a missing one. */
export async function findRequestZones(
  backend: DnsBackend,
  request: Pick<ChangeRequest, 'zones'>
): Promise<(BackendZone | null)[]> {
  const ids = await findRequestZoneIds(request)
  return Promise.all(ids.map((id) => (id === null ? null : backend.findZone(id))))
}

/** Zone facts for decisions about a request. A missing zone has no owners. */
export async function loadRequestFacts(
  backend: DnsBackend,
  request: Pick<ChangeRequest, 'zones'>
): Promise<ZoneFacts[]> {
  const zones = await findRequestZones(backend, request)
  return Promise.all(
    request.zones.map(async ({ id, name }, index) => {
      const zone = zones[index]
      const noOwners = { users: new Set<number>(), groups: new Set<number>() }
      return zone ? loadZoneFacts(zone) : { id, name, kind: 'MASTER', ownership: noOwners }
    })
  )
}
