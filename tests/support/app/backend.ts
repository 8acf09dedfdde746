import db from '@adonisjs/lucid/services/db'
import { MIRROR_TABLES } from '#backends/mirrored/mirror_tables'
import { POWERDNS_TABLES } from '#backends/sql/tables'

/** Lucid configuration of the name server's own database, as JSON. Absent if the application and the name server share it. */
const own = process.env.ZW_TEST_NAME_SERVER

/** True if the application reaches its name server over HTTP only (`TEST_BACKEND=api`). */
export const isApiMode = own !== undefined

/** Tables in which the application reads zones and records. */
export const zoneTables = isApiMode ? MIRROR_TABLES : POWERDNS_TABLES

/** Returns the database that the name server reads, for direct changes as by other tools. */
export function nameServerDatabase() {
  if (own === undefined) {
    return db.connection()
  }
  if (!db.manager.has('name_server')) {
    db.manager.add('name_server', JSON.parse(own) as Parameters<typeof db.manager.add>[1])
  }
  return db.connection('name_server')
}

/** Returns access to the rows of a zone in the name server's own tables. */
export async function serverZone({ name }: { name: string }) {
  const server = nameServerDatabase()
  const { id }: { id: number } = await server.from('domains').where('name', name).firstOrFail()
  return {
    /** Query for the row of the zone. */
    zone: () => server.from('domains').where('id', id),
    rows: (table: string) => server.from(table).where('domain_id', id),
    add: async (table: string, rows: object | object[]) => {
      await server.table(table).multiInsert([rows].flat().map((row) => ({ domain_id: id, ...row })))
    },
  }
}
