import { inject } from '@adonisjs/core'
import type { BackendZone, DnsBackend } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import { closestZone, type IndexedZone } from '#zones/enclosing'

/** The parent zone, where it is one of this installation, and the DS records that it holds of the zone. */
export interface ParentDs {
  zone: IndexedZone
  /** Contents of those that are served; none where the delegation is not secure. */
  ds: string[]
}

/** Knows of the DS records of zones what this installation knows. Nobody else is asked. */
@inject()
export class ParentDelegations {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** null where the parent is elsewhere: then nothing is known of its DS records. */
  async of(zone: BackendZone): Promise<ParentDs | null> {
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
