import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { removeSecondFactor, readSecondFactor } from '#accounts/second_factor/second_factor'
import {
  revokeSession,
  revokeSessionsOf,
  listSessions,
  type Session,
} from '#accounts/sessions/sessions'
import { findUserById } from '#accounts/users/row'
import { record } from '#audit/record'
import { isRowId } from '#database/rows/row_ids'
import { inTransaction } from '#database/transaction'
import { forbidden } from '#exceptions/refusal'

/** Sessions and second factor of a user. */
export interface SignInState {
  username: string
  /** Newest first. */
  sessions: Session[]
  /** Whether the user has a second factor, and the number of recovery codes left. */
  secondFactor: { isOn: boolean; recoveryCodes: number }
}

/** Summary of the sign-in state for lists. */
export interface SignInSummary {
  hasSecondFactor: boolean
  /** Start of the newest open session, ISO 8601; null for none. */
  signedInAt: string | null
}

/**
 * Returns sessions and second factor, for administrators. Throws a 403 `Refusal` for others, and a
 * 404 for a missing user.
 */
export async function readSignInState(actor: Actor, id: number): Promise<SignInState> {
  const { username } = await demandManagedUser(actor, id)
  return {
    username,
    sessions: await listSessions(id),
    secondFactor: await readSecondFactor(id),
  }
}

/** As `readSignInState`, a summary for several users by id; null without the right. Two queries. */
export async function readSignInSummaries(
  actor: Actor,
  ids: readonly number[]
): Promise<Map<number, SignInSummary> | null> {
  if (!authorize(actor, { action: 'user.manage_sign_in' }).allowed) {
    return null
  }
  const factorRows: { user_id: number }[] = await db
    .from('zw_second_factors')
    .whereIn('user_id', [0, ...ids])
    .whereNotNull('confirmed_at')
    .select('user_id')
  const sessions: { user_id: number; began: string }[] = await db
    .from('zw_sessions')
    .whereIn('user_id', [0, ...ids])
    .groupBy('user_id')
    .select('user_id')
    .max('created_at as began')
  const userIdsWithFactor = new Set(factorRows.map((row) => Number(row.user_id)))
  const sessionStarts = new Map(sessions.map((row) => [Number(row.user_id), row.began]))
  return new Map(
    ids.map((id) => [
      id,
      { hasSecondFactor: userIdsWithFactor.has(id), signedInAt: sessionStarts.get(id) ?? null },
    ])
  )
}

/**
 * Ends one session of a user, or all (`null`) except the actor's session `except`; returns their
 * number. Throws as `readSignInState`.
 */
export async function endSessionsFor(
  actor: Actor,
  id: number,
  session: number | null,
  except?: number
): Promise<number> {
  const { username } = await demandManagedUser(actor, id)
  return inTransaction(db.connection(), async (trx) => {
    const isSingle = session !== null
    const isEndable = isSingle && isRowId(session) && session !== except
    const ended = isSingle
      ? Number(isEndable && (await revokeSession(id, session, trx)))
      : await revokeSessionsOf(trx, id, except)
    if (ended > 0) {
      await record(trx, actor, {
        action: 'login.ended',
        object: { kind: 'user', id, name: username },
        detail: { reason: 'ended by an administrator', sessions: ended },
      })
    }
    return ended
  })
}

/**
 * Removes the second factor of a user and its lock; false without a second factor. Throws as
 * `readSignInState`, and a 403 for the actor's second factor, whose removal needs a code.
 */
export async function resetSecondFactor(actor: Actor, id: number): Promise<boolean> {
  if (actor.userId === id) {
    throw forbidden('Disable your own second factor with a code, at /account/second-factor')
  }
  return removeSecondFactor(actor, await demandManagedUser(actor, id))
}

async function demandManagedUser(
  actor: Actor,
  id: number
): Promise<{ id: number; username: string }> {
  demand(actor, { action: 'user.manage_sign_in' })
  const { username } = await findUserById(db.connection(), id)
  return { id, username }
}
