import db from '@adonisjs/lucid/services/db'
import { Gatherer } from '#database/statements/batcher'
import { PreparedStatement } from '#database/statements/prepared'
import type { SqlDialect } from '#database/dialects/sql_dialect'

/** More would make the answer to the first of them late. */
export const MAX_CONCURRENT_LOOKUPS = 32

/**
 * Statements with lists of values, by the lengths of the lists. Each length is one statement of its own, which
 * connections prepare: so lists are filled up to few lengths.
 */
export class ListStatements<Row extends object> {
  readonly #statements = new Map<string, PreparedStatement<Row>>()

  /** @param sqlFor the statement, with so many `?` for each list: `marks` has them, with commas between */
  constructor(private readonly sqlFor: (marks: string[], dialect: SqlDialect) => string) {}

  /** The rows for these lists. An empty one stays empty. */
  async rows(...lists: string[][]): Promise<Row[]> {
    const filled = lists.map((values) => filledUp([...new Set(values)]))
    const lengths = filled.map(({ length }) => length)
    const name = lengths.join(' ')
    let statement = this.#statements.get(name)
    if (statement === undefined) {
      const marks = lengths.map((length) => Array<string>(length).fill('?').join(', '))
      statement = new PreparedStatement<Row>((dialect) => this.sqlFor(marks, dialect))
      this.#statements.set(name, statement)
    }
    return statement.rows(db.connection(), filled.flat())
  }
}

/** As many values as a power of two, by repeating the last. */
function filledUp(values: string[]): string[] {
  const length = values.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(values.length))
  return Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)])
}

/**
 * Rows that are found by a text each: those that are wanted at once in one round trip. null where there is none of
 * exactly this text, whatever a collation takes for equal.
 *
 * @param sqlFor the statement, with `marks` for the texts
 * @param textOf by which a row is found
 */
export function lookupBy<Row extends object>(
  sqlFor: (marks: string, dialect: SqlDialect) => string,
  textOf: (row: Row) => string
): Gatherer<string, Row | null> {
  const statements = new ListStatements<Row>(([marks], dialect) => sqlFor(marks, dialect))
  return new Gatherer(async (texts) => {
    const rows = await statements.rows(texts)
    const found = new Map(rows.map((row) => [textOf(row), row]))
    return texts.map((text) => found.get(text) ?? null)
  }, MAX_CONCURRENT_LOOKUPS)
}
