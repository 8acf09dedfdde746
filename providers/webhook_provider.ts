import type { ApplicationService } from '@adonisjs/core/types'
import type { WebhookKeeper } from '#jobs/background/webhook_sender'

/** Tells webhooks of events, in the process that serves. */
export default class WebhookProvider {
  #keeper: WebhookKeeper | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    if (this.app.getEnvironment() !== 'web') {
      return
    }
    const { WebhookKeeper } = await import('#jobs/background/webhook_sender')
    this.#keeper = new WebhookKeeper(await this.app.container.make('logger'))
    this.#keeper.start()
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#keeper?.stop()
  }
}
