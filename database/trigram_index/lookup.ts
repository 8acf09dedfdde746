import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { spellingsOf } from '#dns/names/idn'
import { plainLike, whereLike } from '#database/trigram_index/like'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { mergeAdjacent, unposted } from '#database/trigram_index/pending'
import { idsOf, nextBlocks, rarestFirst } from '#database/trigram_index/postings'
import { ZONE_TEXTS, type IdRange, type TextSource } from '#database/trigram_index/source'
import { lookupTrigrams } from '#database/trigram_index/trigrams'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'
import { dialectOf } from '#database/dialects/dialect_of'

/**
 * Maximum number of blocks of a rare text. For a common text, a scan in the order of the rows fills a page sooner. Zone names are
 * read faster than the rows of a large zone.
 */
const MAX_BLOCKS_READ = { names: 200, rows: 600 }

/**
 * Looks up zones whose names contain a text, without case and also in their Unicode form. Returns a function that restricts a
 * query to them. Uses trigrams, except for texts of less than three characters and common texts: then each name is
 * compared.
 *
 * @param column the name, with its table, which has the id of the zone too (`zw_zones.name`)
 */
export async function zoneNamesContaining(
  client: QueryClientContract,
  column: string,
  needle: string
): Promise<(rows: DatabaseQueryBuilderContract) => void> {
  const needles = spellingsOf(needle)
  const patterns = needles.map((text) => `%${plainLike(text)}%`)
  const idRanges = await Promise.all(
    needles.map((text) => fewIds(client, ZONE_TEXTS, [text], MAX_BLOCKS_READ.names))
  )
  const ranges = idRanges.every((some) => some !== null) ? idRanges.flat() : null
  return (rows) => {
    whereLike(rows, [column], patterns)
    if (ranges) {
      whereInRanges(rows, column.replace(/[^.]*$/, 'id'), ranges)
    }
  }
}

/**
 * Restricts a query to rows with ids in the ranges, at least one.
 *
 * @param column the id, with its table
 */
export function whereInRanges(
  rows: DatabaseQueryBuilderContract,
  column: string,
  ranges: readonly IdRange[]
): void {
  if (dialectOf(rows.client).scansForRanges && ranges.length > 1) {
    // The ranges are computed numbers: they need no binding.
    const values = ranges.map(([first, last]) => `(${first},${last})`).join(',')
    const table = column.split('.')[0]
    rows.whereRaw(
      `?? in (select r.id from (values ${values}) w
        cross join ?? r on r.id between w.column1 and w.column2)`,
      [column, table]
    )
    return
  }
  rows.where((condition) => {
    for (const [first, last] of ranges) {
      if (last === LARGEST_ROW_ID) condition.orWhere(column, '>=', first)
      else condition.orWhereBetween(column, [first, last])
    }
  })
}

/**
 * The ids of rows that may contain all of these texts in any column. Returns null if trigrams do not help: all texts are short
 * or common, or the database has its own index.
 *
 * @param maxBlocks maximum number of blocks; more are common
 */
export async function fewIds(
  client: QueryClientContract,
  source: TextSource,
  texts: readonly string[],
  maxBlocks = MAX_BLOCKS_READ.rows
): Promise<IdRange[] | null> {
  const grams = lookupTrigrams(texts)
  if (grams.length === 0 || (await isIndexedByDatabase(client, source))) {
    return null
  }
  // Reads unindexed rows first: rows that are indexed during the search are found twice, not missed.
  const { indexedTo, queued } = await unposted(client, source)
  const gramsByCount = await rarestFirst(client, source, grams)
  const blocks = gramsByCount
    ? await nextBlocks(client, source, gramsByCount, -1, maxBlocks + 1)
    : []
  if (blocks.length > maxBlocks) {
    return null
  }
  return mergeAdjacent([...idsOf(blocks), ...queued, [indexedTo + 1, LARGEST_ROW_ID]])
}
