import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { unique } from '#tests/support/app/names'
import { testFolder } from '#tests/support/app/server'

/** Driver connection as the pool gets it. */
interface Handle {
  query(sent: { sql: string } | string, ...rest: unknown[]): unknown
}

interface Config {
  connection: object
  migrations: { paths: string[] }
  pool: { afterCreate(handle: Handle, done: (error: unknown) => void): void }
}

/** Options that differ from `node ace setup`. */
interface Run {
  direction?: 'up' | 'down'
  /** Folder of the migrations. Default: the folder of the product. */
  folder?: string
  /** Number of migrations after which the run fails. */
  most?: number
}

/** A new, empty database on the database server of this test run. The test runs its migrations. */
export class NewDatabase {
  private constructor(
    /** Name of the connection. */
    readonly name: string,
    /** Environment variables for commands on this database. */
    readonly variables: Record<string, string>
  ) {}

  /**
   * Creates a database.
   *
   * @param watch receives each new connection of the driver
   */
  static async create(watch: (handle: Handle) => void = () => {}): Promise<NewDatabase> {
    const name = `zonewright_${unique('new').replaceAll(/[^a-z0-9]/g, '_')}`
    const known = db.manager.get(db.primaryConnectionName)!.config
    const { connection, pool, migrations, ...config } = known as unknown as Config
    const isFile = 'filename' in connection
    const file = isFile ? join(testFolder('database'), 'new.sqlite3') : ''
    if (!isFile) await db.rawQuery(`CREATE DATABASE ${name}`)
    const own = {
      ...config,
      connection: { ...connection, ...(isFile ? { filename: file } : { database: name }) },
      migrations: { ...migrations },
      pool: {
        ...pool,
        afterCreate(handle: Handle, done: (error: unknown) => void) {
          watch(handle)
          pool.afterCreate(handle, done)
        },
      },
    }
    db.manager.add(name, own as unknown as typeof known)
    return new NewDatabase(name, isFile ? { DB_FILE: file } : { DB_DATABASE: name })
  }

  get client(): QueryClientContract {
    return db.connection(this.name)
  }

  /** Runs the pending migrations. Throws the error of a failed migration; false after `most` migrations. */
  async migrate({
    direction = 'up',
    folder,
    most: maximum = Infinity,
  }: Run = {}): Promise<boolean> {
    const config = db.manager.get(this.name)!.config as unknown as Config
    const { paths } = config.migrations
    config.migrations.paths = folder === undefined ? paths : [folder]
    const runner = new MigrationRunner(db, app, {
      direction,
      ...(direction === 'down' ? { batch: 0 } : {}),
      connectionName: this.name,
      disableLocks: true,
    } as ConstructorParameters<typeof MigrationRunner>[2])
    const stopped = new Error('stopped')
    let started = 0
    runner.on('migration:start', () => {
      started += 1
      if (started > maximum) throw stopped
    })
    await runner.run()
    config.migrations.paths = paths
    if (runner.error && runner.error !== stopped) throw runner.error
    return runner.error === null
  }

  /** Drops the database. The file of SQLite stays until the end of the test run. */
  async drop(): Promise<void> {
    await db.manager.close(this.name, true)
    if ('DB_DATABASE' in this.variables) await db.rawQuery(`DROP DATABASE ${this.name}`)
  }
}
