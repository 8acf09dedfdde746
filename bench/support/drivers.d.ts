/* Types of untyped drivers, as far as the benchmarks use them. */

declare module 'better-sqlite3' {
  export interface Statement {
    /** Whether the statement returns rows. */
    reader: boolean
    all(...values: unknown[]): unknown[]
    run(...values: unknown[]): unknown
  }
  export default class Database {
    constructor(file: string)
    prepare(sql: string): Statement
    pragma(setting: string): unknown
    function(name: string, work: (value: unknown) => unknown): void
    close(): void
  }
}

declare module 'pg' {
  interface Query {
    name?: string
    text: string
    values?: unknown[]
  }
  class Client {
    constructor(options: object)
    connect(): Promise<void>
    on(event: 'error', listener: (error: Error) => void): this
    end(): Promise<void>
    query(query: Query): Promise<{ rows: unknown[] }>
  }
  class Pool {
    constructor(options: object)
    query(query: Query): Promise<{ rows: unknown[] }>
    end(): Promise<void>
  }
  const pg: { Client: typeof Client; Pool: typeof Pool }
  export default pg
}
