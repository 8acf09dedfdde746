import db from '@adonisjs/lucid/services/db'

let connection: string | undefined

/** Sets the connection of `raw`; default: the application's own. */
export function useRaw(name: string | undefined): void {
  connection = name
}

/** The database that the name server of the tests reads. */
export function raw() {
  return db.connection(connection)
}
