import type { ApplicationService } from '@adonisjs/core/types'
import { whileMigrating } from '#database/schema/migration_lock'
import { clearEngineCache } from '#database/trigram_index/engine'

/**
 * Runs pending migrations and returns their names. Concurrent calls wait. Throws the error of the
 * database; a failed migration is rolled back if the database supports that.
 */
export async function migrate(app: ApplicationService): Promise<string[]> {
  const { MigrationRunner } = await import('@adonisjs/lucid/migration')
  const db = await app.container.make('lucid.db')
  const runner = new MigrationRunner(db, app, {
    direction: 'up',
    connectionName: db.primaryConnectionName,
    // Lucid's lock covers all databases of a MariaDB server, and fails instead of waiting.
    disableLocks: true,
  })
  await whileMigrating(db, () => runner.run())
  // A migration may have created a trigram index.
  clearEngineCache()
  if (runner.error) {
    throw runner.error
  }
  return Object.values(runner.migratedFiles)
    .filter((file) => file.status === 'completed')
    .map((file) => file.file.name.split('/').at(-1) ?? file.file.name)
}

/** Returns the names of pending migrations. Throws the error of the database. */
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
