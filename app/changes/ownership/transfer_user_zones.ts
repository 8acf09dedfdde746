import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { isSuperUser, type Actor } from '#access/actor'
import { authorize, type ZoneFacts } from '#access/authorize'
import { ownershipOf } from '#access/ownership'
import type { Grantee } from '#access/rules/ownership_rules'
import type { AuditEvent } from '#audit/event'
import { ownerEvents } from '#audit/owner_events'
import { record } from '#audit/record'
import type { DnsBackend } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import { timestampNow } from '#changes/model/clock'
import { writeZones } from '#changes/recovery/write_zones'
import { chunks } from '#database/statements/chunks'
import { forbidden } from '#exceptions/refusal'

/** New owner of zones: a user or a group. */
interface NewOwner {
  kind: 'user' | 'group'
  id: number
  grantee: Grantee
}

/** The zones of users, in one transaction with changes of the users. */
export interface UserZonesSession {
  trx: TransactionClientContract
  zonesOf(userId: number): Promise<ZoneFacts[]>
  transferOwnership(
    actor: Actor,
    zones: ZoneFacts[],
    from: number,
    to: NewOwner | null
  ): Promise<void>
}

/**
 * Runs work on the zones of users in one transaction, and retries it after a conflict. Owners are
 * no zone content: there is no journal entry, and the entity tag stays. The audit log has the
 * change.
 */
export function writeUserZones<T>(
  backend: DnsBackend,
  work: (session: UserZonesSession) => Promise<T>
): Promise<T> {
  return writeZones(backend, async ({ session, trx, countChange }) => {
    // Takes the single write lock of SQLite before the first read.
    await session.lockZones([])
    return work({
      trx,
      zonesOf: (userId) => zonesOf(session, trx, userId),
      transferOwnership: async (actor, zones, from, to) => {
        requireTransferRight(actor, zones, to?.grantee ?? null)
        await replaceOwner(trx, zones, from, to)
        countChange.markChanged()
        await record(trx, actor, transferEvents(zones, from, to))
      },
    })
  })
}

/**
 * The zones that a user owns directly, under their write locks. The row of the user must be locked,
 * so that no zone is added. Zones that another program deleted are left out.
 */
async function zonesOf(
  session: WriteSession,
  trx: TransactionClientContract,
  userId: number
): Promise<ZoneFacts[]> {
  const owned: { id: number; name: string }[] = await trx
    .from('zw_zone_owners as o')
    .join('zw_zones as z', 'z.id', 'o.zone_id')
    .where('o.user_id', userId)
    .orderBy('z.id')
    .select('z.id', 'z.name')
  const zones: ZoneFacts[] = []
  for (const part of chunks(owned)) {
    const locked = await session.lockZones(part.map(({ id }) => id))
    const existingZones = part.flatMap(({ id, name }) => {
      const zone = locked.get(id)
      return zone?.name === name ? [zone] : []
    })
    const owners = await ownershipOf(existingZones, trx)
    for (const zone of existingZones) {
      const ownership = owners.get(zone.id)
      // Another transaction may have removed the owner before the zone was locked.
      if (ownership?.users.has(userId)) {
        zones.push({ id: zone.id, name: zone.name, kind: zone.kind, ownership })
      }
    }
  }
  return zones
}

/**
 * Throws 403 unless the actor may assign each zone to the new owner, or remove the owner if there
 * is no new one. The message does not name the zone, which may be hidden from the actor.
 * Super-users may, within their API key.
 */
function requireTransferRight(actor: Actor, zones: ZoneFacts[], to: Grantee | null): void {
  if (isSuperUser(actor) && actor.key === null) {
    return
  }
  for (const zone of zones) {
    const decision = to
      ? authorize(actor, { action: 'zone.grant', zone, to })
      : authorize(actor, { action: 'zone.edit_owners', zone })
    if (!decision.allowed) {
      throw forbidden(
        decision.hidden
          ? 'You do not have permission to transfer the zones of this user'
          : `The zones of this user cannot be transferred: ${decision.reasons[0].message}`
      )
    }
  }
}

function transferEvents(zones: ZoneFacts[], from: number, to: NewOwner | null): AuditEvent[] {
  return zones.flatMap((zone) => {
    const added = to && !ownersOf(zone, to).has(to.id) ? [to.id] : []
    const owners = to?.kind === 'group' ? { groups: added } : { users: added }
    return [
      ...ownerEvents('zone.owner_added', zone, owners),
      ...ownerEvents('zone.owner_removed', zone, { users: [from] }),
    ]
  })
}

const OWNER_TABLES = {
  user: { table: 'zw_zone_owners', column: 'user_id' },
  group: { table: 'zw_zone_groups', column: 'group_id' },
} as const

async function replaceOwner(
  trx: TransactionClientContract,
  zones: ZoneFacts[],
  from: number,
  to: NewOwner | null
): Promise<void> {
  if (to) {
    const { table, column } = OWNER_TABLES[to.kind]
    const rows = zones
      .filter((zone) => !ownersOf(zone, to).has(to.id))
      .map(({ id }) => ({ zone_id: id, [column]: to.id, created_at: timestampNow() }))
    for (const part of chunks(rows)) {
      await trx.table(table).multiInsert(part)
    }
  }
  for (const part of chunks(zones)) {
    await trx
      .from('zw_zone_owners')
      .where('user_id', from)
      .whereIn(
        'zone_id',
        part.map(({ id }) => id)
      )
      .delete()
  }
}

function ownersOf({ ownership }: ZoneFacts, { kind }: NewOwner): ReadonlySet<number> {
  return kind === 'user' ? ownership.users : ownership.groups
}
