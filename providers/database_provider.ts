import type { ApplicationService } from '@adonisjs/core/types'
import type { ServerClient } from '#database/limits'

/** Answers at once while the database server does not. */
export default class DatabaseProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    if (this.app.getEnvironment() === 'console') {
      return
    }
    const db = await this.app.container.make('lucid.db')
    const { guardServer } = await import('#database/silent_host')
    const connection = db.connection()
    if (connection.dialect.name !== 'better-sqlite3') {
      const client = connection.getWriteClient().client as unknown as ServerClient
      guardServer(client, await this.app.container.make('logger'))
    }
  }
}
