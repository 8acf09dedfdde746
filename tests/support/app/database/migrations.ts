import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { migrate } from '#accounts/migrate'

/** Creates the tables of a run, as `node ace setup` does. */
export async function runMigrations(): Promise<void> {
  await migrate(app)
}

/** Removes all tables with the `down` methods of the migrations. */
export async function rollBackMigrations(): Promise<void> {
  const runner = new MigrationRunner(db, app, {
    direction: 'down',
    batch: 0,
    connectionName: db.primaryConnectionName,
    disableLocks: true,
  })
  await runner.run()
  if (runner.error) throw runner.error
}
