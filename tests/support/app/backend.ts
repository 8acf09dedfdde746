import db from '@adonisjs/lucid/services/db'
import { MIRROR_TABLES } from '#backends/powerdns_api/mirror_tables'
import { POWERDNS_TABLES } from '#backends/sql/tables'

const file = process.env.ZW_TEST_NAME_SERVER

/** Whether the application under test reaches its name server over HTTP alone (`TEST_BACKEND=api`). */
export const isApiMode = file !== undefined

/** The tables in which the application knows zones and records. */
export const zoneTables = isApiMode ? MIRROR_TABLES : POWERDNS_TABLES

/** The database that the name server reads, for what other tools do there. */
export function nameServerDatabase() {
  if (file === undefined) {
    return db.connection()
  }
  if (!db.manager.has('name_server')) {
    db.manager.add('name_server', {
      client: 'better-sqlite3',
      connection: { filename: file },
      useNullAsDefault: true,
    })
  }
  return db.connection('name_server')
}
