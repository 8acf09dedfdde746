import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { loadUsersAsOwners } from '#access/grantees'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { changeOwners, type LockedOwners } from '#changes/ownership/change_owners'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import dns from '#config/dns'
import { isRowId } from '#database/rows/row_ids'
import { conflict, invalid, notFound } from '#exceptions/refusal'
import { ZoneDirectory } from '#zones/directory'
import { refuseLastOwner } from '#zones/ownership/owner_rows'

/** A user who owns a zone. */
export interface ZoneOwner {
  user_id: number
  username: string
  fullname: string
}

/** Result for each user id, in the order of the request. */
export interface AddedOwners {
  added: number[]
  /** Users who owned the zone already. */
  skipped: number[]
  not_found: number[]
}

/** Users who own a zone. */
@inject()
export class ZoneOwners {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly directory: ZoneDirectory
  ) {
    this.#backend = manager.use()
  }

  /** Returns the owners by id. Throws as `ZoneDirectory.open`. */
  async list(actor: Actor, zoneId: number): Promise<ZoneOwner[]> {
    const { facts } = await this.directory.open(actor, zoneId, 'zone.view_owners')
    return db
      .from('zw_users')
      .whereIn('id', [0, ...facts.ownership.users])
      .orderBy('id')
      .select('id as user_id', 'username', 'fullname')
  }

  /** Throws as `ZoneDirectory.open` if the actor may not edit the owners of the zone. */
  async open(actor: Actor, zoneId: number): Promise<void> {
    await this.directory.open(actor, zoneId, 'zone.edit_owners')
  }

  /**
   * Adds a user as owner. Throws a 404 `Refusal` for an unknown user, a 409 for an owner, and a 403
   * if the actor would grant rights that the actor lacks on the zone.
   */
  async add(intent: Intent, zoneId: number, userId: number): Promise<void> {
    refuseGroupsOnly()
    await changeOwners(this.#backend, intent, zoneId, async (locked) => {
      const { added, skipped, not_found: unknown } = await addUsers(intent.actor, locked, [userId])
      if (unknown.length > 0) {
        throw notFound('User not found')
      }
      if (skipped.length > 0) {
        throw conflict('User is already an owner of this zone')
      }
      return { result: undefined, added: { users: added } }
    })
  }

  /**
   * Adds users as owners in one transaction; skips unknown users and owners. Throws a 403 `Refusal`
   * as `add`.
   */
  addAll(intent: Intent, zoneId: number, userIds: number[]): Promise<AddedOwners> {
    refuseGroupsOnly()
    return changeOwners(this.#backend, intent, zoneId, async (locked) => {
      const result = await addUsers(intent.actor, locked, userIds)
      return { result, added: { users: result.added } }
    })
  }

  /**
   * Removes a user as owner. Throws a 404 `Refusal` if the user does not own the zone, and a 400
   * for the last owner.
   */
  async remove(intent: Intent, zoneId: number, userId: number): Promise<void> {
    await changeOwners(this.#backend, intent, zoneId, async ({ trx, zone }) => {
      if (!zone.ownership.users.has(userId)) {
        throw notFound('Owner not found for this zone')
      }
      refuseLastOwner(zone)
      await trx.from('zw_zone_owners').where({ zone_id: zone.id, user_id: userId }).delete()
      return { result: undefined, removed: { users: [userId] } }
    })
  }
}

function refuseGroupsOnly(): void {
  if (dns.zone_ownership_mode === 'groups_only') {
    throw invalid(
      'Users cannot own zones: zones are owned by groups only (dns.zone_ownership_mode)'
    )
  }
}

async function addUsers(
  actor: Actor,
  { trx, zone }: LockedOwners,
  userIds: number[]
): Promise<AddedOwners> {
  const newUserIds = [...new Set(userIds)]
  const usersById = await loadUsersAsOwners(trx as QueryClientContract, newUserIds.filter(isRowId))
  const existing = newUserIds.filter((id) => usersById.has(id))
  const added = existing.filter((id) => !zone.ownership.users.has(id))
  for (const id of added) {
    demand(actor, { action: 'zone.grant', zone, to: usersById.get(id)! })
  }
  if (added.length > 0) {
    const created = timestampNow()
    const rows = added.map((id) => ({ zone_id: zone.id, user_id: id, created_at: created }))
    await trx.table('zw_zone_owners').multiInsert(rows)
  }
  return {
    added,
    skipped: existing.filter((id) => zone.ownership.users.has(id)),
    not_found: newUserIds.filter((id) => !usersById.has(id)),
  }
}
