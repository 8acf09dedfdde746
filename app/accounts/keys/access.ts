import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { authorize, type AccessRequest } from '#access/authorize'
import { demand } from '#access/demand'
import { findKeyIdentity, type KeyIdentity } from '#accounts/keys/identity'
import { notFound } from '#exceptions/refusal'
import User from '#models/user'

/** Maximum of the id column; longer numbers match no row. */
const MAX_ID = 2_147_483_647

/**
 * Returns the key for an action. Throws the same 404 `Refusal` for a missing and a hidden key, and
 * a 403 without the right.
 */
export async function openKey(
  actor: Actor,
  id: number,
  action: 'api_key.view' | 'api_key.edit' | 'api_key.delete',
  client: QueryClientContract = db.connection()
): Promise<KeyIdentity> {
  const identity = id <= MAX_ID ? await findKeyIdentity(id, client) : null
  const missing = notFound('API key not found')
  if (!identity) {
    throw missing
  }
  const { user_id: userId, purpose } = identity.row
  const key = { id, userId, scope: identity.scope, isHostToken: purpose === 'dyndns' }
  demandOrHide(missing, actor, { action: 'api_key.view', key })
  demand(actor, { action, key })
  return identity
}

/**
 * Returns the owner of the keys in question: the user with this id, by default the actor. Throws
 * the same 404 for a missing user and one whose keys the actor does not manage.
 */
export async function findKeyOwner(
  actor: Actor,
  userId: number | null,
  action: 'api_key.list' | 'api_key.create',
  isHostToken = false
): Promise<User> {
  const id = userId ?? actor.userId ?? 0
  const missing = notFound('User not found')
  demandOrHide(missing, actor, { action, userId: id, isHostToken })
  const user = id <= MAX_ID ? await User.find(id) : null
  if (!user) {
    throw missing
  }
  return user
}

/**
 * Throws the 404 of `findKeyOwner` unless the actor manages keys of others. Called before an answer
 * reveals a user.
 */
export function demandManageOthersKeys(actor: Actor, isHostToken = false): void {
  const missing = notFound('User not found')
  demandOrHide(missing, actor, { action: 'api_key.list', userId: null, isHostToken })
}

function demandOrHide(missing: Error, actor: Actor, request: AccessRequest): void {
  if (authorize(actor, request).hidden) {
    throw missing
  }
  demand(actor, request)
}
