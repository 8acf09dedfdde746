import type { ApplicationService } from '@adonisjs/core/types'
import { InvalidSettingsError } from '#settings/errors'

/** Stops the start if `node ace setup` has not updated the database. */
export default class SchemaProvider {
  constructor(protected app: ApplicationService) {}

  /** Called before the HTTP server listens. */
  async start() {
    if (this.app.getEnvironment() !== 'web') {
      return
    }
    const { pendingMigrations } = await import('#accounts/migrate')
    let pending: string[]
    try {
      pending = await pendingMigrations(this.app)
    } catch (error) {
      // The database may be down temporarily; /ping and /api/health report it.
      const logger = await this.app.container.make('logger')
      logger.warn(`The database does not answer: ${error instanceof Error ? error.message : ''}`)
      return
    }
    if (pending.length > 0) {
      throw new InvalidSettingsError([
        `The database lacks ${pending.length} migration(s) (settings DB_CONNECTION, DB_FILE, DB_HOST and DB_DATABASE): run "node ace setup"`,
      ])
    }
  }
}
