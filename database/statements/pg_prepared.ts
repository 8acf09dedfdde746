import { hash } from 'node:crypto'
import { STALE_STATEMENT } from '#database/conflicts'

/** A connection of pg, and what knex sends by it; only the part used here. */
interface PgConnection {
  query(query: unknown, done?: Done): unknown
}
type Done = (error: unknown, result?: unknown) => void
interface Query {
  text: string
  values: unknown[]
  name?: string
}

/** Statements that come so often are prepared, so many on each connection at most. */
const OFTEN = 5
const MOST = 150

/** Longer ones hold many values and seldom come again. */
const LONGEST = 2_000

/** How the rows of these are best found depends on the values, so that they are planned each time. */
const BY_VALUES = /\b(like|offset|between|limit \$\d+ offset)\b|[<>]/i

const BEGIN = /^\s*(begin|start transaction)\b/i
const END = /^\s*(commit|rollback)\s*;?\s*$/i

/** PostgreSQL's errors by which a statement has to be prepared again: what it stood on is gone. */
const STALE = new Set(['0A000', '26000', '42P05'])

/**
 * Lets a connection prepare what transactions send again and again: to parse and to plan it takes longer than to find
 * rows by their keys. A statement that has become stale, as tables were changed, ends its transaction with
 * `STALE_STATEMENT`, by which it is run again; the connection prepares nothing from then on.
 *
 * @param limits statements that follow each BEGIN at once. A pooler of transactions (PgBouncer) takes no limits as parameters of a
 *   session, and gives each transaction another one
 */
export function prepareInTransactions(connection: PgConnection, limits = ''): void {
  // Looked up at each call: benchmarks note what goes to the driver, of connections that are there already, too.
  const driver = Object.getPrototypeOf(connection) as PgConnection
  const send: PgConnection['query'] = (query, done) => driver.query.call(connection, query, done)
  const seen = new Map<string, number>()
  let isOpen = false
  let isTrusted = true

  const named = (query: unknown): Query | null => {
    if (!isOpen || !isTrusted || !isPlain(query) || BY_VALUES.test(query.text)) return null
    const times = seen.get(query.text) ?? 0
    if (times === 0 && seen.size >= MOST) return null
    seen.set(query.text, times + 1)
    const name = `zw_${hash('sha256', query.text).slice(0, 32)}`
    return times < OFTEN ? null : { ...query, name }
  }

  connection.query = (query, done) => {
    const text = typeof query === 'string' ? query : (query as Partial<Query> | null)?.text
    if (text && BEGIN.test(text)) {
      isOpen = true
      if (limits !== '' && done)
        return send(`${text.replace(/;?\s*$/, '')}; ${limits}`, first(done))
    } else if (text && END.test(text)) isOpen = false
    const prepared = done ? named(query) : null
    if (!prepared || !done) {
      return send(query, done)
    }
    return send(prepared, (error, result) => {
      const code = String((error as { code?: unknown } | null)?.code)
      if (!STALE.has(code)) return done(error, result)
      isTrusted = false
      done(Object.assign(error as Error, { code: STALE_STATEMENT }))
    })
  }
}

/** Of the results of several statements in one text, the caller gets that of its own. */
function first(done: Done): Done {
  return (error, result) => done(error, Array.isArray(result) ? (result as unknown[])[0] : result)
}

function isPlain(query: unknown): query is Query {
  const { text, values, name } = (query ?? {}) as Partial<Query>
  // Without values there may be several statements in one text.
  return typeof text === 'string' && !!values?.length && !name && text.length <= LONGEST
}
