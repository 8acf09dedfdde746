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
  const query = rows.select(columns.map((column, index) => `${column} as n${index}`))
  const joined = columns.map((_, index) => joinNumbers(`n${index}`))
  if (joined.includes(null)) {
    const idRows = (await query) as Record<string, number | string>[]
    return columns.map((_, index) => idRows.map((row) => Number(row[`n${index}`])))
  }
  const texts = joined.map((sql, index) => client.raw(`${sql} as n${index}`))
  const [row] = (await client.from(query.as('found')).select(texts)) as Record<
    string,
    string | null
  >[]
  return columns.map((_, index) => JSON.parse(`[${row[`n${index}`] ?? ''}]`) as number[])
}
