import db from '@adonisjs/lucid/services/db'
import { MIRROR_TABLES } from '#backends/mirrored/mirror_tables'
import { POWERDNS_TABLES } from '#backends/sql/tables'

/** How Lucid reaches the name server's own database, as JSON; absent where it is the application's. */
const own = process.env.ZW_TEST_NAME_SERVER

/** Whether the application under test reaches its name server over HTTP alone (`TEST_BACKEND=api`). */
export const isApiMode = own !== undefined

/** The tables in which the application knows zones and records. */
export const zoneTables = isApiMode ? MIRROR_TABLES : POWERDNS_TABLES

/** The database that the name server reads, for what other tools do there. */
export function nameServerDatabase() {
  if (own === undefined) {
    return db.connection()
  }
  if (!db.manager.has('name_server')) {
    db.manager.add('name_server', JSON.parse(own) as Parameters<typeof db.manager.add>[1])
  }
  return db.connection('name_server')
}

/** A zone as it stands in the name server's own tables, for what other tools read and write there. */
export async function serverZone({ name }: { name: string }) {
  const server = nameServerDatabase()
  const { id }: { id: number } = await server.from('domains').where('name', name).firstOrFail()
  return {
    /** The row of the zone itself. */
    zone: () => server.from('domains').where('id', id),
    rows: (table: string) => server.from(table).where('domain_id', id),
    add: async (table: string, rows: object | object[]) => {
      await server.table(table).multiInsert([rows].flat().map((row) => ({ domain_id: id, ...row })))
    },
  }
}
