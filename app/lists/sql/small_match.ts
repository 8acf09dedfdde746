import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { fewIds, whereInRanges } from '#database/trigram_index/lookup'
import type { TextSource } from '#database/trigram_index/source'
import { isFoldedInWays, isShort } from '#database/trigram_index/trigrams'
import { containsCondition } from '#lists/sql/columns'

/** Above this number of matches, reading rows in list order finds a page sooner. An object, so that tests can lower it. */
export const MAX_SMALL_MATCH = { rows: 1_000 }

/** Maximum number of blocks of 64 ids that may contain a text; above it, rows are read in their order. */
const MAX_CANDIDATE_BLOCKS = 200

/**
 * The ids of rows with one of these texts in a column, without case, by the trigram index. Returns null if the index does not
 * help or there are many rows. Throws the error of the driver.
 *
 * @param columns all text columns of the source, or some
 */
export async function findSmallMatch(
  client: QueryClientContract,
  source: TextSource,
  texts: readonly string[],
  columns: readonly string[] = source.texts
): Promise<number[] | null> {
  const found = new Set<number>()
  for (const text of texts) {
    if (isShort(text) || isFoldedInWays(text)) return null
    const ranges = await fewIds(client, source, [text], MAX_CANDIDATE_BLOCKS)
    if (ranges === null && !(await isIndexedByDatabase(client, source))) return null
    const rows = client.from(source.table).where((condition) => {
      for (const column of columns) {
        condition.orWhereRaw(...containsCondition(client, `${source.table}.${column}`, text))
      }
    })
    if (ranges) whereInRanges(rows, `${source.table}.id`, ranges)
    const ids: { id: number | string }[] = await rows.select('id').limit(MAX_SMALL_MATCH.rows + 1)
    ids.forEach(({ id }) => found.add(Number(id)))
    if (found.size > MAX_SMALL_MATCH.rows) return null
  }
  return [...found]
}
