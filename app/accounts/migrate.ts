import type { ApplicationService } from '@adonisjs/core/types'
import { whileMigrating } from '#database/schema/migration_lock'
import { lookAnew } from '#database/trigram_index/engine'

/**
 * Runs the migrations that the database has not seen. Returns their names. Who else does so meanwhile waits.
 * Throws the database's error when one fails; what it did is rolled back where the database can.
 */
export async function migrate(app: ApplicationService): Promise<string[]> {
  const { MigrationRunner } = await import('@adonisjs/lucid/migration')
  const db = await app.container.make('lucid.db')
  const runner = new MigrationRunner(db, app, {
    direction: 'up',
    connectionName: db.primaryConnectionName,
    // Lucid's lock is one for all databases of a MariaDB server, and refuses instead of waiting.
    disableLocks: true,
  })
  await whileMigrating(db, () => runner.run())
  // A migration may have created a trigram index.
  lookAnew()
  if (runner.error) {
    throw runner.error
  }
  return Object.values(runner.migratedFiles)
    .filter((file) => file.status === 'completed')
    .map((file) => file.file.name.split('/').at(-1) ?? file.file.name)
}

/** Names of the migrations that the database has not seen. Throws the database's error. */
export async function pendingMigrations(app: ApplicationService): Promise<string[]> {
  const { MigrationRunner } = await import('@adonisjs/lucid/migration')
  const db = await app.container.make('lucid.db')
  const runner = new MigrationRunner(db, app, {
    direction: 'up',
    connectionName: db.primaryConnectionName,
    dryRun: true,
  })
  const list = await runner.getList()
  return list.filter((migration) => migration.status === 'pending').map(({ name }) => name)
}
