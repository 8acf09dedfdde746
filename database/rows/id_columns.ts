import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/** How a database makes one text of all numbers of a column, in the order of the rows. */
const AS_TEXT: Record<string, (column: string) => string> = {
  'better-sqlite3': (column) => `group_concat(${column})`,
  'postgres': (column) => `string_agg(${column}::text, ',')`,
}

/**
 * Columns of whole numbers of all rows that a query finds, in its order: the values of each column in an array. As one
 * text where the database makes it in order, since drivers take seconds for a million rows.
 *
 * @param rows    a query that selects nothing yet
 * @param columns with their tables where names come twice; without NULL, of which a text would have nothing
 */
export async function numbersOf(
  rows: DatabaseQueryBuilderContract,
  columns: readonly string[]
): Promise<number[][]> {
  const { client } = rows
  const asText = AS_TEXT[client.dialect.name]
  const found = rows.select(columns.map((column, at) => `${column} as n${at}`))
  if (!asText) {
    const read = (await found) as Record<string, number | string>[]
    return columns.map((_, at) => read.map((row) => Number(row[`n${at}`])))
  }
  const texts = columns.map((_, at) => client.raw(`${asText(`n${at}`)} as n${at}`))
  const [row] = (await client.from(found.as('found')).select(texts)) as Record<
    string,
    string | null
  >[]
  return columns.map((_, at) => JSON.parse(`[${row[`n${at}`] ?? ''}]`) as number[])
}
