import { hash } from 'node:crypto'
import { STALE_STATEMENT } from '#database/conflicts'

/** A connection of pg, and a query of knex; only the part used here. */
interface PgConnection {
  query(query: unknown, done?: QueryCallback): unknown
}
type QueryCallback = (error: unknown, result?: unknown) => void
interface Query {
  text: string
  values: unknown[]
  name?: string
}

/** Number of uses after which a statement is prepared, and maximum of prepared statements per connection. */
const MIN_USES = 5
const MAX_STATEMENTS = 150

/** Longer statements have many values and are rarely repeated. */
const MAX_LENGTH = 2_000

/** The best plan of these statements depends on their values: they are planned each time. */
const BY_VALUES = /\b(like|offset|between|limit \$\d+ offset)\b|[<>]/i

const BEGIN_STATEMENT = /^\s*(begin|start transaction)\b/i
const END_STATEMENT = /^\s*(commit|rollback)\s*;?\s*$/i

/** Errors of PostgreSQL after which a statement must be prepared again. */
const STALE_PLAN_CODES = new Set(['0A000', '26000', '42P05'])

/**
 * Prepares frequent statements of transactions on a connection: parsing and planning take longer than a lookup by key. If a
 * schema change made a statement stale, the transaction fails with `STALE_STATEMENT` and is repeated; the connection then
 * prepares no more statements.
 *
 * @param limits statements sent with each BEGIN. PgBouncer in transaction mode takes no session parameters
 */
export function prepareInTransactions(connection: PgConnection, limits = ''): void {
  // Looked up at each call: benchmarks wrap the driver after connections were opened.
  const driver = Object.getPrototypeOf(connection) as PgConnection
  const send: PgConnection['query'] = (query, done) => driver.query.call(connection, query, done)
  const uses = new Map<string, number>()
  let isOpen = false
  let canPrepare = true

  const named = (query: unknown): Query | null => {
    if (!isOpen || !canPrepare || !isPlain(query) || BY_VALUES.test(query.text)) return null
    const times = uses.get(query.text) ?? 0
    if (times === 0 && uses.size >= MAX_STATEMENTS) return null
    uses.set(query.text, times + 1)
    const name = `zw_${hash('sha256', query.text).slice(0, 32)}`
    return times < MIN_USES ? null : { ...query, name }
  }

  connection.query = (query, done) => {
    const text = typeof query === 'string' ? query : (query as Partial<Query> | null)?.text
    if (text && BEGIN_STATEMENT.test(text)) {
      isOpen = true
      if (limits !== '' && done)
        return send(`${text.replace(/;?\s*$/, '')}; ${limits}`, first(done))
    } else if (text && END_STATEMENT.test(text)) isOpen = false
    const prepared = done ? named(query) : null
    if (!prepared || !done) {
      return send(query, done)
    }
    return send(prepared, (error, result) => {
      const code = String((error as { code?: unknown } | null)?.code)
      if (!STALE_PLAN_CODES.has(code)) return done(error, result)
      canPrepare = false
      done(Object.assign(error as Error, { code: STALE_STATEMENT }))
    })
  }
}

/** Passes on the result of the first statement of a text with several. */
function first(done: QueryCallback): QueryCallback {
  return (error, result) => done(error, Array.isArray(result) ? (result as unknown[])[0] : result)
}

function isPlain(query: unknown): query is Query {
  const { text, values, name } = (query ?? {}) as Partial<Query>
  // A text without values can have several statements.
  return typeof text === 'string' && !!values?.length && !name && text.length <= MAX_LENGTH
}
