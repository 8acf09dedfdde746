/*
 * The bare server for comparison: only node:http and the driver. It gets the statements of each path and prepares them once. For a
 * request it sends them in sequence and answers with the rows of the last one as JSON.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database, { type Statement as Prepared } from 'better-sqlite3'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Statement } from './driver_log.ts'
import { answerTasks, cpu } from './worker.ts'

/** Statements of a path. */
export interface BareAnswer {
  status: number
  statements: Statement[]
}

type Send = (statement: Statement) => Promise<unknown[]>

const CONNECTIONS = 10

/** Opens the database of the environment with the bare driver. */
function driver(): { send: Send; close: () => Promise<unknown> } {
  const { env } = process
  const server = {
    host: env.DB_HOST,
    port: Number(env.DB_PORT),
    user: env.DB_USER,
    password: env.DB_PASSWORD,
    database: env.DB_DATABASE,
  }
  if (env.DB_CONNECTION === 'sqlite') {
    const database = new Database(env.DB_FILE!)
    const known = new Map<string, Prepared>()
    const prepared = (sql: string) => {
      const statement = known.get(sql) ?? database.prepare(sql)
      known.set(sql, statement)
      return statement
    }
    return {
      send: async ({ sql, bindings }) => prepared(sql).all(...bindings),
      close: async () => database.close(),
    }
  }
  if (env.DB_CONNECTION === 'pg') {
    const pool = new pg.Pool({ ...server, max: CONNECTIONS })
    const names = new Map<string, string>()
    const nameOf = (sql: string) => {
      const name = names.get(sql) ?? `s${names.size}`
      names.set(sql, name)
      return name
    }
    return {
      async send({ sql, bindings }) {
        const { rows } = await pool.query({ name: nameOf(sql), text: sql, values: bindings })
        return rows
      },
      close: () => pool.end(),
    }
  }
  const pool = mysql.createPool({ ...server, connectionLimit: CONNECTIONS })
  return {
    async send({ sql, bindings }) {
      const [rows] = await pool.execute(sql, bindings as never[])
      return rows as unknown[]
    },
    close: () => pool.end(),
  }
}

const { send, close } = driver()

async function answer(expected: BareAnswer | undefined, response: ServerResponse): Promise<void> {
  let rows: unknown[] = []
  for (const statement of expected?.statements ?? []) {
    rows = await send(statement)
  }
  const body = JSON.stringify({ success: true, data: rows, message: 'Read' })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(expected?.status ?? 404, headers).end(body)
}

const tasks = {
  cpu,
  async serve(answers: Record<string, BareAnswer>): Promise<string> {
    const known = new Map(Object.entries(answers))
    const server = createServer((request, response) => {
      answer(known.get(request.url!), response).catch((error: Error) => {
        console.error(error)
        response.destroy()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
}

answerTasks(tasks, close)
