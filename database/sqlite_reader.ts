/** A connection of better-sqlite3; only the part used here. */
export interface ReadHandle {
  prepare(sql: string): object
  pragma(source: string, options?: { simple: boolean }): unknown
  function(name: string, options: object, work: (value: unknown) => unknown): unknown
  close(): unknown
}

/** A query builder of knex, or a statement as text. */
interface Builder {
  _method?: string
  sql?: unknown
}

/** A client of knex for SQLite; only the part used here. */
export interface SqliteClient {
  pool: { numUsed(): number; on(event: string, done: () => void): unknown }
  acquireRawConnection(): Promise<ReadHandle>
  acquireConnection(): Promise<unknown>
  releaseConnection(connection: unknown): Promise<void>
  runner(builder: Builder): unknown
  /** A connection for reads outside of transactions. Release it with `releaseConnection`. */
  acquireReadConnection?(): Promise<unknown>
}

const READ_METHODS = new Set(['select', 'first', 'pluck'])
const SELECT_STATEMENT = /^\s*select\b/i

/**
 * Opens a second, read-only connection to SQLite. Reads outside of transactions use it while a transaction holds the
 * first one, and see the last committed state. It needs a write-ahead log (`journal_mode=wal`); without one, reads
 * wait for the first connection.
 *
 * @param prepare sets up the new connection
 * @param demand  throws if no connection may be used now
 */
export async function addReadConnection(
  client: SqliteClient,
  { prepare, demand }: { prepare(handle: ReadHandle): void; demand(): void }
): Promise<void> {
  const handle = await client.acquireRawConnection()
  prepare(handle)
  handle.pragma('query_only = ON')
  client.pool.on('poolDestroySuccess', () => handle.close())
  let isReady = false
  const isFree = () => {
    if (client.pool.numUsed() === 0) return false
    isReady ||= handle.pragma('journal_mode', { simple: true }) === 'wal'
    return isReady
  }

  const { releaseConnection, runner } = client
  const take = async () => {
    demand()
    return handle
  }
  client.acquireReadConnection = () => (isFree() ? take() : client.acquireConnection())
  client.releaseConnection = async (connection) => {
    if (connection !== handle) await releaseConnection.call(client, connection)
  }
  const readClient = Object.assign(Object.create(client) as SqliteClient, {
    acquireConnection: take,
  })
  client.runner = (builder) =>
    runner.call(reads(builder) && isFree() ? readClient : client, builder)
}

function reads({ _method: method, sql }: Builder): boolean {
  return method === undefined
    ? typeof sql === 'string' && SELECT_STATEMENT.test(sql)
    : READ_METHODS.has(method)
}
