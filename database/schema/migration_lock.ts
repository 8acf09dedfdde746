import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@adonisjs/lucid/database'
import { invalid } from '#exceptions/refusal'

/** How long somebody waits for another one who migrates the same database, and how often it is looked. */
const PATIENCE_MS = 10 * 60_000
const POLL_MS = 500

/** Of this product alone, among the advisory locks of a PostgreSQL database. */
const PG_KEY = 7_906_553

/** A query of knex that is sent by a connection of the caller's. */
interface Sent {
  connection(held: object): Promise<unknown>
}

/**
 * Runs work that changes tables while nobody else does so in the same database: others wait, for ten minutes at most.
 * The lock is held by one connection from the first statement to the last, and names the database: a MariaDB
 * server has one set of locks for all of its databases. SQLite has a lock of its own.
 *
 * Throws a `Refusal` when somebody else is at it for too long.
 */
export async function whileMigrating<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const client = database.connection()
  const dialect = client.dialect.name
  if (dialect === 'better-sqlite3') {
    return work()
  }
  const knex = client.getWriteClient()
  const held: object = await knex.client.acquireConnection()
  const ask = async (sql: string): Promise<boolean> => {
    const sent = knex.raw(sql) as unknown as Sent
    const said = await sent.connection(held)
    const [row] = dialect === 'postgres' ? (said as { rows: Lock[] }).rows : (said as [Lock[]])[0]
    return row.done === true || row.done === 1
  }
  const { take, release } = dialect === 'postgres' ? POSTGRES : MARIADB
  try {
    for (const since = Date.now(); !(await ask(take)); await sleep(POLL_MS)) {
      if (Date.now() - since > PATIENCE_MS) {
        throw invalid('Somebody else changes the tables of this database; run it again afterwards')
      }
    }
    try {
      return await work()
    } finally {
      // A connection that was lost has given it already.
      await ask(release).catch(() => {})
    }
  } finally {
    await knex.client.releaseConnection(held)
  }
}

interface Lock {
  done: unknown
}

const POSTGRES = {
  take: `SELECT pg_try_advisory_lock(${PG_KEY}) AS done`,
  release: `SELECT pg_advisory_unlock(${PG_KEY}) AS done`,
}

const NAME = "CONCAT('zonewright ', MD5(DATABASE()))"
const MARIADB = {
  take: `SELECT GET_LOCK(${NAME}, 0) AS done`,
  release: `SELECT RELEASE_LOCK(${NAME}) AS done`,
}
