import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import type { DnsBackend } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import { applyChangeSet } from '#changes/apply'
import type { OpenZone } from '#zones/directory'

/** Deletes zones. */
@inject()
export class DeleteZone {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  async handle(actor: Actor, { zone }: OpenZone, reason: string | null = null): Promise<void> {
    await applyChangeSet(this.#backend, {
      actor,
      reason,
      origin: null,
      zones: [{ op: 'delete', zoneId: zone.id }],
    })
  }
}
