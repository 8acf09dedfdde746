import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { groupAsOwner, usersAsOwners } from '#access/grantees'
import type { Grantee } from '#access/rules/ownership_rules'
import type { ZoneFacts } from '#access/ownership'
import type { GroupName } from '#accounts/groups/references'
import { administratorsLeft } from '#accounts/users/last_administrator'
import { findUserById, lockUser } from '#accounts/users/row'
import { settleUser } from '#accounts/users/write'
import type { Transfer, UserEvent } from '#accounts/users/events'
import type { AccountTerms } from '#accounts/terms'
import dns from '#config/dns'
import { isRowId } from '#database/rows/row_ids'
import { holdRow } from '#database/rows/row_lock'
import { conflict, invalid, notFound, Refusal } from '#exceptions/refusal'

/** Who is to get zones of a user: another user, or a group. */
export interface Heir {
  kind: 'user' | 'group'
  id: number
}

/** What becomes of the zones of a user who is deleted. */
export interface Inheritance {
  /** Who gets those that `zones` does not name; null where there must be none. */
  rest: Heir | null
  /** Who gets single zones, by the zone's id; null leaves one to those who own it besides. */
  zones?: ReadonlyMap<number, Heir | null>
}

type NamedHeir = Heir & { name: string; grantee: Grantee }

/** The zones of users within one transaction. Zones lie above this room: the channel hands this in. */
export interface EstateSession {
  trx: TransactionClientContract
  /**
   * The zones that a locked user owns directly, whoever else does; nobody else changes their owners until
   * the transaction ends.
   */
  zonesOf(userId: number): Promise<ZoneFacts[]>
  /**
   * Makes somebody else an owner of the zones in place of the user, who then owns them no more; null leaves them to
   * their other owners. Throws a 403 where the actor may not give a zone to them.
   */
  handOver(
    actor: Actor,
    zones: ZoneFacts[],
    from: number,
    to: (Heir & { grantee: Grantee }) | null
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
 * Deletes a user with their API keys and memberships; zones that they own go to other users and groups, who may own
 * them already. Returns how many zones there were. All in one transaction, or nothing. Zones keep their history.
 *
 * Throws a `Refusal`: 403 where the actor may not, also where they may not give one of the zones to its heir; 409
 * where no active administrator would be left; 404 for an unknown heir; 400 when it is the same user, when a zone is
 * named that is not theirs, and when somebody is named for none of the zones, or nobody for one that nobody else owns.
 */
export async function deleteUser(
  terms: AccountTerms,
  id: number,
  inheritance: Inheritance,
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
    const transfers: Transfer[] = []
    for (const { heir, zones: share } of sharesOf(actor, zones, inheritance)) {
      const to = heir && (await heirOf(trx, actor, id, heir))
      if (share.length > 0) await session.handOver(actor, share, id, to)
      transfers.push({ to, zones: share.map((zone) => zone.id) })
    }
    // Rows of zones that another tool deleted would stand in the way; they belong to nobody.
    await trx.from('zw_zone_owners').where('user_id', id).delete()
    const event: UserEvent = {
      action: 'user.delete',
      user: { id, username: user.username },
      ...(await belongingsOf(trx, id)),
      transfers,
    }
    await trx.from('zw_users').where('id', id).delete()
    await settleUser(trx, terms, event)
    return zones.length
  })
}

/** The zones by who gets them; who gets the rest is there even where there is none, so that a wrong one is told. */
function sharesOf(
  actor: Actor,
  zones: ZoneFacts[],
  { rest, zones: single = new Map() }: Inheritance
): { heir: Heir | null; zones: ZoneFacts[] }[] {
  const known = new Map(zones.map((zone) => [zone.id, zone]))
  for (const id of single.keys()) {
    const zone = known.get(id)
    // Of a zone that is hidden from the actor it is not said whose it is.
    if (!zone || authorize(actor, { action: 'zone.edit_owners', zone }).hidden) {
      throw invalid(`Field 'zone_transfers': the user owns no zone ${id}`)
    }
  }
  const shares = new Map<string, { heir: Heir | null; zones: ZoneFacts[] }>()
  if (rest) shares.set(keyOf(rest), { heir: rest, zones: [] })
  for (const zone of zones) {
    const heir = single.has(zone.id) ? single.get(zone.id)! : rest
    if (heir === null) requireOthers(zone, single.has(zone.id))
    const share = shares.get(keyOf(heir)) ?? { heir, zones: [] }
    share.zones.push(zone)
    shares.set(keyOf(heir), share)
  }
  return [...shares.values()]
}

function keyOf(heir: Heir | null): string {
  return heir ? `${heir.kind} ${heir.id}` : ''
}

/** Zones of a user would go to nobody, or to the one who is deleted. A 400, in the words of the API. */
export class HeirMissing extends Refusal {
  /** @param why what is wrong: no heir at all, none for the zone of `name`, or the user as their own heir */
  constructor(
    message: string,
    readonly why: 'none' | 'zone' | 'self',
    readonly name = ''
  ) {
    super(400, message)
  }
}

/** Throws `HeirMissing` unless the zone may be left to its other owners. */
function requireOthers(
  { id, name, ownership: { users, groups } }: ZoneFacts,
  isNamed: boolean
): void {
  if (!isNamed) {
    throw new HeirMissing(
      "The user owns zones: name in 'transfer_to_user_id' the user who is to own them, or in 'transfer_to_group_id' the group",
      'none'
    )
  }
  if (users.size + groups.size < 2) {
    throw new HeirMissing(
      `Field 'zone_transfers': nobody else owns zone ${id}: name in 'user_id' or 'group_id' who is to own it`,
      'zone',
      name
    )
  }
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
  actor: Actor,
  id: number,
  heir: Heir
): Promise<NamedHeir> {
  return heir.kind === 'group' ? groupHeir(trx, actor, heir.id) : userHeir(trx, id, heir.id)
}

async function groupHeir(
  trx: TransactionClientContract,
  actor: Actor,
  id: number
): Promise<NamedHeir> {
  demand(actor, { action: 'group.manage' })
  if (dns.zone_ownership_mode === 'users_only') {
    throw invalid('Zones are owned by users only (dns.zone_ownership_mode)')
  }
  if (isRowId(id)) {
    // Nobody deletes the group before this is done.
    await holdRow(trx, 'zw_groups', id)
  }
  const grantee = isRowId(id) ? await groupAsOwner(trx, id) : null
  if (!grantee) {
    throw notFound(`Group not found: there is no group ${id} to give zones to`)
  }
  const { name }: { name: string } = await trx.from('zw_groups').where('id', id).firstOrFail()
  return { kind: 'group', id, name, grantee }
}

async function userHeir(
  trx: TransactionClientContract,
  id: number,
  heirId: number
): Promise<NamedHeir> {
  if (heirId === id) {
    throw new HeirMissing(
      "Field 'transfer_to_user_id': the zones cannot go to the user who is deleted",
      'self'
    )
  }
  if (dns.zone_ownership_mode === 'groups_only') {
    throw invalid('Zones are owned by groups only (dns.zone_ownership_mode)')
  }
  if (isRowId(heirId)) {
    // Nobody deletes the user before this is done.
    await holdRow(trx, 'zw_users', heirId)
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
  return { kind: 'user', id: heirId, name: username, grantee }
}
