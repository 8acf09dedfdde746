import type { Actor } from '#access/actor'
import { findActorOfUser } from '#accounts/authenticate'
import { notFound } from '#exceptions/refusal'
import type { KeyZones, RequestedZone } from '#zones/ownership/key_zones'

/**
 * The zones of a key, which its owner and the caller must both be able to view; undefined without
 * any. Throws as `KeyZones.resolve`, and a 404 `Refusal` for a missing owner.
 */
export async function keyZonesOf(
  zones: KeyZones,
  actor: Actor,
  ownerId: number,
  requestedZones: RequestedZone[] | undefined,
  knownZones?: ReadonlyMap<number, string>
): Promise<Map<number, string> | undefined> {
  if (!requestedZones) {
    return undefined
  }
  const owner = await findActorOfUser(ownerId, actor.channel)
  if (!owner) {
    throw notFound('User not found')
  }
  return zones.resolve([actor, owner.actor], requestedZones, knownZones)
}
