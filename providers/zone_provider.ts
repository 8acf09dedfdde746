import type { ApplicationService } from '@adonisjs/core/types'
import type { ZoneKeeper } from '#jobs/zone_keeper'

/** Keeps the own rows of zones in the process that serves. */
export default class ZoneProvider {
  #keeper: ZoneKeeper | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    if (this.app.getEnvironment() !== 'web') {
      return
    }
    const { BackendManager } = await import('#backends/manager')
    const { ZoneKeeper } = await import('#jobs/zone_keeper')
    const backends = await this.app.container.make(BackendManager)
    this.#keeper = new ZoneKeeper(() => backends.use(), await this.app.container.make('logger'))
    this.#keeper.start()
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#keeper?.stop()
  }
}
