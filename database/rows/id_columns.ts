import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { dialectOf } from '#database/dialects/dialect_of'

/**
 * Reads columns of whole numbers: one array per column, in the order of the query. If the database keeps the order, it joins
 * the values to one text, because drivers need seconds for a million rows.
 *
 * @param rows    a query without selected columns
 * @param columns NOT NULL; with the table if a name is ambiguous
 */
export async function numbersOf(
  rows: DatabaseQueryBuilderContract,
  columns: readonly string[]
): Promise<number[][]> {
  const { client } = rows
  const { joinNumbers } = dialectOf(client)
  const found = rows.select(columns.map((column, at) => `${column} as n${at}`))
  const joined = columns.map((_, at) => joinNumbers(`n${at}`))
  if (joined.includes(null)) {
    const read = (await found) as Record<string, number | string>[]
    return columns.map((_, at) => read.map((row) => Number(row[`n${at}`])))
  }
  const texts = joined.map((sql, at) => client.raw(`${sql} as n${at}`))
  const [row] = (await client.from(found.as('found')).select(texts)) as Record<
    string,
    string | null
  >[]
  return columns.map((_, at) => JSON.parse(`[${row[`n${at}`] ?? ''}]`) as number[])
}
