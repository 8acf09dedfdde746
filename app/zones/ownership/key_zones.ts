import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { factsOf, ownershipOf } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { adoptZone } from '#changes/recovery/reconcile'
import { chunks } from '#database/statements/chunks'
import { isWithin, zoneName } from '#dns/names'
import { invalid } from '#exceptions/refusal'

/** A zone of a key: by its id, or by its name. */
export type WantedZone = number | string

/** Zones as restrictions of API keys. */
@inject()
export class KeyZones {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * The zones that a key is to be restricted to, name by id, each with an own row that the restriction can
   * point to. Those that the key has already are taken as they are.
   *
   * @param actors who all must be able to see each of them: the caller, and the owner of the key
   * @throws Refusal 400 for a zone that is not there, or hidden from one of them; it does not tell which
   */
  async resolve(
    actors: Actor[],
    wanted: WantedZone[],
    known: ReadonlyMap<number, string> = new Map()
  ): Promise<Map<number, string>> {
    const zones = new Map<number, string>()
    for (const id of wanted) {
      const name = typeof id === 'number' ? known.get(id) : undefined
      if (typeof id === 'number' && name !== undefined) {
        zones.set(id, name)
        continue
      }
      const zone = await this.#find(id)
      const facts = zone && (await factsOf(zone))
      if (!facts || !actors.every((actor) => isVisible(actor, facts))) {
        throw invalid(`Field 'zones': there is no zone ${JSON.stringify(id).slice(0, 100)}`)
      }
      await adoptZone(this.#backend, facts)
      zones.set(facts.id, facts.name)
    }
    return zones
  }

  /** Those of some zones, by id and name, that the actor can see. */
  async visible(actor: Actor, zones: ReadonlyMap<number, string>): Promise<Set<number>> {
    const nobody = { users: new Set<number>(), groups: new Set<number>() }
    const seen = new Set<number>()
    for (const part of chunks([...zones].map(([id, name]) => ({ id, name })))) {
      const owners = await ownershipOf(part)
      for (const { id, name } of part) {
        // The kind of a zone decides nothing about seeing it.
        const facts = { id, name, kind: '', ownership: owners.get(id) ?? nobody }
        if (isVisible(actor, facts)) seen.add(id)
      }
    }
    return seen
  }

  /** Whether the pattern of a key may be named to the actor: one who came for some zones knows of no other names. */
  mayName(actor: Actor, pattern: string): boolean {
    const zones = actor.key?.zones
    return !zones || [...zones.values()].some((zone) => isWithin(pattern, zone))
  }

  async #find(wanted: WantedZone): Promise<BackendZone | null> {
    return typeof wanted === 'number'
      ? this.#backend.findZone(wanted)
      : this.#backend.findZoneByName(zoneName(wanted))
  }
}

function isVisible(actor: Actor, zone: Awaited<ReturnType<typeof factsOf>>): boolean {
  const { id, name } = zone
  return (
    authorize(actor, { action: 'key.reach', zoneId: id, zoneName: name }).allowed &&
    !authorize(actor, { action: 'zone.view', zone }).hidden
  )
}
