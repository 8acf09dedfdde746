import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { loadZoneFacts, ownershipOf } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { adoptZone } from '#changes/recovery/reconcile'
import { chunks } from '#database/statements/chunks'
import { isWithin, zoneName } from '#dns/names'
import { invalid } from '#exceptions/refusal'

/** A zone of an API key, by id or name. */
export type RequestedZone = number | string

/** Missing zones that one answer names. */
const MAX_KEY_ZONES = 100

/** Zones as restrictions of API keys. */
@inject()
export class KeyZones {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Returns the zones of a restriction, name by id, each with a zone row for the foreign key. Zones
   * that the key has already are not checked.
   *
   * @param actors the caller and the owner of the key; all of them must be able to view each zone
   * @throws Refusal 400 for a zone that is missing or hidden from one of them, without the reason
   */
  async resolve(
    actors: Actor[],
    requested: RequestedZone[],
    knownZones: ReadonlyMap<number, string> = new Map()
  ): Promise<Map<number, string>> {
    const zones = new Map<number, string>()
    const missing: RequestedZone[] = []
    for (const id of requested) {
      const name = typeof id === 'number' ? knownZones.get(id) : undefined
      if (typeof id === 'number' && name !== undefined) {
        zones.set(id, name)
        continue
      }
      const zone = await this.#find(id)
      const facts = zone && (await loadZoneFacts(zone))
      if (!facts || !actors.every((actor) => isVisible(actor, facts))) {
        missing.push(id)
        continue
      }
      await adoptZone(this.#backend, facts)
      zones.set(facts.id, facts.name)
    }
    if (missing.length > 0) {
      const named = missing.slice(0, MAX_KEY_ZONES).map((id) => JSON.stringify(id).slice(0, 100))
      throw invalid(`Field 'zones': there is no zone ${named.join(', ')}`)
    }
    return zones
  }

  /** Returns the ids of those zones that the actor can view. */
  async visible(actor: Actor, zones: ReadonlyMap<number, string>): Promise<Set<number>> {
    const nobody = { users: new Set<number>(), groups: new Set<number>() }
    const visible = new Set<number>()
    for (const part of chunks([...zones].map(([id, name]) => ({ id, name })))) {
      const owners = await ownershipOf(part)
      for (const { id, name } of part) {
        // The kind does not affect visibility.
        const facts = { id, name, kind: '', ownership: owners.get(id) ?? nobody }
        if (isVisible(actor, facts)) visible.add(id)
      }
    }
    return visible
  }

  /**
   * Returns whether the actor may see the name pattern of a key. A key for certain zones reveals no
   * other names.
   */
  mayName(actor: Actor, pattern: string): boolean {
    const zones = actor.key?.zones
    return !zones || [...zones.values()].some((zone) => isWithin(pattern, zone))
  }

  async #find(requested: RequestedZone): Promise<BackendZone | null> {
    return typeof requested === 'number'
      ? this.#backend.findZone(requested)
      : this.#backend.findZoneByName(zoneName(requested))
  }
}

function isVisible(actor: Actor, zone: Awaited<ReturnType<typeof loadZoneFacts>>): boolean {
  const { id, name } = zone
  return (
    authorize(actor, { action: 'key.reach', zoneId: id, zoneName: name }).allowed &&
    !authorize(actor, { action: 'zone.view', zone }).hidden
  )
}
