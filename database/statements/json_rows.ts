import type { Dialect } from '#database/statements/prepared'

/** How a database makes JSON: an array of columns, and one of all rows, as text. */
const JSON_SQL: Record<string, { row: string; rows: string; text: string }> = {
  'better-sqlite3': { row: 'json_array', rows: 'json_group_array', text: 'text' },
  'postgres': { row: 'json_build_array', rows: 'json_agg', text: 'text' },
  'mysql': { row: 'json_array', rows: 'json_arrayagg', text: 'char' },
}

/** SQL of one column that holds these, as a JSON array. */
export function jsonRow(dialect: Dialect, columns: readonly string[]): string {
  const { row, text } = JSON_SQL[dialect]
  return `cast(${row}(${columns.join(', ')}) as ${text})`
}

/** SQL of one column that holds all rows of another select, each as an array, in a JSON array. */
export function jsonRows(dialect: Dialect, columns: readonly string[], from: string): string {
  const { row, rows, text } = JSON_SQL[dialect]
  return `(select cast(${rows}(${row}(${columns.join(', ')})) as ${text}) from ${from})`
}

/** What such a column holds; nothing where it is null. */
export function listOf<Item>(json: string | null): Item[] {
  return json === null ? [] : (JSON.parse(json) as Item[])
}
