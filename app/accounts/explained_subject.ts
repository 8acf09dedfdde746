import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { Reason } from '#access/decision'
import { actorOfUser, actorWith } from '#accounts/authenticate'
import { openKey } from '#accounts/keys/access'
import { keyTrouble } from '#accounts/keys/identity'
import { notFound } from '#exceptions/refusal'

/** Whose rights are explained, and why they could not call at all at this moment. */
export interface Subject {
  actor: Actor
  /** Empty where they can. */
  obstacles: Reason[]
}

/** Who is asked about: nobody named is the caller as they came. */
export interface SubjectQuestion {
  userId: number | null
  keyId: number | null
}

/**
 * Whose rights the caller asks about. Everybody may ask about themselves and, where they may see it, about an
 * API key. Throws a 403 for other users without the right to see users, and a 404 for a user or key that is
 * missing or hidden.
 */
export async function explainedSubject(
  caller: Actor,
  { userId, keyId }: SubjectQuestion
): Promise<Subject> {
  if (userId !== null) {
    demand(caller, { action: 'user.view', userId })
  }
  if (keyId !== null) {
    return keySubject(caller, keyId, userId)
  }
  if (userId === null) {
    return { actor: caller, obstacles: [] }
  }
  const user = userId <= 2_147_483_647 ? await actorOfUser(userId, caller.channel) : null
  if (!user) {
    throw notFound('User not found')
  }
  const message = `User '${user.actor.username}' is deactivated and cannot call`
  const inactive = { rule: 'account', message, source: 'account state' }
  return { actor: user.actor, obstacles: user.active ? [] : [inactive] }
}

async function keySubject(caller: Actor, keyId: number, userId: number | null): Promise<Subject> {
  const identity = await openKey(caller, keyId, 'api_key.view')
  if (userId !== null && identity.row.user_id !== userId) {
    throw notFound('API key not found')
  }
  const trouble = keyTrouble(identity, new Date())
  const source = `API key ${keyId}`
  return {
    actor: actorWith(identity, null, caller.channel),
    obstacles:
      trouble === null
        ? []
        : [{ rule: 'key-state', message: `The API key does not work: ${trouble}`, source }],
  }
}
