import type { ApplicationService } from '@adonisjs/core/types'
import type { ServerClient } from '#database/statements/limits'
import type { SqliteClient } from '#database/sqlite_reader'

/** Makes queries fail at once while the database server does not answer, or if the SQLite file was replaced. */
export default class DatabaseProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    if (this.app.getEnvironment() === 'console') {
      return
    }
    const db = await this.app.container.make('lucid.db')
    const connection = db.connection()
    const client = connection.getWriteClient().client as unknown as ServerClient
    const { dialectOf } = await import('#database/dialects/dialect_of')
    if (dialectOf(connection).isEmbedded) {
      const { guardPool } = await import('#database/statements/limits')
      const { yieldAfterStatements } = await import('#database/event_loop')
      const { addReadConnection } = await import('#database/sqlite_reader')
      const { databaseFile, prepareSqlite } = await import('#config/database')
      const demand = () => databaseFile.demandSame()
      guardPool(client, demand)
      await addReadConnection(client as unknown as SqliteClient, {
        demand,
        prepare(handle) {
          prepareSqlite(handle)
          yieldAfterStatements(handle)
        },
      })
    } else {
      const { guardServer } = await import('#database/silent_host')
      guardServer(client, await this.app.container.make('logger'))
    }
  }
}
