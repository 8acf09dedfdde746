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
import { momentNow } from '#changes/model/clock'
import { writeZones } from '#changes/recovery/write_zones'
import { chunks } from '#database/statements/chunks'
import { forbidden } from '#exceptions/refusal'

/** Who gets zones: a user or a group. */
interface NewOwner {
  kind: 'user' | 'group'
  id: number
  grantee: Grantee
}

/** The zones of users, in one transaction with whatever else happens to the users. */
export interface UserZonesSession {
  trx: TransactionClientContract
  zonesOf(userId: number): Promise<ZoneFacts[]>
  handOver(actor: Actor, zones: ZoneFacts[], from: number, to: NewOwner | null): Promise<void>
}

/**
 * Runs work in one transaction with the zones of users. Owners are no content of a zone: there is no
 * journal entry, and its tag stays; the audit log tells of them. May run it again after a conflict with another
 * writer.
 */
export function writeUserZones<T>(
  backend: DnsBackend,
  work: (session: UserZonesSession) => Promise<T>
): Promise<T> {
  return writeZones(backend, async ({ session, trx, tally }) => {
    // Takes SQLite's one write lock before anything is read.
    await session.lockZones([])
    return work({
      trx,
      zonesOf: (userId) => zonesOf(session, trx, userId),
      handOver: async (actor, zones, from, to) => {
        demandHandOver(actor, zones, to?.grantee ?? null)
        await replaceOwner(trx, zones, from, to)
        tally.touch()
        await record(trx, actor, handOverEvents(zones, from, to))
      },
    })
  })
}

/**
 * The zones that a user owns directly, whoever else does, under their write locks. The user's row must be
 * locked, so that they get no more. Zones that another tool deleted are not among them.
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
    const living = part.flatMap(({ id, name }) => {
      const zone = locked.get(id)
      return zone?.name === name ? [zone] : []
    })
    const owners = await ownershipOf(living, trx)
    for (const zone of living) {
      const ownership = owners.get(zone.id)
      // Somebody may have taken it from the user before it was locked.
      if (ownership?.users.has(userId)) {
        zones.push({ id: zone.id, name: zone.name, kind: zone.kind, ownership })
      }
    }
  }
  return zones
}

/**
 * Throws a 403 unless the actor may make them an owner of each zone, or take it from somebody where there is no other. Which zone it is is not said: it may be
 * one that the actor must not know of. Administrators may, within their API key.
 */
function demandHandOver(actor: Actor, zones: ZoneFacts[], to: Grantee | null): void {
  if (isSuperUser(actor) && !actor.key?.zones) {
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

function handOverEvents(zones: ZoneFacts[], from: number, to: NewOwner | null): AuditEvent[] {
  return zones.flatMap((zone) => {
    const added = to && !ownersOf(zone, to).has(to.id) ? [to.id] : []
    const told = to?.kind === 'group' ? { groups: added } : { users: added }
    return [
      ...ownerEvents('zone.owner_added', zone, told),
      ...ownerEvents('zone.owner_removed', zone, { users: [from] }),
    ]
  })
}

const TABLES = {
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
    const { table, column } = TABLES[to.kind]
    const rows = zones
      .filter((zone) => !ownersOf(zone, to).has(to.id))
      .map(({ id }) => ({ zone_id: id, [column]: to.id, created_at: momentNow() }))
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
