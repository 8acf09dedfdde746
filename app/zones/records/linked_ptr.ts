import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { factsOf } from '#access/ownership'
import type { DnsBackend, StoredRecord } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { ListedEdit } from '#changes/model/change_set'
import dns from '#config/dns'
import interfaceSettings from '#config/interface'
import { isAddress, reverseName } from '#dns/addresses/address_text'
import { reversePlaces, type ReversePlace } from '#changes/zone_index/reverse_places'

/** The part of a record that its PTR record mirrors. `ttl` in seconds. */
export type Mirrored = Pick<StoredRecord, 'name' | 'type' | 'content' | 'ttl'>

/** What to do about PTR records beside a change. */
export interface PtrPlan {
  /** The end of the old PTR record; null where there is none that can be removed. */
  removal: ListedEdit | null
  /** The new PTR record; null where there can be none, for the reason in `refusal`. */
  addition: ListedEdit | null
  refusal: string | null
  warning: string | null
}

/** Edits with one for each zone: their actions in their order. */
export function editsByZone(edits: ListedEdit[]): ListedEdit[] {
  const zones = Map.groupBy(edits, ({ zoneId }) => zoneId)
  return [...zones.values()].map((same) => ({
    ...same[0],
    actions: same.flatMap(({ actions }) => actions),
  }))
}

const NOTHING = { removal: null, addition: null, warning: null }

const MIRRORED_TYPES = ['A', 'AAAA']

/** Whether records of any of these types have a PTR record to go with them. */
export function hasPtr(...types: string[]): boolean {
  return types.some((type) => MIRRORED_TYPES.includes(type.toUpperCase()))
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

  /**
   * Plans the move of a PTR record from what an address record was to what it is to be. One that is to be of another type
   * has none: the old one ends.
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
    const place = await this.#writablePlace(actor, owner)
    if (!place) {
      const refusal = `there is no reverse zone for ${record.content} that you may write`
      return { ...NOTHING, removal, refusal }
    }
    const leaving = old && owner === oldOwner(old) ? old.name : null
    const staying = place.ptr?.records.filter(({ content }) => content !== leaving) ?? []
    if (staying.some(({ content }) => content === record.name)) {
      const refusal = `the PTR record of ${record.content} is there already`
      return { ...NOTHING, removal, refusal }
    }
    const pointer = {
      name: `${place.owner}.`,
      type: 'PTR',
      content: record.name,
      ttl: dns.ttl_reverse ?? record.ttl,
      priority: 0,
      disabled: false,
    }
    const isShared = staying.length > 0
    return {
      removal,
      addition: { op: 'edit', zoneId: place.zone.id, actions: [{ op: 'add', record: pointer }] },
      refusal: null,
      warning: isShared ? `${record.content} has more than one PTR record now` : null,
    }
  }

  /** How the PTR record of what an address record was ends; null where there is none to be ended. */
  async #removal(actor: Actor, old: Mirrored): Promise<ListedEdit | null> {
    const owner = oldOwner(old)
    const place = owner && (await this.#writablePlace(actor, owner))
    if (!place || !place.ptr?.records.some(({ content }) => content === old.name)) {
      return null
    }
    // By what it says, and not by its id: who makes it say something else in between keeps that.
    const records = [{ content: old.name }]
    const action = { op: 'remove' as const, name: `${place.owner}.`, type: 'PTR', records }
    return { op: 'edit', zoneId: place.zone.id, actions: [action] }
  }

  /** Where the PTR record of a reverse name stands; null where the actor may not write it. */
  async #writablePlace(actor: Actor, name: string): Promise<ReversePlace | null> {
    const places = await reversePlaces(this.#backend, [name])
    const place = places.get(name)
    if (!place) return null
    const { owner, zone } = place
    const facts = await factsOf(zone)
    const may = authorize(actor, { action: 'rrset.write', zone: facts, name: owner, type: 'PTR' })
    return may.allowed ? place : null
  }
}

/** Owner name of the PTR record of what a record was; null where that has none, or is no address. */
function oldOwner({ type, content }: Mirrored): string | null {
  return hasPtr(type) && isAddress(content) ? reverseName(content) : null
}
