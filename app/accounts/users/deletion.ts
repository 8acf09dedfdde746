import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { usersAsOwners } from '#access/grantees'
import type { Grantee } from '#access/ownership_rules'
import type { ZoneFacts } from '#access/zone_rules'
import type { GroupName } from '#accounts/groups/references'
import { administratorsLeft } from '#accounts/users/last_administrator'
import { findUserById, lockUser } from '#accounts/users/row'
import { settleUser, type UserEvent } from '#accounts/users/write'
import type { AccountTerms } from '#accounts/terms'
import { isRowId } from '#database/row_ids'
import { conflict, invalid, notFound } from '#exceptions/refusal'

/** The zones of users within one transaction. Zones lie above this room: the door hands this in. */
export interface EstateSession {
  trx: TransactionClientContract
  /**
   * The zones that a locked user owns directly, whoever else does; nobody else changes their owners until
   * the transaction ends.
   */
  zonesOf(userId: number): Promise<ZoneFacts[]>
  /**
   * Makes somebody else an owner of the zones in place of the user, who then owns nothing any more. Throws
   * a 403 where the actor may not give a zone to them.
   */
  handOver(
    actor: Actor,
    zones: ZoneFacts[],
    from: number,
    to: { id: number; grantee: Grantee }
  ): Promise<void>
}

/** Runs work in one transaction with the zones of users. */
export interface Estates {
  inTransaction<T>(work: (session: EstateSession) => Promise<T>): Promise<T>
}

/**
 * Whether the actor may delete the user. Throws, in this order: 403 when they may delete nobody of this id,
 * 404 when there is none, 403 when it is somebody whom they may not delete.
 */
export async function demandUserDeletion(actor: Actor, id: number): Promise<void> {
  demand(actor, { action: 'user.delete', user: { id, isSuperUser: false } })
  const { facts } = await findUserById(db.connection(), id)
  demand(actor, { action: 'user.delete', user: facts })
}

/**
 * Deletes a user with their API keys and memberships; zones that they own go to another user, who may own
 * them already. Returns how many zones went. All in one transaction, or nothing. Zones keep their history.
 *
 * Throws a `Refusal`: 403 where the actor may not, also where they may not give one of the zones to the
 * other user; 409 where no active administrator would be left; 404 for an unknown other user; 400 when it is
 * the same one, or nobody is named though there are zones.
 */
export async function deleteUser(
  terms: AccountTerms,
  id: number,
  heirId: number | null,
  estates: Estates
): Promise<number> {
  const { actor } = terms
  await demandUserDeletion(actor, id)
  return estates.inTransaction(async (session) => {
    const { trx } = session
    const user = await lockUser(trx, id)
    demand(actor, { action: 'user.delete', user: user.facts })
    const counts = user.facts.isSuperUser && user.active
    if (counts && (await administratorsLeft(trx, { without: id })) === 0) {
      throw conflict(
        'This is the last active administrator: make somebody else one before you delete them'
      )
    }
    const zones = await session.zonesOf(id)
    const heir = await heirOf(trx, id, heirId)
    if (zones.length > 0 && !heir) {
      throw invalid(
        "The user owns zones: name in 'transfer_to_user_id' the user who is to own them"
      )
    }
    if (heir) {
      await session.handOver(actor, zones, id, heir)
    }
    // Rows of zones that another tool deleted would stand in the way; they belong to nobody.
    await trx.from('zw_zone_owners').where('user_id', id).delete()
    const event: UserEvent = {
      action: 'user.delete',
      user: { id, username: user.username },
      ...(await belongingsOf(trx, id)),
      transfer: heir && {
        to: { id: heir.id, username: heir.username },
        zones: zones.map((zone) => zone.id),
      },
    }
    await trx.from('zw_users').where('id', id).delete()
    await settleUser(trx, terms, event)
    return zones.length
  })
}

/** What goes with a user: their memberships and API keys. */
async function belongingsOf(trx: TransactionClientContract, id: number) {
  const groups: GroupName[] = await trx
    .from('zw_group_members as m')
    .join('zw_groups as g', 'g.id', 'm.group_id')
    .where('m.user_id', id)
    .orderBy('g.id')
    .select('g.id', 'g.name')
  const keys: { id: number; name: string }[] = await trx
    .from('zw_api_keys')
    .where('user_id', id)
    .orderBy('id')
    .select('id', 'name')
  return { groups, keys }
}

async function heirOf(
  trx: TransactionClientContract,
  id: number,
  heirId: number | null
): Promise<{ id: number; username: string; grantee: Grantee } | null> {
  if (heirId === null) {
    return null
  }
  if (heirId === id) {
    throw invalid("Field 'transfer_to_user_id': the zones cannot go to the user who is deleted")
  }
  const found = await usersAsOwners(trx, isRowId(heirId) ? [heirId] : [])
  const grantee = found.get(heirId)
  if (!grantee) {
    throw notFound(`User not found: there is no user ${heirId} for 'transfer_to_user_id'`)
  }
  const { username }: { username: string } = await trx
    .from('zw_users')
    .where('id', heirId)
    .select('username')
    .firstOrFail()
  return { id: heirId, username, grantee }
}
