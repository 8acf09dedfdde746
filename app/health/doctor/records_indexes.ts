import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { ok, wrongFinding, type Finding } from '#health/doctor/finding'
import { dialectOf } from '#database/dialects/dialect_of'
import { rawRows } from '#database/statements/raw_rows'

/** Indexes that migration 0001 adds to the table `records`: the SQL after `CREATE INDEX name`. */
const INDEXES: Record<string, string> = {
  zw_records_type_name: 'ON records (domain_id, type, name)',
  zw_records_name: 'ON records (domain_id, name, type)',
}
/** Not on MariaDB, where comparisons of names ignore case. */
const CAPITALS_INDEX = { zw_records_capitals: 'ON records (lower(name)) WHERE name <> lower(name)' }

/** Checks the indexes that large zones need. */
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
  const requiredIndexes = comparesBytes ? { ...INDEXES, ...CAPITALS_INDEX } : INDEXES
  const missing = Object.entries(requiredIndexes).filter(([name]) => !names.includes(name))
  if (missing.length === 0) {
    return [ok('records_indexes', "The table 'records' has its indexes")]
  }
  return missing.map(([name, definition]) =>
    wrongFinding(
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
