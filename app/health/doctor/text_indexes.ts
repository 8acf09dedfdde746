import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { MIRROR_TEXTS, TEXT_SOURCES } from '#database/trigram_index/source'
import { textIndexState, type TextIndexState } from '#database/trigram_index/state'
import { ok, remark, type Finding } from '#health/doctor/finding'

/** So many rows may wait: they are read whenever something is searched. */
const FEW = 1000

/** How far the indexes are by which searches find parts of names and contents. */
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
  const done = `${rows - waiting} of ${rows}`
  if (waiting > FEW) {
    return remark(
      check,
      `The search index of ${title} is being built: ${done} rows; searches are slower until then`,
      'Leave the service running, or run: node ace search:index'
    )
  }
  if (couldBeDatabase) {
    return remark(
      check,
      `The search index of ${title} is maintained by Zonewright (${done} rows), because PostgreSQL lacks pg_trgm`,
      'Install the extension (package postgresql-contrib; CREATE EXTENSION pg_trgm), then run: node ace search:index, and restart the service'
    )
  }
  return ok(check, `The search index of ${title} is complete: ${done} rows`)
}
