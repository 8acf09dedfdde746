/*
 * What really goes to the database, noted at the driver: however the application came by its statements, a bare
 * server can then be given the same.
 */
import Database from 'better-sqlite3'
import mysql from 'mysql2'
import pg from 'pg'

/** A statement as the driver got it. */
export interface Statement {
  sql: string
  bindings: unknown[]
}

let noted: Statement[] | null = null

function note(sql: string, bindings: unknown): void {
  noted?.push({ sql, bindings: Array.isArray(bindings) ? bindings : [] })
}

/** The statements that the work sends, in their order. Nothing else may go on meanwhile. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const mine: Statement[] = (noted = [])
  await work()
  noted = null
  return mine
}

type Method = (this: never, ...args: never[]) => unknown

const undo: (() => void)[] = []

/** Calls `before` with the arguments of each call of a method, and with what it is called on. */
function watch(prototype: object, name: string, before: (args: unknown[], on: unknown) => void) {
  const methods = prototype as Record<string, Method>
  const original = methods[name]
  undo.push(() => (methods[name] = original))
  methods[name] = function (...args) {
    before(args, this)
    return original.apply(this, args)
  }
}

/** Leaves the drivers as they were. */
export function leaveDrivers(): void {
  undo.splice(0).forEach((step) => step())
}

/** Begins to watch the drivers. Statements are noted while `statementsOf` works. */
export function watchDrivers(): void {
  const memory = new Database(':memory:')
  const statement = Object.getPrototypeOf(memory.prepare('select 1')) as object
  memory.close()
  for (const name of ['all', 'get', 'run']) {
    watch(statement, name, ([bindings], on) => note((on as { source: string }).source, bindings))
  }
  watch(pg.Client.prototype, 'query', ([query]) => {
    const { text, values } = query as { text: string; values?: unknown[] }
    note(text, values)
  })
  const connection = (mysql as unknown as { Connection: { prototype: object } }).Connection
    .prototype
  for (const name of ['query', 'execute']) {
    watch(connection, name, ([query, values]) => {
      const sql = typeof query === 'string' ? query : (query as { sql: string }).sql
      note(sql, Array.isArray(values) ? values : (query as { values?: unknown }).values)
    })
  }
}
