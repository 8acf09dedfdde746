import db from '@adonisjs/lucid/services/db'

/** Names of all tables of Zonewright and of PowerDNS. */
export async function tableNames(): Promise<string[]> {
  const names: string[] = await db.connection().getAllTables(['public'])
  return names.filter((name) => !name.startsWith('sqlite_'))
}

/** Returns all rows of a table as JSON, without some columns, in a stable order. */
export async function rowsOf(table: string, without: string[] = []): Promise<string[]> {
  const rows = (await db.from(table)) as Record<string, unknown>[]
  const texts = rows.map((row) =>
    JSON.stringify(Object.entries(row).filter(([column]) => !without.includes(column)))
  )
  return texts.sort()
}
