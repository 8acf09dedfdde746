import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { spellingsOf } from '#dns/names/idn'
import { plainLike, whereLike } from '#database/trigram_index/like'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { gathered, unposted } from '#database/trigram_index/pending'
import { idsOf, nextBlocks, rarestFirst } from '#database/trigram_index/postings'
import { ZONE_TEXTS, type IdRange, type TextSource } from '#database/trigram_index/source'
import { lookupTrigrams } from '#database/trigram_index/trigrams'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'
import { dialectOf } from '#database/dialects/dialect_of'

/**
 * A text that may be in more blocks than that is a common one: reading rows in their order finds it sooner. Of names,
 * many are read at once; rows of a large zone take longer to look through, all of them much longer.
 */
const FEW_BLOCKS = { names: 200, rows: 600 }

/**
 * Looks up which zones' names contain a text, whatever its case (`%` and `_` are themselves; international names as they are
 * shown, too), and gives what narrows a query to them. By the trigrams of the names where they help, by looking at each name where they do
 * not: texts of less than three characters, and texts that so many names contain that a page of them is found
 * at once.
 *
 * @param column the name, with its table (`zw_zones.name`), which has the zone's id beside it; PostgreSQL has
 *   its index on that of `zw_zones`
 */
export async function zoneNamesContaining(
  client: QueryClientContract,
  column: string,
  needle: string
): Promise<(rows: DatabaseQueryBuilderContract) => void> {
  const needles = spellingsOf(needle)
  const patterns = needles.map((text) => `%${plainLike(text)}%`)
  const found = await Promise.all(
    needles.map((text) => fewIds(client, ZONE_TEXTS, [text], FEW_BLOCKS.names))
  )
  const ranges = found.every((some) => some !== null) ? found.flat() : null
  return (rows) => {
    whereLike(rows, [column], patterns)
    if (ranges) {
      within(rows, column.replace(/[^.]*$/, 'id'), ranges)
    }
  }
}

/**
 * Narrows a query to rows whose id is in some ranges, at least one.
 *
 * @param column the id, with its table
 */
export function within(
  rows: DatabaseQueryBuilderContract,
  column: string,
  ranges: readonly IdRange[]
): void {
  if (dialectOf(rows.client).scansForRanges && ranges.length > 1) {
    // SQLite would read the whole table for more than one range. Whole numbers that need no binding.
    const values = ranges.map(([first, last]) => `(${first},${last})`).join(',')
    const table = column.split('.')[0]
    rows.whereRaw(
      `?? in (select r.id from (values ${values}) w
        cross join ?? r on r.id between w.column1 and w.column2)`,
      [column, table]
    )
    return
  }
  rows.where((some) => {
    for (const [first, last] of ranges) {
      if (last === LARGEST_ROW_ID) some.orWhere(column, '>=', first)
      else some.orWhereBetween(column, [first, last])
    }
  })
}

/**
 * The ids of all rows that may contain all of these texts, in whichever of their columns; null where trigrams do
 * not help: all texts are short, or many rows may contain them, or the database looks them up by itself.
 *
 * @param most blocks from which on many rows may
 */
export async function fewIds(
  client: QueryClientContract,
  source: TextSource,
  texts: readonly string[],
  most = FEW_BLOCKS.rows
): Promise<IdRange[] | null> {
  const grams = lookupTrigrams(texts)
  if (grams.length === 0 || (await isIndexedByDatabase(client, source))) {
    return null
  }
  // The rest is read first: what moves from there into the index meanwhile is found twice, not missed.
  const { indexedTo, noted } = await unposted(client, source)
  const order = await rarestFirst(client, source, grams)
  const blocks = order ? await nextBlocks(client, source, order, -1, most + 1) : []
  if (blocks.length > most) {
    return null
  }
  return gathered([...idsOf(blocks), ...noted, [indexedTo + 1, LARGEST_ROW_ID]])
}
