import { inject } from '@adonisjs/core'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { authorize, type Decision } from '#access/authorize'
import { AccessDenied, demand } from '#access/demand'
import { loadGroupAsOwner, loadUsersAsOwners } from '#access/grantees'
import type { Grantee } from '#access/rules/ownership_rules'
import type { ZoneFacts } from '#access/ownership'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import { changeOwners } from '#changes/ownership/change_owners'
import dns from '#config/dns'
import { isRowId } from '#database/rows/row_ids'
import { holdRow } from '#database/rows/row_lock'
import { invalid, notFound } from '#exceptions/refusal'

/** Former owners that remain owners after a transfer. */
export type RetainedOwners = 'all' | 'groups' | 'none'

/** The new owner of zones. */
export interface NewOwner {
  kind: 'user' | 'group'
  id: number
  /** Former owners that remain owners. */
  retainedOwners: RetainedOwners
}

const TABLES = {
  user: { table: 'zw_zone_owners', column: 'user_id' },
  group: { table: 'zw_zone_groups', column: 'group_id' },
} as const

/** Transfers zones. Each transfer is one transaction, so a zone is never without an owner. */
@inject()
export class OwnershipTransfer {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Returns the new owner if the settings allow it. Throws a 404 `Refusal` if it does not exist, a
   * 400 if `dns.zone_ownership_mode` excludes its kind, and a 403 if the actor may not assign zones
   * to groups.
   */
  async grantee(
    actor: Actor,
    { kind, id }: NewOwner,
    client: Parameters<typeof loadUsersAsOwners>[0]
  ): Promise<Grantee> {
    if (dns.zone_ownership_mode === (kind === 'user' ? 'groups_only' : 'users_only')) {
      throw invalid(
        `Zones are owned by ${kind === 'user' ? 'groups' : 'users'} only (dns.zone_ownership_mode)`
      )
    }
    if (kind === 'group') {
      demand(actor, { action: 'group.manage' })
    }
    const users = kind === 'user' && isRowId(id) ? await loadUsersAsOwners(client, [id]) : null
    const granteeRow =
      users?.get(id) ?? (kind === 'group' && isRowId(id) && (await loadGroupAsOwner(client, id)))
    if (!granteeRow) {
      throw notFound(kind === 'user' ? 'User not found' : 'Group not found')
    }
    return granteeRow
  }

  /** Returns whether the actor may transfer the zone, for the interface. `give` checks it again. */
  decide(actor: Actor, zone: ZoneFacts, to: Grantee, owner: NewOwner): Decision {
    const decision = authorize(actor, { action: 'zone.grant', zone, to })
    return decision.allowed && lostOwners(zone, owner).groups.length > 0
      ? authorize(actor, { action: 'group.manage' })
      : decision
  }

  /** Transfers the zone. Does nothing if the owners would stay the same. */
  async assign(intent: Intent, zoneId: number, owner: NewOwner): Promise<void> {
    const { actor } = intent
    demand(actor, { action: 'key.reach', zoneId })
    await changeOwners(this.#backend, intent, zoneId, async ({ trx, zone }) => {
      if (owner.kind === 'group') {
        // Locks the group against deletion.
        await holdRow(trx, 'zw_groups', owner.id)
      }
      const to = await this.grantee(actor, owner, trx)
      const decision = this.decide(actor, zone, to, owner)
      if (!decision.allowed) {
        throw new AccessDenied(actor, { action: 'zone.grant', zone, to }, decision)
      }
      const isNew = !owns(zone, owner)
      if (isNew) {
        const { table, column } = TABLES[owner.kind]
        await trx
          .table(table)
          .insert({ zone_id: zone.id, [column]: owner.id, created_at: timestampNow() })
      }
      const removed = lostOwners(zone, owner)
      await remove(trx, zone.id, 'user', removed.users)
      await remove(trx, zone.id, 'group', removed.groups)
      const added = owner.kind === 'user' ? { users: [owner.id] } : { groups: [owner.id] }
      return { result: undefined, removed, ...(isNew ? { added } : {}) }
    })
  }
}

/** Returns whether the user or group owns the zone already. */
export function owns({ ownership }: ZoneFacts, { kind, id }: NewOwner): boolean {
  return (kind === 'user' ? ownership.users : ownership.groups).has(id)
}

/** Returns the owners that a transfer removes. */
export function lostOwners(
  { ownership }: ZoneFacts,
  { kind, id, retainedOwners }: NewOwner
): { users: number[]; groups: number[] } {
  const [users, groups] = [
    retainedOwners === 'all' ? [] : [...ownership.users],
    retainedOwners === 'none' ? [...ownership.groups] : [],
  ]
  return {
    users: users.filter((user) => kind !== 'user' || user !== id),
    groups: groups.filter((group) => kind !== 'group' || group !== id),
  }
}

async function remove(
  trx: TransactionClientContract,
  zoneId: number,
  kind: NewOwner['kind'],
  ids: number[]
): Promise<void> {
  if (ids.length > 0) {
    const { table, column } = TABLES[kind]
    await trx.from(table).where('zone_id', zoneId).whereIn(column, ids).delete()
  }
}
