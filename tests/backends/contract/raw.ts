import db from '@adonisjs/lucid/services/db'

let connection: string | undefined

/** From now on `raw` is the database of this connection, by default the application's own. */
export function useRaw(name: string | undefined): void {
  connection = name
}

/** The database that the name server of the tests reads. */
export function raw() {
  return db.connection(connection)
}
