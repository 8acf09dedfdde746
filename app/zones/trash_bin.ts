import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import { holds, isSuperUser, type Actor } from '#access/actor'
import { demand } from '#access/demand'
import { record } from '#audit/record'
import type { DnsBackend, ZoneKind } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/change_context'
import type { Owners } from '#changes/change_set'
import type { Intent } from '#changes/intent'
import { planHash } from '#changes/plan_hash'
import { submitChangeSet } from '#changes/submit'
import {
  contentsOf,
  findTrashed,
  formerOwners,
  takeFromTrash,
  trashSize,
  trashedZones,
  type TrashContents,
  type TrashedZone,
} from '#changes/trash'
import { PlanOnly } from '#changes/zone_plan'
import { conflict, notFound } from '#exceptions/refusal'
import { inTransaction } from '#database/transaction'
import { existingOwners } from '#zones/owners'
import { checkOverlap } from '#zones/overlap'

/** Deleted zones, and the way back. */
@inject()
export class TrashBin {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Deleted zones that the actor may know of: those they could have seen, the last deleted first; and how
   * many there are without the window.
   */
  async list(
    actor: Actor,
    window?: { offset: number; limit: number }
  ): Promise<{ zones: TrashedZone[]; total: number }> {
    if (seesAll(actor)) {
      const zones = await trashedZones(window)
      return { zones, total: window ? await trashSize() : zones.length }
    }
    const zones = actor.key?.zones ? [] : await visibleTrash(actor, await trashedZones())
    const { offset, limit } = window ?? { offset: 0, limit: zones.length }
    return { zones: zones.slice(offset, offset + limit), total: zones.length }
  }

  /**
   * Brings a deleted zone back with its records, metadata, comments, keys and owners, under its own id
   * where that is free. Whoever did not own it needs the right to make zones for others. Throws a 404
   * `Refusal` for one that is not there or hidden, and a 409 where another zone has its name by now.
   */
  async restore(intent: Intent, id: number): Promise<AppliedZone & { keysLost: boolean }> {
    const { actor } = intent
    const zone = await this.find(actor, id)
    const contents = await contentsOf(zone)
    if (!contents) {
      throw conflict(
        `The journal of '${zone.zoneName}' was pruned: the zone cannot be brought back`
      )
    }
    demand(actor, { action: 'zone.create', kind: contents.state.kind })
    if (!owned(actor, contents.state.owners)) {
      demand(actor, { action: 'zone.create_for_others' })
    }
    await checkOverlap(this.#backend, actor, zone.zoneName)
    const { zones } = await submitChangeSet(this.#backend, {
      intent,
      origin: { kind: 'restore', id: String(zone.entry) },
      zones: [await this.#creation(actor, zone, contents)],
    })
    return { ...zones[0], keysLost: contents.keys === null }
  }

  /**
   * Gives a deleted zone up for good. Administrators only. A dry run ends as a `PlanOnly` without zones: none
   * that is there changes.
   */
  async discard({ actor, dryRun }: Intent, id: number): Promise<void> {
    demand(actor, { action: 'trash.discard' })
    const { zoneId, zoneName } = await this.find(actor, id)
    if (dryRun) {
      throw new PlanOnly({ hash: planHash([]), zones: [] })
    }
    await inTransaction(db.connection(), async (trx) => {
      if (await takeFromTrash(id, trx)) {
        const object = { kind: 'zone' as const, id: zoneId, name: zoneName }
        await record(trx, actor, { action: 'zone.discarded', object })
      }
    })
  }

  async #creation(actor: Actor, zone: TrashedZone, { deletion, state, keys }: TrashContents) {
    const { notes = [] } = state
    const { name, kind, masters, account, metadata, comments, description } = state
    const owners = await existingOwners(state.owners)
    const isOrphan = owners.users.length + owners.groups.length === 0
    const heirs: Owners =
      isOrphan && actor.userId !== null ? { users: [actor.userId], groups: [] } : owners
    const rrsets = deletion.changes.flatMap(({ before }) => before ?? [])
    return {
      op: 'create' as const,
      zone: {
        name,
        kind: kind as ZoneKind,
        masters,
        account,
        metadata,
        revival: { id: zone.zoneId, comments, keys: keys ?? [] },
      },
      description,
      owners: heirs,
      records: [],
      revival: { trashId: zone.id, uid: zone.uid, lastEntry: zone.entry, rrsets, notes },
    }
  }

  /** The deleted zone. Throws a 404 `Refusal` for one that is not there or hidden. */
  async find(actor: Actor, id: number): Promise<TrashedZone> {
    const zone = await findTrashed(id)
    const [visible] = zone ? await visibleTrash(actor, [zone]) : []
    if (!visible) {
      throw notFound('There is no such deleted zone')
    }
    return visible
  }
}

/** Whoever sees every zone; keys for single zones see none that is gone. */
function seesAll(actor: Actor): boolean {
  return !actor.key?.zones && (isSuperUser(actor) || holds(actor, 'zone_content_view_others'))
}

/** Those of the deleted zones that the actor could see before. */
export async function visibleTrash(actor: Actor, zones: TrashedZone[]): Promise<TrashedZone[]> {
  if (seesAll(actor) || actor.key?.zones) {
    return actor.key?.zones ? [] : zones
  }
  const owners = await formerOwners(zones)
  const [mayOwn, groups] = [
    actor.permissions.has('zone_content_view_own'),
    actor.groups.filter(({ permissions }) => permissions.has('zone_content_view_own')),
  ]
  const viewer = { ...actor, userId: mayOwn ? actor.userId : null, groups }
  return zones.filter(({ id }) => owned(viewer, owners.get(id)))
}

/** Whether the actor owned a zone of these owners, directly or through a group. */
function owned({ userId, groups }: Pick<Actor, 'userId' | 'groups'>, owners?: Owners): boolean {
  return (
    (userId !== null && (owners?.users.includes(userId) ?? false)) ||
    groups.some(({ id }) => owners?.groups.includes(id))
  )
}
