import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { ok, wrong, type Finding } from '#health/doctor/finding'
import { dialectOf } from '#database/dialects/dialect_of'
import { rawRows } from '#database/statements/raw_rows'

/** Indexes that migration 0001 adds to PowerDNS' table of records, and their columns. */
const INDEXES: Record<string, string> = {
  zw_records_type_name: 'domain_id, type, name',
  zw_records_name: 'domain_id, name, type',
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
  const { indexNames: query } = dialectOf(client)
  const rows = await rawRows<{ name: string }>(client, query('records'), [])
  return rows.map(({ name }) => name)
}
