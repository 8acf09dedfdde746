import type { SqlDialect } from '#database/dialects/sql_dialect'

/** SQL of one column that is a JSON array of these columns. */
export function jsonRow({ json }: SqlDialect, columns: readonly string[]): string {
  const { row, text } = json
  return `cast(${row}(${columns.join(', ')}) as ${text})`
}

/** SQL of one column that is a JSON array of the rows of another select, each an array. */
export function jsonRows({ json }: SqlDialect, columns: readonly string[], from: string): string {
  const { row, rows, text } = json
  return `(select cast(${rows}(${row}(${columns.join(', ')})) as ${text}) from ${from})`
}

/** Parses such a column; an empty list for NULL. */
export function listOf<Item>(json: string | null): Item[] {
  return json === null ? [] : (JSON.parse(json) as Item[])
}
