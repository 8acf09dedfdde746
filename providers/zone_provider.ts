import type { ApplicationService } from '@adonisjs/core/types'
import type { OrderKeeper } from '#jobs/order_keeper'
import type { ZoneKeeper } from '#jobs/zone_keeper'

/** Keeps the own rows of zones, and what lists of their records are sorted by, in the process that serves. */
export default class ZoneProvider {
  #keepers: [ZoneKeeper, OrderKeeper] | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    if (this.app.getEnvironment() !== 'web') {
      return
    }
    const { BackendManager } = await import('#backends/manager')
    const { OrderKeeper } = await import('#jobs/order_keeper')
    const { ZoneKeeper } = await import('#jobs/zone_keeper')
    const backends = await this.app.container.make(BackendManager)
    const logger = await this.app.container.make('logger')
    const backend = () => backends.use()
    this.#keepers = [new ZoneKeeper(backend, logger), new OrderKeeper(backend, logger)]
    this.#keepers.forEach((keeper) => keeper.start())
  }

  /** Called before the database is closed. */
  async shutdown() {
    await Promise.all(this.#keepers?.map((keeper) => keeper.stop()) ?? [])
  }
}
