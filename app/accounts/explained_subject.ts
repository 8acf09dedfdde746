import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { Reason } from '#access/decision'
import { findActorOfUser, buildActor } from '#accounts/authenticate'
import { openKey } from '#accounts/keys/access'
import { findKeyProblem } from '#accounts/keys/identity'
import { notFound } from '#exceptions/refusal'

/** The subject of an explanation, and reasons why its requests are refused at present. */
export interface Subject {
  actor: Actor
  /** Empty if requests are accepted. */
  refusalReasons: Reason[]
}

/** The subject that the caller names; default: the caller with the same key. */
export interface SubjectReference {
  userId: number | null
  keyId: number | null
}

/**
 * Returns the subject. Callers may ask about themselves and about visible API keys. Throws a 403
 * for other users without the right to view users, and a 404 for a missing or hidden user or key.
 */
export async function findSubject(
  caller: Actor,
  { userId, keyId }: SubjectReference
): Promise<Subject> {
  if (userId !== null) {
    demand(caller, { action: 'user.view', userId })
  }
  if (keyId !== null) {
    return keySubject(caller, keyId, userId)
  }
  if (userId === null) {
    return { actor: caller, refusalReasons: [] }
  }
  const user = userId <= 2_147_483_647 ? await findActorOfUser(userId, caller.channel) : null
  if (!user) {
    throw notFound('User not found')
  }
  const message = `User '${user.actor.username}' is deactivated and cannot use the service`
  const inactive = { rule: 'account', message, source: 'account state' }
  return { actor: user.actor, refusalReasons: user.active ? [] : [inactive] }
}

async function keySubject(caller: Actor, keyId: number, userId: number | null): Promise<Subject> {
  const identity = await openKey(caller, keyId, 'api_key.view')
  if (userId !== null && identity.row.user_id !== userId) {
    throw notFound('API key not found')
  }
  const problem = findKeyProblem(identity, new Date())
  const source = `API key ${keyId}`
  return {
    actor: buildActor(identity, null, caller.channel),
    refusalReasons:
      problem === null
        ? []
        : [{ rule: 'key-state', message: `The API key is not valid: ${problem}`, source }],
  }
}
