import db from '@adonisjs/lucid/services/db'

/** Every table of Zonewright and of PowerDNS by its name. */
export async function tableNames(): Promise<string[]> {
  const names: string[] = await db.connection().getAllTables(['public'])
  return names.filter((name) => !name.startsWith('sqlite_'))
}

/** All rows of a table, each as JSON, in an order that is the same for the same rows. */
export async function rowsOf(table: string, without: string[] = []): Promise<string[]> {
  const rows = (await db.from(table)) as Record<string, unknown>[]
  const texts = rows.map((row) =>
    JSON.stringify(Object.entries(row).filter(([column]) => !without.includes(column)))
  )
  return texts.sort()
}
