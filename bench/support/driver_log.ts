/* Records the statements that reach the driver, so that a bare server can send the same ones. */
import Database from 'better-sqlite3'
import mysql from 'mysql2'
import pg from 'pg'

/** A statement as the driver received it. */
export interface Statement {
  sql: string
  bindings: unknown[]
}

let noted: Statement[] | null = null

function recordStatement(sql: string, bindings: unknown): void {
  noted?.push({ sql, bindings: Array.isArray(bindings) ? bindings : [] })
}

/** Returns the statements that `work` sends, in order. No other work may run concurrently. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const mine: Statement[] = (noted = [])
  await work()
  noted = null
  return mine
}

type Method = (this: never, ...args: never[]) => unknown

const undo: (() => void)[] = []

/** Calls `before` with arguments and receiver of each call of a method. */
function watch(prototype: object, name: string, before: (args: unknown[], on: unknown) => void) {
  const methods = prototype as Record<string, Method>
  const original = methods[name]
  undo.push(() => (methods[name] = original))
  methods[name] = function (...args) {
    before(args, this)
    return original.apply(this, args)
  }
}

/** Removes the wrappers from the drivers. */
export function leaveDrivers(): void {
  undo.splice(0).forEach((step) => step())
}

/** Wraps the drivers. Statements are recorded while `statementsOf` runs. */
export function watchDrivers(): void {
  const memory = new Database(':memory:')
  const statement = Object.getPrototypeOf(memory.prepare('select 1')) as object
  memory.close()
  for (const name of ['all', 'get', 'run']) {
    watch(statement, name, ([bindings], on) =>
      recordStatement((on as { source: string }).source, bindings)
    )
  }
  watch(pg.Client.prototype, 'query', ([query]) => {
    const { text, values } = query as { text: string; values?: unknown[] }
    recordStatement(text, values)
  })
  const connection = (mysql as unknown as { Connection: { prototype: object } }).Connection
    .prototype
  for (const name of ['query', 'execute']) {
    watch(connection, name, ([query, values]) => {
      const sql = typeof query === 'string' ? query : (query as { sql: string }).sql
      recordStatement(sql, Array.isArray(values) ? values : (query as { values?: unknown }).values)
    })
  }
}
