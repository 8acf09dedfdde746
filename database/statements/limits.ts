import type { Socket } from 'node:net'
import { promisify } from 'node:util'

/** A connection of mysql2 or pg; only the part used here. */
export interface ServerHandle {
  /** Stream of mysql2. */
  stream?: Socket
  /** Connection of pg. */
  connection?: { stream: Socket }
  query(sql: string, done: (error: unknown) => void): unknown
}

/** Methods of a knex client that open connections outside its pool and take connections from it. */
export interface ServerClient {
  acquireRawConnection(): Promise<ServerHandle>
  destroyRawConnection(handle: ServerHandle): Promise<unknown>
  acquireConnection(): Promise<unknown>
}

/** The stream of a connection. */
export function streamOf(handle: ServerHandle): Socket {
  return (handle.connection?.stream ?? handle.stream)!
}

/** Sends a query over a new connection, and closes it with or without an answer. Throws the error of the driver. */
export async function askOnce(client: ServerClient, withinMs: number): Promise<void> {
  const handle = await client.acquireRawConnection()
  const stream = streamOf(handle)
  const timer = setTimeout(() => stream.destroy(new Error('timeout')), withinMs).unref()
  try {
    await promisify(handle.query.bind(handle) as (sql: string, done: EndCallback) => void)(
      'select 1'
    )
    await client.destroyRawConnection(handle)
  } finally {
    clearTimeout(timer)
    stream.destroy()
  }
}

type EndCallback = (error: unknown) => void

/** Runs `demand` before each connection of the pool; its error refuses the connection. */
export function guardPool(client: ServerClient, demand: () => void): void {
  const acquire = client.acquireConnection.bind(client)
  client.acquireConnection = async () => {
    demand()
    return acquire()
  }
}

/** Time-outs of statements in ms; 0 for none. */
export interface StatementLimits {
  lockMs: number
  statementMs: number
}

/** Statements that set the time-outs on PostgreSQL, for the session or the transaction. */
export function postgresLimits(scope: 'session' | 'local', limits: StatementLimits): string {
  const { lockMs, statementMs } = limits
  return `set ${scope} lock_timeout = ${lockMs}; set ${scope} statement_timeout = ${statementMs}`
}
