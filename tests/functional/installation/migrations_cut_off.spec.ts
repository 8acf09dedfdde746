// @databases
import { test } from '@japa/runner'
import env from '#support/env'
import { NewDatabase } from '#tests/support/app/database/new_database'
import { rowsOf, schemaOf } from '#tests/support/app/database/schema'

const LIMIT = 10 * 60_000
const CUT = 'cut off'
/** Statements between two interruptions. An interrupted migration starts again with its first table. */
const STEP = 4
/** The migration of PowerDNS' own tables is not interrupted, because it does not change existing tables. */
const FIRST = 1

type Done = (error: Error | null, ...rest: unknown[]) => void

interface Handle {
  query(sent: { sql: string } | string, ...rest: unknown[]): unknown
}

/** Executes a number of writing statements. Further ones fail. */
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

/** Runs migrations up to the limit. Returns true if all were completed. */
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
  test.group('Interrupted migrations', () => {
    test('interrupted migrations can be run again', async ({ assert, cleanup }) => {
      const limit = new Limit()
      const whole = await NewDatabase.create()
      cleanup(() => whole.drop())
      const cut = await NewDatabase.create((handle) => limit.watch(handle))
      cleanup(() => cut.drop())
      await whole.migrate()

      let cuts = 0
      // Interrupts each migration before its first statement, then after further statements, until it is complete.
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
