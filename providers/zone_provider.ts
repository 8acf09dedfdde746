import type { ApplicationService } from '@adonisjs/core/types'
import type { OrderKeeper } from '#jobs/order_keeper'
import type { PlaceKeeper } from '#jobs/place_keeper'
import type { SyncKeeper } from '#jobs/sync_keeper'
import type { UserKeeper } from '#jobs/user_keeper'
import type { ZoneKeeper } from '#jobs/zone_keeper'
import { InvalidSettingsError } from '#settings/errors'
import { demandAllegiance } from '#providers/backend_provider'

/** Runs the background work on zones, sort keys and users in the process that serves. */
export default class ZoneProvider {
  #keepers: [ZoneKeeper, OrderKeeper, PlaceKeeper, SyncKeeper, UserKeeper] | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    if (this.app.getEnvironment() !== 'web') {
      return
    }
    const { BackendManager } = await import('#backends/manager')
    const { OrderKeeper } = await import('#jobs/order_keeper')
    const { PlaceKeeper } = await import('#jobs/place_keeper')
    const { ZoneKeeper } = await import('#jobs/zone_keeper')
    const { ZoneOrders } = await import('#zones/zone_orders')
    const backends = await this.app.container.make(BackendManager)
    const { SyncKeeper } = await import('#jobs/sync_keeper')
    const { UserKeeper } = await import('#jobs/user_keeper')
    const logger = await this.app.container.make('logger')
    const backend = () => backends.use()
    this.#keepers = [
      new ZoneKeeper(backend, logger, () => this.#demandAllegiance(backend)),
      new OrderKeeper(backend, logger),
      new PlaceKeeper(() => this.app.container.make(ZoneOrders), logger),
      new SyncKeeper(backend, logger),
      new UserKeeper(logger),
    ]
    this.#keepers.forEach((keeper) => keeper.start())
  }

  /** Ends a process that began when nobody could tell it that the zones are another backend's. */
  async #demandAllegiance(backend: () => unknown): Promise<void> {
    // One that lacks settings does nothing, and has no zones.
    backend()
    try {
      await demandAllegiance(this.app)
    } catch (error) {
      if (error instanceof InvalidSettingsError) {
        const logger = await this.app.container.make('logger')
        logger.fatal(error.message)
        process.exitCode = 1
        process.kill(process.pid, 'SIGTERM')
      }
      throw error
    }
  }

  /** Called before the database is closed. */
  async shutdown() {
    await Promise.all(this.#keepers?.map((keeper) => keeper.stop()) ?? [])
  }
}
