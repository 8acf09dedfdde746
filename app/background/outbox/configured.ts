import type { ApplicationService } from '@adonisjs/core/types'
import { BackendManager } from '#backends/manager'
import { configuredClient } from '#backends/powerdns_api/configured'
import { powerDnsDeliveries } from '#background/outbox/deliveries'
import { OutboxWorker } from '#background/outbox/worker'

/** A worker that delivers to the PowerDNS server of the settings; not started. */
export async function createOutboxWorker(app: ApplicationService): Promise<OutboxWorker> {
  const backends = await app.container.make(BackendManager)
  const logger = await app.container.make('logger')
  return new OutboxWorker(
    powerDnsDeliveries(configuredClient(), () => backends.use()),
    logger
  )
}
