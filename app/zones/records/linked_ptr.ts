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
export type AddressRecord = Pick<StoredRecord, 'name' | 'type' | 'content' | 'ttl'>

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
  return [...zones.values()].map((zoneEdits) => ({
    ...zoneEdits[0],
    actions: zoneEdits.flatMap(({ actions }) => actions),
  }))
}

const EMPTY_PLAN = { removal: null, addition: null, warning: null }

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
export class LinkedPtr {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  create(actor: Actor, record: AddressRecord): Promise<PtrPlan> {
    return this.#plan(actor, null, record)
  }

  /**
   * Plans the move of a PTR record after an edit. An edit to another type deletes the old PTR
   * record.
   */
  update(actor: Actor, old: AddressRecord, record: AddressRecord): Promise<PtrPlan> {
    return this.#plan(actor, old, record)
  }

  async #plan(actor: Actor, old: AddressRecord | null, record: AddressRecord): Promise<PtrPlan> {
    if (!interfaceSettings.add_reverse_record) {
      const refusal = 'reverse records are disabled (setting interface.add_reverse_record)'
      return { ...EMPTY_PLAN, refusal }
    }
    const removal = old && (await this.#planRemoval(actor, old))
    if (!hasPtr(record.type)) {
      return { ...EMPTY_PLAN, removal, refusal: `${record.type} records have no PTR record` }
    }
    const owner = reverseName(record.content)
    const reverse = await this.#writableReverse(actor, owner)
    if (!reverse) {
      const refusal = `there is no reverse zone for ${record.content} that you can edit`
      return { ...EMPTY_PLAN, removal, refusal }
    }
    const removedContent = old && owner === ptrOwnerOf(old) ? old.name : null
    const remainingRecords =
      reverse.ptr?.records.filter(({ content }) => content !== removedContent) ?? []
    if (remainingRecords.some(({ content }) => content === record.name)) {
      const refusal = `the PTR record of ${record.content} already exists`
      return { ...EMPTY_PLAN, removal, refusal }
    }
    const pointer = {
      name: `${reverse.owner}.`,
      type: 'PTR',
      content: record.name,
      ttl: dns.ttl_reverse ?? record.ttl,
      priority: 0,
      disabled: false,
    }
    const isShared = remainingRecords.length > 0
    return {
      removal,
      addition: { op: 'edit', zoneId: reverse.zone.id, actions: [{ op: 'add', record: pointer }] },
      refusal: null,
      warning: isShared ? `${record.content} has more than one PTR record now` : null,
    }
  }

  /** Returns the deletion of the old PTR record; null if there is none. */
  async #planRemoval(actor: Actor, old: AddressRecord): Promise<ListedEdit | null> {
    const owner = ptrOwnerOf(old)
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
    const decision = authorize(actor, {
      action: 'rrset.write',
      zone: facts,
      name: owner,
      type: 'PTR',
    })
    return decision.allowed ? reverse : null
  }
}

/** Returns the owner name of the PTR record; null for other types and invalid addresses. */
function ptrOwnerOf({ type, content }: AddressRecord): string | null {
  return hasPtr(type) && isAddress(content) ? reverseName(content) : null
}
