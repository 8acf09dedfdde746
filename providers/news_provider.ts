import type { ApplicationService } from '@adonisjs/core/types'
import type { OutboxWorker } from '#jobs/outbox_worker'

/** Sends mail about change requests from the outbox in the process that serves, where the settings want it. */
export default class NewsProvider {
  #worker: OutboxWorker | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    const { tellsNews } = await import('#changes/requests/notifications')
    if (this.app.getEnvironment() !== 'web' || !tellsNews()) {
      return
    }
    const { BackendManager } = await import('#backends/manager')
    const { OutboxWorker } = await import('#jobs/outbox_worker')
    const { newsDeliveries } = await import('#review/news_mail')
    const backends = await this.app.container.make(BackendManager)
    const logger = await this.app.container.make('logger')
    this.#worker = new OutboxWorker(
      newsDeliveries(() => backends.use()),
      logger
    )
    this.#worker.start()
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#worker?.stop()
  }
}
