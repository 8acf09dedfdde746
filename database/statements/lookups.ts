import db from '@adonisjs/lucid/services/db'
import { Batcher } from '#database/statements/batcher'
import { PreparedStatement } from '#database/statements/prepared'
import type { SqlDialect } from '#database/dialects/sql_dialect'

/** Maximum number of lookups of one query. More would delay the first answer. */
export const MAX_CONCURRENT_LOOKUPS = 32

/**
 * Prepared statements with lists of values. Each length of a list needs its own statement: lists are padded to a power of two,
 * so that there are few.
 */
export class ListStatements<Row extends object> {
  readonly #statements = new Map<string, PreparedStatement<Row>>()

  /** @param sqlFor returns the statement; `placeholders` has the `?, ?` of each list */
  constructor(private readonly sqlFor: (placeholders: string[], dialect: SqlDialect) => string) {}

  /** The rows for these lists. An empty list stays empty. */
  async rows(...lists: string[][]): Promise<Row[]> {
    const filled = lists.map((values) => padded([...new Set(values)]))
    const lengths = filled.map(({ length }) => length)
    const name = lengths.join(' ')
    let statement = this.#statements.get(name)
    if (statement === undefined) {
      const placeholders = lengths.map((length) => Array<string>(length).fill('?').join(', '))
      statement = new PreparedStatement<Row>((dialect) => this.sqlFor(placeholders, dialect))
      this.#statements.set(name, statement)
    }
    return statement.rows(db.connection(), filled.flat())
  }
}

/** Pads the values to a power of two with the last one. */
function padded(values: string[]): string[] {
  const length = values.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(values.length))
  return Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)])
}

/**
 * Looks up rows by a text, concurrent lookups in one query. Returns null if no row has exactly this text: a collation may
 * treat other texts as equal.
 *
 * @param sqlFor returns the statement; `placeholders` are those of the texts
 * @param textOf the text by which a row is found
 */
export function lookupBy<Row extends object>(
  sqlFor: (placeholders: string, dialect: SqlDialect) => string,
  textOf: (row: Row) => string
): Batcher<string, Row | null> {
  const statements = new ListStatements<Row>(([placeholders], dialect) =>
    sqlFor(placeholders, dialect)
  )
  return new Batcher(async (texts) => {
    const rows = await statements.rows(texts)
    const rowsByText = new Map(rows.map((row) => [textOf(row), row]))
    return texts.map((text) => rowsByText.get(text) ?? null)
  }, MAX_CONCURRENT_LOOKUPS)
}
