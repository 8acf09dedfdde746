import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { ok, wrong, type Finding } from '#health/doctor/finding'

/** Indexes that migration 0001 adds to PowerDNS' table of records, and their columns. */
const INDEXES: Record<string, string> = {
  zw_records_type_name: 'domain_id, type, name',
  zw_records_name: 'domain_id, name, type',
}

/** By dialect: a query for the names of the indexes of `records`. */
const NAMES: Record<string, string> = {
  'better-sqlite3': "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'records'",
  'postgres':
    "SELECT relname AS name FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = to_regclass('records') AND indisvalid",
  'mysql': `SELECT DISTINCT index_name AS name FROM information_schema.statistics
    WHERE table_schema = database() AND table_name = 'records'`,
}

/** Whether the indexes are there without which large zones become slow. */
export async function recordsIndexes(client: QueryClientContract): Promise<Finding[]> {
  const names = await indexNames(client)
  const missing = Object.keys(INDEXES).filter((name) => !names.includes(name))
  if (missing.length === 0) {
    return [ok('records_indexes', 'The table records has its indexes')]
  }
  return missing.map((name) =>
    wrong(
      'records_indexes',
      `The index ${name} on the table records is missing: large zones are slow without it`,
      `Run in the database: CREATE INDEX ${name} ON records (${INDEXES[name]})`
    )
  )
}

async function indexNames(client: QueryClientContract): Promise<string[]> {
  const answer = (await client.rawQuery(NAMES[client.dialect.name])) as unknown
  const rows = rowsOf(client.dialect.name, answer)
  return rows.map(({ name }) => name)
}

/** The rows of a raw query: each driver hands them out in its own way. */
export function rowsOf(dialect: string, answer: unknown): { name: string }[] {
  if (dialect === 'postgres') return (answer as { rows: { name: string }[] }).rows
  if (dialect === 'mysql') return (answer as { name: string }[][])[0]
  return answer as { name: string }[]
}
