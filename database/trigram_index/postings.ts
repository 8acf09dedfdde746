import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/statements/chunks'
import {
  BLOCK,
  separateGram,
  blockOf,
  trigramsOf,
  wordGram,
} from '#database/trigram_index/trigrams'
import type { IdRange, TextSource } from '#database/trigram_index/source'
import { dialectOf } from '#database/dialects/dialect_of'

/*
 * Zonewright's own trigram index: which trigram occurs in which block of row ids. Rows of a block share most trigrams, so
 * there are few entries per row. An entry of a deleted row costs one read and finds nothing.
 */

/** Rows of one insert. */
const INSERT_BATCH_SIZE = 2000

/** Maximum count of blocks of a trigram: a common trigram is not counted further. */
const MAX_COUNTED = 2000

/** A row with its searchable texts and words. */
export interface IndexedRow {
  id: number
  texts: readonly (string | null)[]
  separateTexts: readonly (string | null)[]
  words: readonly (string | null)[]
}

/** Adds the trigrams of rows to those of their blocks. */
export async function post(
  trx: TransactionClientContract,
  source: TextSource,
  rows: readonly IndexedRow[]
): Promise<void> {
  const blocks = new Map<number, Set<number>>()
  for (const { id, texts, separateTexts, words } of rows) {
    const grams = blocks.get(blockOf(id)) ?? new Set<number>()
    blocks.set(blockOf(id), grams)
    texts.forEach((text) => trigramsOf(text ?? '').forEach((gram) => grams.add(gram)))
    separateTexts.forEach((text) =>
      trigramsOf(text ?? '').forEach((gram) => grams.add(separateGram(gram)))
    )
    words.forEach((word) => word !== null && grams.add(wordGram(word)))
  }
  const entries = [...blocks].flatMap(([block, grams]) => [...grams].map((gram) => [gram, block]))
  // In key order, so that concurrent inserts cannot deadlock.
  entries.sort((one, other) => one[0] - other[0] || one[1] - other[1])
  const { insert, end } = dialectOf(trx).insertNew
  for (const part of chunks(entries, INSERT_BATCH_SIZE)) {
    // Computed numbers need no binding.
    const values = part.map(([gram, block]) => `(${gram},${block})`).join(',')
    await trx.rawQuery(`${insert} INTO ${source.grams} (gram, block) VALUES ${values}${end}`)
  }
}

/** Sorts trigrams, at least one, rarest first; null if one occurs nowhere. */
export async function rarestFirst(
  client: QueryClientContract,
  { grams: table }: TextSource,
  grams: readonly number[]
): Promise<number[] | null> {
  // One statement for all. Computed numbers need no binding.
  const counts = grams.map(
    (gram, i) =>
      `(SELECT COUNT(*) FROM (SELECT 1 AS one FROM ${table} WHERE gram = ${gram} LIMIT ${MAX_COUNTED}) AS s${i}) AS c${i}`
  )
  const [row] = (await client.query().select(client.raw(counts.join(', ')))) as Record<
    string,
    number | string
  >[]
  const gramTotals = grams.map((gram, i) => ({ gram, total: Number(row[`c${i}`]) }))
  if (gramTotals.some(({ total }) => total === 0)) {
    return null
  }
  return gramTotals.sort((one, other) => one.total - other.total).map(({ gram }) => gram)
}

/**
 * The next blocks, in order, in which all of these trigrams occur.
 *
 * @param grams at least one, rarest first
 * @param after blocks beyond this one; -1 for all
 */
export async function nextBlocks(
  client: QueryClientContract,
  { grams: table }: TextSource,
  grams: readonly number[],
  after: number,
  limit: number
): Promise<number[]> {
  const [first, ...otherGrams] = grams
  const { orderedJoin: join } = dialectOf(client)
  const joins = otherGrams.map(
    (gram, i) =>
      `${join} ${table} t${i + 1} ON t${i + 1}.gram = ${gram} AND t${i + 1}.block = t0.block`
  )
  const rows = (await client
    .from(`${table} as t0`)
    .joinRaw(joins.join(' '))
    .where('t0.gram', first)
    .where('t0.block', '>', after)
    .orderBy('t0.block')
    .limit(limit)
    .select('t0.block as block')) as { block: number | string }[]
  return rows.map(({ block }) => Number(block))
}

/** The ranges of ids of these sorted blocks. */
export function idsOf(blocks: readonly number[]): IdRange[] {
  const ranges: IdRange[] = []
  for (const block of blocks) {
    const before = ranges.at(-1)
    const first = block * BLOCK
    if (before?.[1] === first - 1) before[1] = first + BLOCK - 1
    else ranges.push([first, first + BLOCK - 1])
  }
  return ranges
}
