import type { Socket } from 'node:net'
import { promisify } from 'node:util'

/** A connection of mysql2 or pg; only the part used here. */
export interface ServerHandle {
  /** Of mysql2. */
  stream?: Socket
  /** Of pg. */
  connection?: { stream: Socket }
  query(sql: string, done: (error: unknown) => void): unknown
}

/** What knex has to make connections beside its pool, and takes them from it. */
export interface ServerClient {
  acquireRawConnection(): Promise<ServerHandle>
  destroyRawConnection(handle: ServerHandle): Promise<unknown>
  acquireConnection(): Promise<unknown>
}

/** The stream of a connection. */
export function streamOf(handle: ServerHandle): Socket {
  return (handle.connection?.stream ?? handle.stream)!
}

/** Asks the database something over a connection of its own, and ends that, whether there is an answer or not. */
export async function askOnce(client: ServerClient, withinMs: number): Promise<void> {
  const handle = await client.acquireRawConnection()
  const stream = streamOf(handle)
  const timer = setTimeout(() => stream.destroy(new Error('timeout')), withinMs).unref()
  try {
    await promisify(handle.query.bind(handle) as (sql: string, done: Ended) => void)('select 1')
    await client.destroyRawConnection(handle)
  } finally {
    clearTimeout(timer)
    stream.destroy()
  }
}

type Ended = (error: unknown) => void

/** Lets nobody take a connection where `demand` throws. */
export function guardPool(client: ServerClient, demand: () => void): void {
  const acquire = client.acquireConnection.bind(client)
  client.acquireConnection = async () => {
    demand()
    return acquire()
  }
}

/** Times that hold for statements, in ms; 0 for none. */
export interface StatementLimits {
  lockMs: number
  statementMs: number
}

/** The limits as PostgreSQL takes them, for the session or only for the transaction. */
export function postgresLimits(scope: 'session' | 'local', limits: StatementLimits): string {
  const { lockMs, statementMs } = limits
  return `set ${scope} lock_timeout = ${lockMs}; set ${scope} statement_timeout = ${statementMs}`
}
