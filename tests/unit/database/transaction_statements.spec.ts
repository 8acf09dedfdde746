import { test } from '@japa/runner'
import { postgresLimits } from '#database/statements/limits'
import { prepareInTransactions } from '#database/statements/pg_prepared'

type Done = (error: unknown, result?: unknown) => void

/** A driver that records the statements and returns one result for each. */
class Driver {
  readonly sent: string[] = []

  query(query: unknown, done?: Done): void {
    const text = typeof query === 'string' ? query : (query as { text: string }).text
    this.sent.push(text)
    const results = text
      .split(/; (?=.)/)
      .map((statement) => ({ command: statement.split(/[ ;]/)[0] }))
    done?.(null, results.length > 1 ? results : results[0])
  }
}

const LIMITS = postgresLimits('local', { lockMs: 10_000, statementMs: 20_000 })
const SET = 'set local lock_timeout = 10000; set local statement_timeout = 20000'

/** A statement, and the text that is sent. */
const TABLE: [statement: string, sent: string][] = [
  ['BEGIN;', `BEGIN; ${SET}`],
  ['begin', `begin; ${SET}`],
  [
    'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ;',
    `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ; ${SET}`,
  ],
  ['start transaction read only', `start transaction read only; ${SET}`],
  ['SAVEPOINT trx1;', 'SAVEPOINT trx1;'],
  ['COMMIT;', 'COMMIT;'],
  ['select 1', 'select 1'],
  ['update beginnings set a = 1', 'update beginnings set a = 1'],
]

test.group('Limits of statements in transactions', () => {
  for (const [statement, sent] of TABLE) {
    for (const query of [statement, { text: statement }]) {
      test(`${typeof query} "${statement}"`, ({ assert }) => {
        const driver = new Driver()
        prepareInTransactions(driver, LIMITS)
        let result: unknown
        driver.query(query, (_, told) => (result = told))
        assert.deepEqual(driver.sent, [sent])
        assert.isFalse(Array.isArray(result))
        assert.equal((result as { command: string }).command, sent.split(/[ ;]/)[0])
      })
    }
  }

  test('nothing is added without limits', ({ assert }) => {
    const driver = new Driver()
    prepareInTransactions(driver)
    driver.query('BEGIN;', () => {})
    assert.deepEqual(driver.sent, ['BEGIN;'])
  })

  test('0 means no limit', ({ assert }) => {
    assert.equal(
      postgresLimits('session', { lockMs: 10_000, statementMs: 0 }),
      'set session lock_timeout = 10000; set session statement_timeout = 0'
    )
  })
})
