import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { canView } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { findClosestZone, type IndexedZone } from '#changes/zone_index/closest_zone'

/** A parent zone on this installation, with its DS records for the zone. */
export interface ParentDs {
  zone: IndexedZone
  /** Contents of enabled DS records; empty if the delegation is insecure. */
  ds: string[]
}

/** The delegation, as far as the actor may view it. */
export interface KnownDelegation {
  /** null if the parent is on another server or hidden from the actor. */
  parent: ParentDs | null
  /** Whether a DS record is known, also in a hidden parent. */
  isSecure: boolean
}

/** Reads DS records from parent zones of this installation. It sends no DNS queries. */
@inject()
export class ParentDelegations {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Returns the delegation. `isSecure` covers hidden parents too, as all other answers do. */
  async readDelegation(actor: Actor, zone: BackendZone): Promise<KnownDelegation> {
    const parent = await this.#parentOf(zone)
    const parentZone = parent && (await this.#backend.findZone(parent.zone.id))
    const isVisible = parentZone ? canView(actor, await loadZoneFacts(parentZone)) : false
    return { parent: isVisible ? parent : null, isSecure: parent !== null && parent.ds.length > 0 }
  }

  /** Returns null if the parent is on another server: its DS records are unknown. */
  async #parentOf(zone: BackendZone): Promise<ParentDs | null> {
    const parent = await findClosestZone(this.#backend, zone.name, { above: true })
    if (!parent) {
      return null
    }
    const sets = await this.#backend.rrsetsAt(parent, [zone.name])
    const isServedHere = sets.some(({ type }) => type === 'NS' || type === 'DS')
    const isDirect = parent.name === zone.name.split('.').slice(1).join('.')
    if (!isServedHere && !isDirect) {
      // A zone between the two is on another server, and delegates this zone.
      return null
    }
    const ds = sets
      .filter(({ type }) => type === 'DS')
      .flatMap(({ records }) => records.filter(({ disabled }) => !disabled))
      .map(({ content }) => content)
    return { zone: parent, ds }
  }
}
