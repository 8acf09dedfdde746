import { timingSafeEqual } from 'node:crypto'
import type { Actor, Channel } from '#access/actor'
import { identityOfHash, keyTrouble, type KeyIdentity } from '#accounts/keys/identity'
import { hashKey, isStoredForm } from '#accounts/keys/secret'
import { keyUses } from '#accounts/keys/last_used'
import { rightsOf } from '#accounts/rights'
import { isInNetworks, parseNetworks } from '#dns/addresses/networks'
import User from '#models/user'

/**
 * Returns the actor of an API key, with the rights of its owner. null for an unknown, disabled,
 * expired or idle key, a refused address, and an inactive or missing owner; the caller cannot
 * distinguish these. One query.
 */
export async function actorOfKey(
  key: string,
  address: string,
  channel: Channel
): Promise<Actor | null> {
  if (isStoredForm(key)) {
    return null
  }
  const hash = hashKey(key)
  const identity = await identityOfHash(hash)
  if (!identity || !timingSafeEqual(Buffer.from(identity.row.secret_hash), Buffer.from(hash))) {
    return null
  }
  const now = new Date()
  const { networks } = identity.scope
  const isFromElsewhere = networks && !isInNetworks(address, parseNetworks(networks))
  if (isFromElsewhere || keyTrouble(identity, now) !== null) {
    return null
  }
  keyUses.recordUse(identity.row.id, { at: now.toISOString(), from: address })
  return actorWith(identity, address, channel)
}

/** Returns the actor of a key, valid or not, for questions about its rights. */
export function actorWith(
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
export async function actorOfUser(
  userId: number,
  channel: Channel
): Promise<{ actor: Actor; active: boolean } | null> {
  const user = await User.find(userId)
  if (!user) {
    return null
  }
  const rights = await rightsOf(user.id, user.permissionTemplateId)
  const { username, active } = user
  return { actor: { userId, username, ...rights, key: null, address: null, channel }, active }
}
