import type { Actor } from '#access/actor'
import { canView } from '#access/demand'
import { ownershipOf } from '#access/ownership'
import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import type { ChangeRequest } from '#changes/model/change_request'

/** Ids of the requests whose zone content the actor may view. */
export async function findVisibleRequests(
  actor: Actor,
  requests: ChangeRequest[]
): Promise<Set<number>> {
  const uids = [...new Set(requests.flatMap(({ zones }) => zones.map(({ uid }) => uid)))]
  const visible = new Map<string, boolean>()
  for (const part of chunks(uids)) {
    const zones: { id: number; uid: string; name: string; kind: string | null }[] = await db
      .from('zw_zones')
      .whereIn('uid', part)
      .select('id', 'uid', 'name', 'kind')
    const owners = await ownershipOf(zones)
    for (const { id, uid, name, kind } of zones) {
      const ownership = owners.get(id) ?? { users: new Set<number>(), groups: new Set<number>() }
      visible.set(uid, canView(actor, { id, name, kind: kind ?? 'MASTER', ownership }))
    }
  }
  // The content of missing zones is visible with the right to view all zones.
  const noOwners = { users: new Set<number>(), groups: new Set<number>() }
  return new Set(
    requests
      .filter(({ zones }) =>
        zones.every(
          ({ id, uid, name }) =>
            visible.get(uid) ?? canView(actor, { id, name, kind: 'MASTER', ownership: noOwners })
        )
      )
      .map(({ id }) => id)
  )
}
