import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { ok, wrong, type Finding } from '#health/doctor/finding'
import { dialectOf } from '#database/dialects/dialect_of'
import { rawRows } from '#database/statements/raw_rows'

/** What follows `CREATE INDEX name` for the indexes that migration 0001 adds to PowerDNS' table of records. */
const INDEXES: Record<string, string> = {
  zw_records_type_name: 'ON records (domain_id, type, name)',
  zw_records_name: 'ON records (domain_id, name, type)',
}
/** MariaDB ignores the case of names and has no such index. */
const CAPITALS = { zw_records_capitals: 'ON records (lower(name)) WHERE name <> lower(name)' }

/** Whether the indexes are there without which large zones become slow. */
export async function recordsIndexes(client: QueryClientContract): Promise<Finding[]> {
  return missingIndexes(await indexNames(client), dialectOf(client).comparesBytes)
}

/**
 * The finding for each missing index.
 *
 * @param names indexes of the table
 * @param comparesBytes whether the database compares names byte by byte
 */
export function missingIndexes(names: string[], comparesBytes: boolean): Finding[] {
  const wanted = comparesBytes ? { ...INDEXES, ...CAPITALS } : INDEXES
  const missing = Object.entries(wanted).filter(([name]) => !names.includes(name))
  if (missing.length === 0) {
    return [ok('records_indexes', "The table 'records' has its indexes")]
  }
  return missing.map(([name, definition]) =>
    wrong(
      'records_indexes',
      `The index ${name} on the table 'records' is missing: large zones are slow without it`,
      `Run in the database: CREATE INDEX ${name} ${definition}`
    )
  )
}

async function indexNames(client: QueryClientContract): Promise<string[]> {
  const { indexNames: query } = dialectOf(client)
  const rows = await rawRows<{ name: string }>(client, query('records'), [])
  return rows.map(({ name }) => name)
}
