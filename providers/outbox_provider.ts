import type { ApplicationService } from '@adonisjs/core/types'
import type { OutboxWorker } from '#jobs/outbox_worker'

/** Runs the worker of the outbox in the process that serves, where there is a PowerDNS API to call. */
export default class OutboxProvider {
  #worker: OutboxWorker | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    const { configuredClient } = await import('#backends/powerdns_api/configured')
    if (this.app.getEnvironment() !== 'web' || !configuredClient().isConfigured) {
      return
    }
    const { configuredWorker } = await import('#jobs/configured_worker')
    this.#worker = await configuredWorker(this.app)
    this.#worker.start()
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#worker?.stop()
  }
}
