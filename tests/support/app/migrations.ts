import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { migrate } from '#accounts/migrate'

/** Makes the tables of a run, as `node ace setup` does; answers what takes all of them back. */
export async function migrated(): Promise<() => Promise<void>> {
  await migrate(app)
  return async () => {
    const runner = new MigrationRunner(db, app, {
      direction: 'down',
      batch: 0,
      connectionName: db.primaryConnectionName,
      disableLocks: true,
    })
    await runner.run()
    if (runner.error) throw runner.error
  }
}
