import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { loadGroupAsOwner, loadUsersAsOwners } from '#access/grantees'
import type { Grantee } from '#access/rules/ownership_rules'
import type { ZoneFacts } from '#access/ownership'
import type { GroupName } from '#accounts/groups/references'
import { countRemainingAdministrators } from '#accounts/users/last_administrator'
import { findUserById, lockUser } from '#accounts/users/row'
import { finishUserChange } from '#accounts/users/write'
import type { ZoneTransferEvent, UserEvent } from '#accounts/users/events'
import type { AccountWriteOptions } from '#accounts/terms'
import dns from '#config/dns'
import { isRowId } from '#database/rows/row_ids'
import { holdRow } from '#database/rows/row_lock'
import { conflict, invalid, notFound, Refusal } from '#exceptions/refusal'

/** New owner of zones of a deleted user: a user or a group. */
export interface ZoneRecipient {
  kind: 'user' | 'group'
  id: number
}

/** New owners of all zones of a deleted user. */
export interface OwnershipTransfers {
  /** New owner of zones that are not in `zones`; null allows no such zones. */
  defaultOwner: ZoneRecipient | null
  /** New owner by zone id; null leaves the zone to its other owners. */
  zones?: ReadonlyMap<number, ZoneRecipient | null>
}

type NamedRecipient = ZoneRecipient & { name: string; grantee: Grantee }

/**
 * Zones of users within one transaction. The channel passes it in, because `accounts` must not
 * import `zones`.
 */
export interface UserZoneSession {
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
  transferOwnership(
    actor: Actor,
    zones: ZoneFacts[],
    from: number,
    to: (ZoneRecipient & { grantee: Grantee }) | null
  ): Promise<void>
}

/** Runs work in one transaction on the zones of users. */
export interface UserZoneTransactions {
  inTransaction<T>(work: (session: UserZoneSession) => Promise<T>): Promise<T>
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
  terms: AccountWriteOptions,
  id: number,
  ownershipTransfers: OwnershipTransfers,
  userZones: UserZoneTransactions
): Promise<number> {
  const { actor } = terms
  await demandUserDeletion(actor, id)
  return userZones.inTransaction(async (session) => {
    const { trx } = session
    const user = await lockUser(trx, id)
    demand(actor, { action: 'user.delete', user: user.facts })
    const counts = user.facts.isSuperUser && user.active
    if (counts && (await countRemainingAdministrators(trx, { exceptUserId: id })) === 0) {
      throw conflict(
        'This user is the last active administrator: make another user an administrator first'
      )
    }
    const zones = await session.zonesOf(id)
    const transfers: ZoneTransferEvent[] = []
    for (const { recipient, zones: recipientZones } of groupZonesByRecipient(
      actor,
      zones,
      ownershipTransfers
    )) {
      const to = recipient && (await resolveRecipient(trx, actor, id, recipient))
      if (recipientZones.length > 0) await session.transferOwnership(actor, recipientZones, id, to)
      transfers.push({ to, zones: recipientZones.map((zone) => zone.id) })
    }
    // Rows of zones that another program deleted would block the deletion; they belong to nobody.
    await trx.from('zw_zone_owners').where('user_id', id).delete()
    const event: UserEvent = {
      action: 'user.delete',
      user: { id, username: user.username },
      ...(await loadMembershipsAndKeys(trx, id)),
      transfers,
    }
    await trx.from('zw_users').where('id', id).delete()
    await finishUserChange(trx, terms, event)
    return zones.length
  })
}

/** Groups zones by new owner. The default owner is included even without zones, so that an invalid one is reported. */
function groupZonesByRecipient(
  actor: Actor,
  zones: ZoneFacts[],
  { defaultOwner, zones: ownerByZone = new Map() }: OwnershipTransfers
): { recipient: ZoneRecipient | null; zones: ZoneFacts[] }[] {
  const zoneById = new Map(zones.map((zone) => [zone.id, zone]))
  for (const id of ownerByZone.keys()) {
    const zone = zoneById.get(id)
    // The message must not reveal owners of a hidden zone.
    if (!zone || authorize(actor, { action: 'zone.edit_owners', zone }).hidden) {
      throw invalid(`Field 'zone_transfers': the user does not own zone ${id}`)
    }
  }
  const zonesByRecipient = new Map<
    string,
    { recipient: ZoneRecipient | null; zones: ZoneFacts[] }
  >()
  if (defaultOwner)
    zonesByRecipient.set(recipientKey(defaultOwner), { recipient: defaultOwner, zones: [] })
  for (const zone of zones) {
    const recipient = ownerByZone.has(zone.id) ? ownerByZone.get(zone.id)! : defaultOwner
    if (recipient === null) requireOtherOwners(zone, ownerByZone.has(zone.id))
    const recipientZones = zonesByRecipient.get(recipientKey(recipient)) ?? { recipient, zones: [] }
    recipientZones.zones.push(zone)
    zonesByRecipient.set(recipientKey(recipient), recipientZones)
  }
  return [...zonesByRecipient.values()]
}

function recipientKey(recipient: ZoneRecipient | null): string {
  return recipient ? `${recipient.kind} ${recipient.id}` : ''
}

/**
 * A zone would have no owner, or the deleted user as owner. A 400 with names of the API members.
 */
export class RecipientMissing extends Refusal {
  /**
   * @param problem the error: no new owner, none for the zone `name`, or the deleted user as new owner
   */
  constructor(
    message: string,
    readonly problem: 'none' | 'zone' | 'self',
    readonly name = ''
  ) {
    super(400, message)
  }
}

/** Throws `RecipientMissing` if the zone has no other owners. */
function requireOtherOwners(
  { id, name, ownership: { users, groups } }: ZoneFacts,
  isNamed: boolean
): void {
  if (!isNamed) {
    throw new RecipientMissing(
      "The user owns zones: set 'transfer_to_user_id' or 'transfer_to_group_id' to their new owner",
      'none'
    )
  }
  if (users.size + groups.size < 2) {
    throw new RecipientMissing(
      `Field 'zone_transfers': zone ${id} has no other owner: set 'user_id' or 'group_id' to its new owner`,
      'zone',
      name
    )
  }
}

/** Returns memberships and API keys, which are deleted with the user. */
async function loadMembershipsAndKeys(trx: TransactionClientContract, id: number) {
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

async function resolveRecipient(
  trx: TransactionClientContract,
  actor: Actor,
  id: number,
  recipient: ZoneRecipient
): Promise<NamedRecipient> {
  return recipient.kind === 'group'
    ? resolveGroupRecipient(trx, actor, recipient.id)
    : resolveUserRecipient(trx, id, recipient.id)
}

async function resolveGroupRecipient(
  trx: TransactionClientContract,
  actor: Actor,
  id: number
): Promise<NamedRecipient> {
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
    throw notFound(`Group not found: there is no group ${id} to transfer zones to`)
  }
  const { name }: { name: string } = await trx.from('zw_groups').where('id', id).firstOrFail()
  return { kind: 'group', id, name, grantee }
}

async function resolveUserRecipient(
  trx: TransactionClientContract,
  id: number,
  recipientId: number
): Promise<NamedRecipient> {
  if (recipientId === id) {
    throw new RecipientMissing(
      "Field 'transfer_to_user_id': the zones cannot be transferred to the user who is deleted",
      'self'
    )
  }
  if (dns.zone_ownership_mode === 'groups_only') {
    throw invalid('Zones are owned by groups only (dns.zone_ownership_mode)')
  }
  if (isRowId(recipientId)) {
    // Locks the user against deletion.
    await holdRow(trx, 'zw_users', recipientId)
  }
  const found = await loadUsersAsOwners(trx, isRowId(recipientId) ? [recipientId] : [])
  const grantee = found.get(recipientId)
  if (!grantee) {
    throw notFound(`User not found: there is no user ${recipientId} for 'transfer_to_user_id'`)
  }
  const { username }: { username: string } = await trx
    .from('zw_users')
    .where('id', recipientId)
    .select('username')
    .firstOrFail()
  return { kind: 'user', id: recipientId, name: username, grantee }
}
