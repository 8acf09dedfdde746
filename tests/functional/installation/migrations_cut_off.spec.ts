// @databases
import { test } from '@japa/runner'
import env from '#support/env'
import { NewDatabase } from '#tests/support/app/database/new_database'
import { rowsOf, schemaOf } from '#tests/support/app/database/schema'

const LIMIT = 10 * 60_000
const CUT = 'cut off'
/** Statements between two cuts of a migration: a cut migration begins with its first table again. */
const STEP = 4
/** The migration of PowerDNS' own tables is not cut off: it does not change tables that exist. */
const FIRST = 1

type Done = (error: Error | null, ...rest: unknown[]) => void

interface Handle {
  query(sent: { sql: string } | string, ...rest: unknown[]): unknown
}

/** Lets a number of statements that change something pass; those after them fail. */
class Limit {
  left = Infinity
  /** Number of recorded migrations. */
  recorded = 0

  /** Counts the statements of a connection. */
  watch(handle: Handle): void {
    const query = handle.query.bind(handle)
    handle.query = (sent, ...rest) => {
      const text = typeof sent === 'string' ? sent : sent.sql
      if (/^\s*(create|alter|drop|insert|update|delete)\b/i.test(text) && this.recorded >= FIRST) {
        this.left -= 1
        if (this.left < 0) {
          const done = rest.findLast((it) => typeof it === 'function') as Done
          setImmediate(() => done(new Error(CUT)))
          return
        }
      }
      if (/^insert into `zw_migrations`/i.test(text)) {
        this.recorded += 1
      }
      return query(sent, ...rest)
    }
  }
}

/** Runs what the limit lets pass. Returns whether that was all of it. */
async function migrateCutOff(database: NewDatabase): Promise<boolean> {
  try {
    return await database.migrate()
  } catch (error) {
    if ((error as Error).message.split(' - ').at(-1) !== CUT) throw error
    return false
  }
}

// MariaDB and MySQL commit each statement of a migration by itself.
if (env.get('DB_CONNECTION') === 'mysql') {
  test.group('Migrations that are cut off', () => {
    test('can be run again', async ({ assert, cleanup }) => {
      const limit = new Limit()
      const whole = await NewDatabase.create()
      cleanup(() => whole.drop())
      const cut = await NewDatabase.create((handle) => limit.watch(handle))
      cleanup(() => cut.drop())
      await whole.migrate()

      let cuts = 0
      // Each migration is cut off before its first statement, then some statements later, until it is complete.
      for (let statements = 0; ; statements += STEP) {
        const { recorded } = limit
        limit.left = statements
        if (await migrateCutOff(cut)) break
        cuts += 1
        if (limit.recorded > recorded) statements = -STEP
      }
      assert.isAbove(cuts, 50)
      assert.deepEqual(await schemaOf(cut.client), await schemaOf(whole.client))
      assert.deepEqual(await rowsOf(cut.client), await rowsOf(whole.client))
    }).timeout(LIMIT)
  })
}
