import { timingSafeEqual } from 'node:crypto'
import type { Actor, Channel } from '#access/actor'
import { findIdentityByHash, findKeyProblem, type KeyIdentity } from '#accounts/keys/identity'
import { hashKey, isStoredForm } from '#accounts/keys/secret'
import { keyUses } from '#accounts/keys/last_used'
import { loadRights } from '#accounts/rights'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import User from '#models/user'

/**
 * Returns the actor of an API key, with the rights of its owner. null for an unknown, disabled,
 * expired or idle key, a refused address, and an inactive or missing owner; the caller cannot
 * distinguish these. One query.
 */
export async function findActorOfKey(
  key: string,
  address: string,
  channel: Channel
): Promise<Actor | null> {
  if (isStoredForm(key)) {
    return null
  }
  const hash = hashKey(key)
  const identity = await findIdentityByHash(hash)
  if (!identity || !timingSafeEqual(Buffer.from(identity.row.secret_hash), Buffer.from(hash))) {
    return null
  }
  const now = new Date()
  const { networks } = identity.scope
  const isRefusedAddress = networks && !isInNetworks(address, parseNetworks(networks))
  if (isRefusedAddress || findKeyProblem(identity, now) !== null) {
    return null
  }
  keyUses.recordUse(identity.row.id, { at: now.toISOString(), from: address })
  return buildActor(identity, address, channel)
}

/** Returns the actor of a key, valid or not, for questions about its rights. */
export function buildActor(
  { row, scope, rights }: KeyIdentity,
  address: string | null,
  channel: Channel
): Actor {
  return {
    userId: row.user_id,
    username: row.username,
    ...rights,
    key: { id: row.id, ...scope },
    address,
    channel,
  }
}

/**
 * Returns the user as actor without a key, and whether the account is active; null for a missing
 * user.
 */
export async function findActorOfUser(
  userId: number,
  channel: Channel
): Promise<{ actor: Actor; active: boolean } | null> {
  const user = await User.find(userId)
  if (!user) {
    return null
  }
  const rights = await loadRights(user.id, user.permissionTemplateId)
  const { username, active } = user
  return { actor: { userId, username, ...rights, key: null, address: null, channel }, active }
}
