import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isPrintableAscii } from '#dns/names/labels'
import { dialectOf } from '#database/dialects/dialect_of'

/** A piece of SQL and the values bound in it. */
export type Condition = [sql: string, bindings: (string | number)[]]

/** Text that stands for itself in a LIKE pattern whose escape is `!`. */
export function plainLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

/**
 * A condition that a column matches a LIKE pattern whose escape is `!`, whatever their case. SQLite's own
 * functions know the case of ASCII only; they are enough where the pattern has nothing else, and much quicker
 * than ours.
 *
 * @param column with its table; a name, not a text of the caller's
 * @param part   what of the column is compared, in SQL; its placeholder is the column
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

/** A condition that a column, or a part of it, contains a text, whatever their case; `%` and `_` are themselves. */
export function containsText(
  client: QueryClientContract,
  column: string,
  text: string,
  part?: string
): Condition {
  return matchesLike(client, column, `%${plainLike(text)}%`, part)
}

/**
 * As `containsText`, where each row is looked at and no index of texts helps. PostgreSQL knows the case of all letters, which
 * takes twice as long as to know that of ASCII, and that takes longer than to look at the text as it is, which mostly is
 * in lower case. Letters that are those of ASCII in another case (the sign of Kelvin) are not found so, as on SQLite; no
 * name holds one.
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
  const inAnyCase = containsText(client, column, text, ascii)
  const asItIs: Condition = [`${ascii} like ? escape '!'`, inAnyCase[1]]
  return /[a-z]/i.test(text)
    ? [`(${asItIs[0]} or ${inAnyCase[0]})`, [...asItIs[1], ...inAnyCase[1]]]
    : asItIs
}

/** Narrows a query to rows in which one of these columns matches one of these LIKE patterns, or to all others. */
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
  // A column without a value contains nothing.
  rows.whereRaw(negated ? `not coalesce((${sql}), 1 = 0)` : `(${sql})`, bindings)
}
