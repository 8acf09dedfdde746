import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { canView } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { closestZone, type IndexedZone } from '#changes/zone_index/closest_zone'

/** The parent zone, where it is one of this installation, and the DS records that it holds of the zone. */
export interface ParentDs {
  zone: IndexedZone
  /** Contents of those that are served; none where the delegation is not secure. */
  ds: string[]
}

/** What somebody may know of it. */
export interface KnownDelegation {
  /** null where the parent is elsewhere, or a zone that they may not see. */
  parent: ParentDs | null
  /** Whether it is known that there is a DS record, wherever. */
  isSecure: boolean
}

/** Knows of the DS records of zones what this installation knows. Nobody else is asked. */
@inject()
export class ParentDelegations {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** What the actor may know. Of a parent zone that is hidden from them, that it has a DS record: so it is told everywhere. */
  async of(actor: Actor, zone: BackendZone): Promise<KnownDelegation> {
    const parent = await this.#parentOf(zone)
    const stored = parent && (await this.#backend.findZone(parent.zone.id))
    const isSeen = stored ? canView(actor, await factsOf(stored)) : false
    return { parent: isSeen ? parent : null, isSecure: parent !== null && parent.ds.length > 0 }
  }

  /** null where the parent is elsewhere: then nothing is known of its DS records. */
  async #parentOf(zone: BackendZone): Promise<ParentDs | null> {
    const parent = await closestZone(this.#backend, zone.name, { above: true })
    if (!parent) {
      return null
    }
    const sets = await this.#backend.rrsetsAt(parent, [zone.name])
    const isOurs = sets.some(({ type }) => type === 'NS' || type === 'DS')
    const isDirect = parent.name === zone.name.split('.').slice(1).join('.')
    if (!isOurs && !isDirect) {
      // A zone in between lies elsewhere, and delegates this one.
      return null
    }
    const ds = sets
      .filter(({ type }) => type === 'DS')
      .flatMap(({ records }) => records.filter(({ disabled }) => !disabled))
      .map(({ content }) => content)
    return { zone: parent, ds }
  }
}
