import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { MIRROR_TEXTS, TEXT_SOURCES } from '#database/trigram_index/source'
import { textIndexState, type TextIndexState } from '#database/trigram_index/state'
import { ok, remark, type Finding } from '#health/doctor/finding'

/** Maximum number of unindexed rows without a remark. Each search reads these rows. */
const MAX_PENDING_ROWS = 1000

/** Reports the progress of the search indexes for names and contents. */
export async function textIndexes(client: QueryClientContract): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const source of TEXT_SOURCES) {
    const state = await textIndexState(client, source)
    // Only one of the two modes has records.
    if (source !== MIRROR_TEXTS || state.rows > 0) {
      findings.push(findingOf(state))
    }
  }
  return findings
}

function findingOf({ title, indexedBy, couldBeDatabase, rows, waiting }: TextIndexState): Finding {
  const check = 'search_index'
  if (indexedBy === 'database') {
    return ok(check, `The search index of ${title} is maintained by PostgreSQL (pg_trgm)`)
  }
  const indexedRows = `${rows - waiting} of ${rows}`
  if (waiting > MAX_PENDING_ROWS) {
    return remark(
      check,
      `The search index of ${title} is being built: ${indexedRows} rows; searches are slower until then`,
      'Leave the service running, or run: node ace search:index'
    )
  }
  if (couldBeDatabase) {
    return remark(
      check,
      `The search index of ${title} is maintained by Zonewright (${indexedRows} rows), because PostgreSQL lacks pg_trgm`,
      'Install the extension (package postgresql-contrib; CREATE EXTENSION pg_trgm), then run: node ace search:index, and restart the service'
    )
  }
  return ok(check, `The search index of ${title} is complete: ${indexedRows} rows`)
}
