import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { factsOf } from '#access/ownership'
import type { BackendZone, DnsBackend, StoredRecord } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import type { RecordAction, ListedEdit } from '#changes/change_set'
import dns from '#config/dns'
import interfaceSettings from '#config/interface'
import { reverseName } from '#dns/addresses'
import { isReverseZone } from '#dns/names'
import type { RecordData, RRset } from '#dns/types'
import { closestZone } from '#zones/enclosing'

/** The part of a record that its PTR record mirrors. `ttl` in seconds. */
export type Mirrored = Pick<StoredRecord, 'name' | 'type' | 'content' | 'ttl'>

/** What to do about PTR records beside a change, or why nothing can be done. */
export type PtrPlan =
  { zones: ListedEdit[]; warning: string | null } | { zones: null; refusal: string }

const MIRRORED_TYPES = ['A', 'AAAA']

/** Whether records of the type have a PTR record to go with them. */
export function hasPtr(type: string): boolean {
  return MIRRORED_TYPES.includes(type.toUpperCase())
}

/**
 * Finds the PTR records that go with address records. They become part of the same change set, under the
 * same permissions on the reverse zone; a reverse zone that the caller may not write is named as missing.
 */
@inject()
export class PtrCompanion {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Plans the PTR record of a new address record. */
  create(actor: Actor, record: Mirrored): Promise<PtrPlan> {
    return this.#plan(actor, null, record)
  }

  /** Plans the move of a PTR record from what an address record was to what it is to be. */
  update(actor: Actor, old: Mirrored, record: Mirrored): Promise<PtrPlan> {
    return this.#plan(actor, old, record)
  }

  async #plan(actor: Actor, old: Mirrored | null, record: Mirrored): Promise<PtrPlan> {
    if (!interfaceSettings.add_reverse_record) {
      return refused('reverse records are switched off (setting interface.add_reverse_record)')
    }
    const changes = new Map<number, RecordAction[]>()
    const left = old && hasPtr(old.type) ? reverseName(old.content) : null
    const reverse = left && (await this.#writableZone(actor, left))
    const known = left && reverse && (await this.#ptrAt(reverse, left))
    const isOld = ({ content }: RecordData) => content === old?.name
    if (old && reverse && known && known.records.some(isOld)) {
      // By what it says, and not by its id: who makes it say something else in between keeps that.
      const records = [{ content: old.name }]
      changes.set(reverse.id, [{ op: 'remove', name: `${left}.`, type: 'PTR', records }])
    }
    const owner = reverseName(record.content)
    const zone = await this.#writableZone(actor, owner)
    if (!zone) {
      return refused(`there is no reverse zone for ${record.content} that you may write`)
    }
    const stored = await this.#ptrAt(zone, owner)
    const actions = changes.get(zone.id) ?? []
    const staying = stored?.records.filter((one) => owner !== left || !isOld(one)) ?? []
    if (staying.some(({ content }) => content === record.name)) {
      return refused(`the PTR record of ${record.content} is there already`)
    }
    const add: RecordAction = {
      op: 'add',
      record: {
        name: `${owner}.`,
        type: 'PTR',
        content: record.name,
        ttl: dns.ttl_reverse ?? record.ttl,
        priority: 0,
        disabled: false,
      },
    }
    changes.set(zone.id, [...actions, add])
    return {
      zones: [...changes].map(([zoneId, wishes]) => ({ op: 'edit', zoneId, actions: wishes })),
      warning: staying.length > 0 ? `${record.content} has more than one PTR record now` : null,
    }
  }

  async #writableZone(actor: Actor, owner: string): Promise<BackendZone | null> {
    const closest = await closestZone(this.#backend, owner)
    const zone = closest && (await this.#backend.findZone(closest.id))
    if (!zone || !isReverseZone(zone.name)) {
      return null
    }
    const facts = await factsOf(zone)
    const may = authorize(actor, { action: 'rrset.write', zone: facts, name: owner, type: 'PTR' })
    return may.allowed ? zone : null
  }

  async #ptrAt(zone: BackendZone, owner: string): Promise<RRset | undefined> {
    const sets = await this.#backend.rrsetsAt(zone, [owner])
    return sets.find((set) => set.type === 'PTR')
  }
}

function refused(refusal: string): PtrPlan {
  return { zones: null, refusal }
}
