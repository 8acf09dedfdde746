import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { migrate } from '#accounts/migrate'

/** Makes the tables of a run, as `node ace setup` does. */
export async function migrated(): Promise<void> {
  await migrate(app)
}

/** Takes all tables back, by the migrations' own ways back. */
export async function takenBack(): Promise<void> {
  const runner = new MigrationRunner(db, app, {
    direction: 'down',
    batch: 0,
    connectionName: db.primaryConnectionName,
    disableLocks: true,
  })
  await runner.run()
  if (runner.error) throw runner.error
}
