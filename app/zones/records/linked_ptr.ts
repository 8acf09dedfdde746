import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { loadZoneFacts } from '#access/ownership'
import type { DnsBackend, StoredRecord } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { ListedEdit } from '#changes/model/change_set'
import dns from '#config/dns'
import interfaceSettings from '#config/interface'
import { isAddress, reverseName } from '#dns/addresses/address_text'
import { findPtrLocations, type PtrLocation } from '#changes/zone_index/ptr_locations'

/** The part of a record that decides its PTR record. `ttl` in seconds. */
export type Mirrored = Pick<StoredRecord, 'name' | 'type' | 'content' | 'ttl'>

/** Changes of PTR records for one address record. */
export interface PtrPlan {
  /** Deletes the old PTR record; null if none can be deleted. */
  removal: ListedEdit | null
  /** Creates the new PTR record; null for the reason in `refusal`. */
  addition: ListedEdit | null
  refusal: string | null
  warning: string | null
}

/** Merges the edits of each zone; actions stay in order. */
export function editsByZone(edits: ListedEdit[]): ListedEdit[] {
  const zones = Map.groupBy(edits, ({ zoneId }) => zoneId)
  return [...zones.values()].map((same) => ({
    ...same[0],
    actions: same.flatMap(({ actions }) => actions),
  }))
}

const NOTHING = { removal: null, addition: null, warning: null }

const MIRRORED_TYPES = ['A', 'AAAA']

/** Returns whether any of these types can have a linked PTR record. */
export function hasPtr(...types: string[]): boolean {
  return types.some((type) => MIRRORED_TYPES.includes(type.toUpperCase()))
}

/**
 * Plans linked PTR records of address records. They belong to the same change set and need the same
 * rights on the reverse zone. A reverse zone that the caller may not write counts as missing.
 */
@inject()
export class PtrCompanion {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  create(actor: Actor, record: Mirrored): Promise<PtrPlan> {
    return this.#plan(actor, null, record)
  }

  /**
   * Plans the move of a PTR record after an edit. An edit to another type deletes the old PTR
   * record.
   */
  update(actor: Actor, old: Mirrored, record: Mirrored): Promise<PtrPlan> {
    return this.#plan(actor, old, record)
  }

  async #plan(actor: Actor, old: Mirrored | null, record: Mirrored): Promise<PtrPlan> {
    if (!interfaceSettings.add_reverse_record) {
      const refusal = 'reverse records are switched off (setting interface.add_reverse_record)'
      return { ...NOTHING, refusal }
    }
    const removal = old && (await this.#removal(actor, old))
    if (!hasPtr(record.type)) {
      return { ...NOTHING, removal, refusal: `${record.type} records have none` }
    }
    const owner = reverseName(record.content)
    const reverse = await this.#writableReverse(actor, owner)
    if (!reverse) {
      const refusal = `there is no reverse zone for ${record.content} that you may write`
      return { ...NOTHING, removal, refusal }
    }
    const leaving = old && owner === oldOwner(old) ? old.name : null
    const staying = reverse.ptr?.records.filter(({ content }) => content !== leaving) ?? []
    if (staying.some(({ content }) => content === record.name)) {
      const refusal = `the PTR record of ${record.content} is there already`
      return { ...NOTHING, removal, refusal }
    }
    const pointer = {
      name: `${reverse.owner}.`,
      type: 'PTR',
      content: record.name,
      ttl: dns.ttl_reverse ?? record.ttl,
      priority: 0,
      disabled: false,
    }
    const isShared = staying.length > 0
    return {
      removal,
      addition: { op: 'edit', zoneId: reverse.zone.id, actions: [{ op: 'add', record: pointer }] },
      refusal: null,
      warning: isShared ? `${record.content} has more than one PTR record now` : null,
    }
  }

  /** Returns the deletion of the old PTR record; null if there is none. */
  async #removal(actor: Actor, old: Mirrored): Promise<ListedEdit | null> {
    const owner = oldOwner(old)
    const reverse = owner && (await this.#writableReverse(actor, owner))
    if (!reverse || !reverse.ptr?.records.some(({ content }) => content === old.name)) {
      return null
    }
    // Deletes by content instead of id: a concurrent edit of the PTR record stays.
    const records = [{ content: old.name }]
    const action = { op: 'remove' as const, name: `${reverse.owner}.`, type: 'PTR', records }
    return { op: 'edit', zoneId: reverse.zone.id, actions: [action] }
  }

  /** Returns the reverse zone of a name and its PTR RRset; null if the actor may not write it. */
  async #writableReverse(actor: Actor, name: string): Promise<PtrLocation | null> {
    const reverses = await findPtrLocations(this.#backend, [name])
    const reverse = reverses.get(name)
    if (!reverse) return null
    const { owner, zone } = reverse
    const facts = await loadZoneFacts(zone)
    const may = authorize(actor, { action: 'rrset.write', zone: facts, name: owner, type: 'PTR' })
    return may.allowed ? reverse : null
  }
}

/** Returns the owner name of the PTR record; null for other types and invalid addresses. */
function oldOwner({ type, content }: Mirrored): string | null {
  return hasPtr(type) && isAddress(content) ? reverseName(content) : null
}
