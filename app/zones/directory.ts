import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize, type ZoneAction, type ZoneFacts } from '#access/authorize'
import { AccessDenied, demand, canView } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { syncExternalChanges } from '#changes/recovery/sync_server'
import type { TaggedZone } from '#changes/model/etags'
import { findZoneRow } from '#changes/zone_index/zone_rows'
import { notFound } from '#exceptions/refusal'

/** A zone that the caller may act on, with the facts of that decision. */
export interface OpenZone {
  zone: BackendZone
  facts: ZoneFacts
}

/** Zones with at most this many records are searched for external changes; that takes a few ms. */
const MAX_PENDING_WRITES_RECOVERED = 1000

/** Finds and lists zones. Every method checks the rights of the caller. */
@inject()
export class ZoneDirectory {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Returns the zone for an action. Throws, in this order: 403 if the key does not reach the zone,
   * 404 if it is missing or hidden, 403 if the caller lacks the right.
   */
  async open(actor: Actor, id: number, action: ZoneAction): Promise<OpenZone> {
    const openedZone = await this.#find(actor, id)
    demand(actor, { action, zone: openedZone.facts })
    return openedZone
  }

  /** As `open`, by the canonical name. */
  async openNamed(actor: Actor, name: string, action: ZoneAction): Promise<OpenZone> {
    const zone = await this.#backend.findZoneByName(name)
    if (!zone) {
      throw notFound(`There is no zone named '${name}'`)
    }
    return this.open(actor, zone.id, action)
  }

  async #find(actor: Actor, id: number): Promise<OpenZone> {
    demand(actor, { action: 'key.reach', zoneId: id })
    const zone = await this.#backend.findZone(id)
    if (!zone) {
      throw notFound('Zone not found')
    }
    const facts = await loadZoneFacts(zone)
    demand(actor, { action: 'key.reach', zoneId: id, zoneName: zone.name })
    return { zone, facts }
  }

  /**
   * Returns the zone for a request whose body decides which rights are needed; the write checks
   * them. Throws as `open`, except for the last error.
   */
  async openVisible(actor: Actor, id: number): Promise<OpenZone> {
    const openedZone = await this.#find(actor, id)
    const request = { action: 'zone.view' as const, zone: openedZone.facts }
    const decision = authorize(actor, request)
    if (decision.hidden) {
      throw new AccessDenied(actor, request, decision)
    }
    return openedZone
  }

  /**
   * As `openVisible`, by the canonical name. A hidden zone and a missing zone give the same answer.
   */
  async visibleNamed(actor: Actor, name: string): Promise<OpenZone> {
    const zone = await this.#backend.findZoneByName(name)
    if (!zone) {
      throw notFound('Zone not found')
    }
    return this.openVisible(actor, zone.id)
  }

  /**
   * Adds the description and the newest journal entry. Records external changes in the journal
   * first, except in large zones.
   */
  async describe(zone: BackendZone): Promise<TaggedZone> {
    await syncExternalChanges(this.#backend, zone, { maxRecords: MAX_PENDING_WRITES_RECOVERED })
    const row = await findZoneRow(zone)
    return { zone, description: row?.description ?? null, lastEntry: row?.last_entry ?? 0 }
  }

  /** Returns the ids of those zones whose contents the caller may view. */
  async visibleIds(actor: Actor, zones: BackendZone[]): Promise<Set<number>> {
    const facts = await Promise.all(zones.map((zone) => loadZoneFacts(zone)))
    return new Set(facts.filter((zone) => canView(actor, zone)).map(({ id }) => id))
  }
}
