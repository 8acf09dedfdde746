import type { ApplicationService } from '@adonisjs/core/types'
import { BackendManager } from '#backends/manager'

/** Registers the driver `sql`: zones in the tables of PowerDNS. */
export default class SqlBackendProvider {
  constructor(protected app: ApplicationService) {}

  boot() {
    this.app.container.resolving(BackendManager, async (manager) => {
      const { SqlBackend } = await import('#backends/sql/driver')
      const database = await this.app.container.make('lucid.db')
      manager.extend('sql', (options: ConstructorParameters<typeof SqlBackend>[1]) => {
        return new SqlBackend(database, options)
      })
    })
  }
}
