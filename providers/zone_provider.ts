import type { ApplicationService } from '@adonisjs/core/types'
import type { OrderKeeper } from '#jobs/background/sort_key_builder'
import type { PlaceKeeper } from '#jobs/background/sort_table_updater'
import type { SyncKeeper } from '#jobs/background/server_sync'
import type { UserKeeper } from '#jobs/background/user_sort_keys'
import type { ZoneKeeper } from '#jobs/background/zone_index_sync'
import { InvalidSettingsError } from '#settings/errors'
import { requireSameBackend } from '#providers/backend_provider'

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
    const { OrderKeeper } = await import('#jobs/background/sort_key_builder')
    const { PlaceKeeper } = await import('#jobs/background/sort_table_updater')
    const { ZoneKeeper } = await import('#jobs/background/zone_index_sync')
    const { ZoneOrders } = await import('#zones/list/sort_table')
    const backends = await this.app.container.make(BackendManager)
    const { SyncKeeper } = await import('#jobs/background/server_sync')
    const { UserKeeper } = await import('#jobs/background/user_sort_keys')
    const logger = await this.app.container.make('logger')
    const backend = () => backends.use()
    this.#keepers = [
      new ZoneKeeper(backend, logger, () => this.#requireSameBackend(backend)),
      new OrderKeeper(backend, logger),
      new PlaceKeeper(() => this.app.container.make(ZoneOrders), logger),
      new SyncKeeper(backend, logger),
      new UserKeeper(logger),
    ]
    this.#keepers.forEach((keeper) => keeper.start())
  }

  /** Ends a process that began when nobody could tell it that the zones are another backend's. */
  async #requireSameBackend(backend: () => unknown): Promise<void> {
    // One that lacks settings does nothing, and has no zones.
    backend()
    try {
      await requireSameBackend(this.app)
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
