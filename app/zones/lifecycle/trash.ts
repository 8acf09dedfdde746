import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import type { AccessRequest } from '#access/authorize'
import { demand } from '#access/demand'
import { record } from '#audit/record'
import type { DnsBackend, ZoneKind } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { isReplica } from '#backends/contract/zone_kinds'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Owners } from '#changes/model/zone_properties'
import type { Intent } from '#changes/model/intent'
import { planHash } from '#changes/model/plan_hash'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { removeTemplateLink } from '#changes/transaction/template_links'
import {
  loadTrashContents,
  findTrashed,
  loadFormerStates,
  takeFromTrash,
  type FormerState,
  type TrashContents,
  type TrashedZone,
} from '#changes/journal/trash'
import { conflict, notFound } from '#exceptions/refusal'
import { inTransaction } from '#database/transaction'
import { existingOwners } from '#zones/ownership/owner_rows'
import { checkOverlap } from '#zones/overlap'
import { seesTrashed } from '#zones/lifecycle/trash_list'

/** Deleted zones and their restoration. */
@inject()
export class TrashBin {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Returns the rights that a restore of each zone needs, by trash id. Zones with a pruned journal
   * are left out: they cannot be restored.
   */
  async restoreRequests(actor: Actor, zones: TrashedZone[]): Promise<Map<number, AccessRequest[]>> {
    const states = await loadFormerStates(zones)
    return new Map([...states].map(([id, state]) => [id, restoreRequests(actor, state)]))
  }

  /**
   * Restores a zone with records, metadata, comments, keys and owners, and with its id if that is
   * free. Zones of other owners need the right to create zones for others. Throws a 404 `Refusal`
   * if the zone is missing or hidden, and a 409 if another zone has its name.
   */
  async restore(intent: Intent, id: number): Promise<Outcome<AppliedZone & { keysLost: boolean }>> {
    const { actor } = intent
    const zone = await this.find(actor, id)
    const contents = await loadTrashContents(zone)
    if (!contents) {
      throw conflict(`The journal of '${zone.zoneName}' was pruned: the zone cannot be restored`)
    }
    // The restore checks the record types itself.
    const formerState = { ...contents.state, types: [] }
    restoreRequests(actor, formerState).forEach((request) => demand(actor, request))
    await checkOverlap(this.#backend, actor, zone.zoneName)
    const outcome = await submitChangeSet(this.#backend, {
      intent,
      origin: { kind: 'restore', id: String(zone.entry) },
      zones: [await this.#creation(actor, zone, contents)],
    })
    const keysLost = contents.keys === null
    return mapOutcome(outcome, ([applied]) => ({ ...applied, keysLost }))
  }

  /**
   * Deletes a zone of the trash permanently; administrators only. The plan of a dry run has no
   * zones.
   */
  async discard({ actor, dryRun }: Intent, id: number): Promise<Outcome<void>> {
    demand(actor, { action: 'trash.discard' })
    const { zoneId, zoneName, uid } = await this.find(actor, id)
    if (dryRun) {
      return { kind: 'planned', plan: { hash: planHash([]), zones: [] } }
    }
    await inTransaction(db.connection(), async (trx) => {
      if (await takeFromTrash(id, trx)) {
        await removeTemplateLink(trx, uid)
        const object = { kind: 'zone' as const, id: zoneId, name: zoneName }
        await record(trx, actor, { action: 'zone.discarded', object })
      }
    })
    return { kind: 'applied', result: undefined }
  }

  async #creation(actor: Actor, zone: TrashedZone, { deletion, state, keys }: TrashContents) {
    const { name, kind, masters, account, metadata, comments, description } = state
    const owners = await existingOwners(state.owners)
    const isOrphan = owners.users.length + owners.groups.length === 0
    const newOwners: Owners =
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
        restored: { id: zone.zoneId, comments, keys: keys ?? [] },
      },
      description,
      owners: newOwners,
      records: [],
      restored: { trashId: zone.id, uid: zone.uid, lastEntry: zone.entry, rrsets },
    }
  }

  /** Throws a 404 `Refusal` if the zone is missing or hidden. */
  async find(actor: Actor, id: number): Promise<TrashedZone> {
    const zone = await findTrashed(id)
    if (!zone || !(await seesTrashed(actor, zone))) {
      throw notFound('Deleted zone not found')
    }
    return zone
  }
}

/** A restore creates a zone, for others if the actor did not own it. */
function restoreRequests(
  actor: Actor,
  { kind, owners, metadata, types }: FormerState
): AccessRequest[] {
  const isOwner = isOwned(actor, owners)
  return [
    { action: 'zone.create', kind },
    { action: 'zone.serve', types: isReplica({ kind }) ? [] : types, kinds: Object.keys(metadata) },
    ...(isOwner ? [] : [{ action: 'zone.create_for_others' as const }]),
  ]
}

/** Returns whether the actor owned the zone, directly or through a group. */
function isOwned({ userId, groups }: Pick<Actor, 'userId' | 'groups'>, owners: Owners): boolean {
  return (
    (userId !== null && owners.users.includes(userId)) ||
    groups.some(({ id }) => owners.groups.includes(id))
  )
}
