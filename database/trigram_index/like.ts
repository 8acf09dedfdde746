import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isPrintableAscii } from '#dns/names/labels'
import { dialectOf } from '#database/dialects/dialect_of'

/** A piece of SQL and the values bound in it. */
export type Condition = [sql: string, bindings: (string | number)[]]

/** Escapes a text for a LIKE pattern with the escape `!`. */
export function plainLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

/**
 * Condition that a column matches a LIKE pattern with the escape `!`, without case.
 *
 * @param column with its table; a name from the code
 * @param part   SQL of the compared part; its placeholder is the column
 */
export function matchesLike(
  client: QueryClientContract,
  column: string,
  pattern: string,
  part = '??'
): Condition {
  const folded = dialectOf(client).foldedPart(part, isPrintableAscii(pattern))
  return [`${folded} like ? escape '!'`, [column, pattern.toLowerCase()]]
}

/** Condition that a column, or a part of it, contains a text, without case. `%` and `_` are plain characters. */
export function containsText(
  client: QueryClientContract,
  column: string,
  text: string,
  part?: string
): Condition {
  return matchesLike(client, column, `%${plainLike(text)}%`, part)
}

/**
 * `containsText` for scans without a text index. On PostgreSQL, `lower` of all letters costs twice
 * that of ASCII; a first comparison without `lower` is fastest, because most texts are lower case.
 * Non-ASCII letters with an ASCII lower case (KELVIN SIGN) are not found, as on SQLite.
 */
export function containsReadText(
  client: QueryClientContract,
  column: string,
  text: string,
  part = '??'
): Condition {
  const { asciiCollation } = dialectOf(client)
  if (asciiCollation === null || !isPrintableAscii(text)) {
    return containsText(client, column, text, part)
  }
  const ascii = `${part}${asciiCollation}`
  const folded = containsText(client, column, text, ascii)
  const unfolded: Condition = [`${ascii} like ? escape '!'`, folded[1]]
  return /[a-z]/i.test(text)
    ? [`(${unfolded[0]} or ${folded[0]})`, [...unfolded[1], ...folded[1]]]
    : unfolded
}

/** Restricts a query to rows where one of the columns matches one of the LIKE patterns, or to all other rows. */
export function whereLike(
  rows: DatabaseQueryBuilderContract,
  columns: readonly string[],
  patterns: readonly string[],
  negated = false
): void {
  const conditions = columns.flatMap((column) =>
    patterns.map((pattern) => matchesLike(rows.client, column, pattern))
  )
  const sql = conditions.map(([text]) => text).join(' or ')
  const bindings = conditions.flatMap(([, values]) => values)
  // NULL contains no text.
  rows.whereRaw(negated ? `not coalesce((${sql}), 1 = 0)` : `(${sql})`, bindings)
}
