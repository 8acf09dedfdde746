import { inject } from '@adonisjs/core'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { Condition } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import type { Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import type { OpenZone } from '#zones/directory'

@inject()
export class DeleteZone {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Deletes a zone with all its data, if the condition holds. */
  handle(intent: Intent, { zone }: OpenZone, condition?: Condition): Promise<Outcome<unknown>> {
    return submitChangeSet(this.#backend, {
      intent,
      origin: null,
      zones: [{ op: 'delete', zoneId: zone.id, condition }],
    })
  }
}
