import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { loadGroupAsOwner, loadUsersAsOwners } from '#access/grantees'
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

/** New owner of zones of a deleted user: a user or a group. */
export interface Heir {
  kind: 'user' | 'group'
  id: number
}

/** New owners of all zones of a deleted user. */
export interface Inheritance {
  /** New owner of zones that are not in `zones`; null allows no such zones. */
  rest: Heir | null
  /** New owner by zone id; null leaves the zone to its other owners. */
  zones?: ReadonlyMap<number, Heir | null>
}

type NamedHeir = Heir & { name: string; grantee: Grantee }

/**
 * Zones of users within one transaction. The channel passes it in, because `accounts` must not
 * import `zones`.
 */
export interface EstateSession {
  trx: TransactionClientContract
  /**
   * Returns the directly owned zones of a locked user. Their owners are locked until the end of the
   * transaction.
   */
  zonesOf(userId: number): Promise<ZoneFacts[]>
  /**
   * Replaces the user by another owner; null removes the user only. Throws a 403 if the actor may
   * not assign a zone to the new owner.
   */
  handOver(
    actor: Actor,
    zones: ZoneFacts[],
    from: number,
    to: (Heir & { grantee: Grantee }) | null
  ): Promise<void>
}

/** Runs work in one transaction on the zones of users. */
export interface Estates {
  inTransaction<T>(work: (session: EstateSession) => Promise<T>): Promise<T>
}

/**
 * Throws unless the actor may delete the user. In this order: 403 without the right for this id,
 * 404 for a missing user, 403 for a protected one.
 */
export async function demandUserDeletion(actor: Actor, id: number): Promise<void> {
  demand(actor, { action: 'user.delete', user: { id, isSuperUser: false } })
  const { facts } = await findUserById(db.connection(), id)
  demand(actor, { action: 'user.delete', user: facts })
}

/**
 * Deletes a user with API keys and memberships in one transaction, and transfers the zones. Returns
 * the number of zones.
 *
 * Throws a `Refusal`: 403 without the right on user or zones, 409 for the last active
 * administrator, 404 for an unknown new owner, and 400 for an invalid assignment of zones.
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
    // Rows of zones that another program deleted would block the deletion; they belong to nobody.
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

/**
 * Groups zones by new owner. The owner of the rest is included even without zones, so that an
 * invalid one is reported.
 */
function sharesOf(
  actor: Actor,
  zones: ZoneFacts[],
  { rest, zones: single = new Map() }: Inheritance
): { heir: Heir | null; zones: ZoneFacts[] }[] {
  const known = new Map(zones.map((zone) => [zone.id, zone]))
  for (const id of single.keys()) {
    const zone = known.get(id)
    // The message must not reveal owners of a hidden zone.
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

/**
 * A zone would have no owner, or the deleted user as owner. A 400 with names of the API members.
 */
export class HeirMissing extends Refusal {
  /**
   * @param why the error: no new owner, none for the zone `name`, or the deleted user as new owner
   */
  constructor(
    message: string,
    readonly why: 'none' | 'zone' | 'self',
    readonly name = ''
  ) {
    super(400, message)
  }
}

/** Throws `HeirMissing` if the zone has no other owners. */
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

/** Returns memberships and API keys, which are deleted with the user. */
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
    // Locks the group against deletion.
    await holdRow(trx, 'zw_groups', id)
  }
  const grantee = isRowId(id) ? await loadGroupAsOwner(trx, id) : null
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
    // Locks the user against deletion.
    await holdRow(trx, 'zw_users', heirId)
  }
  const found = await loadUsersAsOwners(trx, isRowId(heirId) ? [heirId] : [])
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
