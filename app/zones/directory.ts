import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize, type ZoneAction, type ZoneFacts } from '#access/authorize'
import { AccessDenied, demand, canView } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { syncExternalChanges } from '#changes/recovery/sync_server'
import type { TaggedZone } from '#changes/model/etags'
import { findZoneRow } from '#changes/zone_index/zone_rows'
import { notFound } from '#exceptions/refusal'

/** A zone that the caller may act on, with what the decision was made from. */
export interface OpenZone {
  zone: BackendZone
  facts: ZoneFacts
}

/** Records up to which reading a zone looks for what others changed; the look takes a few ms then. */
const SETTLED_IN_PASSING = 1000

/** Finds and lists zones, always through the caller's rights. */
@inject()
export class ZoneDirectory {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * The zone, for the action. Throws, in this order: 403 when the key does not reach it, 404 when it is
   * missing or hidden from the caller, 403 when the caller may not do this to it.
   */
  async open(actor: Actor, id: number, action: ZoneAction): Promise<OpenZone> {
    const open = await this.#find(actor, id)
    demand(actor, { action, zone: open.facts })
    return open
  }

  /** As `open`, for a zone by its canonical name. */
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
    const facts = await factsOf(zone)
    demand(actor, { action: 'key.reach', zoneId: id, zoneName: zone.name })
    return { zone, facts }
  }

  /**
   * The zone, for a request whose body decides what it needs: the write itself asks for that. Throws as
   * `open` does, but for the last reason.
   */
  async openVisible(actor: Actor, id: number): Promise<OpenZone> {
    const open = await this.#find(actor, id)
    const request = { action: 'zone.view' as const, zone: open.facts }
    const decision = authorize(actor, request)
    if (decision.hidden) {
      throw new AccessDenied(actor, request, decision)
    }
    return open
  }

  /** As `openVisible`, for a zone by its canonical name; a hidden one is told from a missing one by nothing. */
  async visibleNamed(actor: Actor, name: string): Promise<OpenZone> {
    const zone = await this.#backend.findZoneByName(name)
    if (!zone) {
      throw notFound('Zone not found')
    }
    return this.openVisible(actor, zone.id)
  }

  /**
   * What the product knows of a zone beside the backend: the text attached to it, its newest entry. What
   * others changed is an entry by then, unless the zone is too large to be looked at in passing.
   */
  async describe(zone: BackendZone): Promise<TaggedZone> {
    await syncExternalChanges(this.#backend, zone, { upTo: SETTLED_IN_PASSING })
    const row = await findZoneRow(zone)
    return { zone, description: row?.description ?? null, lastEntry: row?.last_entry ?? 0 }
  }

  /** Ids of those of some zones whose contents the caller may see. */
  async seen(actor: Actor, zones: BackendZone[]): Promise<Set<number>> {
    const facts = await Promise.all(zones.map((zone) => factsOf(zone)))
    return new Set(facts.filter((zone) => canView(actor, zone)).map(({ id }) => id))
  }
}
