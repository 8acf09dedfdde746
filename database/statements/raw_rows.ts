import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** The rows of a statement that is written as SQL, whatever the driver wraps them in. */
export async function rawRows<Row>(
  client: QueryClientContract,
  sql: string,
  bindings: (string | number)[]
): Promise<Row[]> {
  const answer = (await client.rawQuery(sql, bindings)) as
    Row[] | [Row[], unknown] | { rows: Row[] }
  if (!Array.isArray(answer)) {
    return answer.rows
  }
  return client.dialect.name === 'mysql' ? (answer as [Row[], unknown])[0] : (answer as Row[])
}
