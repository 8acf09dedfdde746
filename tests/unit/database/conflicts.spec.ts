import { test } from '@japa/runner'
import {
  isConflict,
  isHeldElsewhere,
  isUniqueViolation,
  retryOnConflict,
  STALE_STATEMENT,
} from '#database/conflicts'

const failed = (code: unknown, message = 'failed') => Object.assign(new Error(message), { code })

/** Errors that databases report for a conflict with another writer. */
const CONFLICTS: [what: string, error: unknown][] = [
  ['a deadlock of MariaDB', failed('ER_LOCK_DEADLOCK', 'Deadlock found when trying to get lock')],
  ['a row that changed in MariaDB', failed('ER_CHECKREAD', 'Record has changed since last read')],
  ['a deadlock of PostgreSQL', failed('40P01', 'deadlock detected')],
  ['a transaction of PostgreSQL in the way', failed('40001', 'could not serialize access')],
  ['a stale statement', failed(STALE_STATEMENT)],
  ['SQLite that is busy', failed('SQLITE_BUSY')],
  ['SQLite with a snapshot', failed('SQLITE_BUSY_SNAPSHOT')],
  ['SQLite that is locked', failed('SQLITE_LOCKED_SHAREDCACHE')],
  [
    'a faster node of Galera',
    failed('ER_DUP_ENTRY', 'insert into `zw_journal` (`zone_uid`) values (?) - Duplicate entry'),
  ],
]

/** Errors that a retry of the transaction would repeat. */
const OTHERS: [what: string, error: unknown][] = [
  ['a name that is taken', failed('ER_DUP_ENTRY', 'insert into `zw_users` (`username`) values')],
  ['a row that somebody holds', failed('ER_LOCK_WAIT_TIMEOUT')],
  ['a row that PostgreSQL does not wait for', failed('55P03')],
  ['a code that only begins alike', failed('SQLITE_BUSYBODY')],
  ['an error without a code', new Error('Deadlock found when trying to get lock')],
  ['what is no error', { code: 'ER_LOCK_DEADLOCK' }],
]

/** Runs a transaction that fails `failures` times. Returns the number of attempts and the result. */
async function run(error: unknown, failures: number): Promise<[number, unknown]> {
  let runs = 0
  const outcome = await retryOnConflict(async () => {
    if (++runs <= failures) throw error
    return 'done'
  }).catch((reason: unknown) => reason)
  return [runs, outcome]
}

test.group('Conflicts with other writers', () => {
  for (const [what, error] of CONFLICTS) {
    test(`${what}: the transaction is retried`, async ({ assert }) => {
      assert.isTrue(isConflict(error))
      assert.deepEqual(await run(error, 3), [4, 'done'])
    })
  }

  for (const [what, error] of OTHERS) {
    test(`${what}: the transaction is not retried`, async ({ assert }) => {
      assert.isFalse(isConflict(error))
      assert.deepEqual(await run(error, 3), [1, error])
    })
  }

  test('a locked row and a lost race are distinguished', ({ assert }) => {
    assert.isTrue(isHeldElsewhere(failed('ER_LOCK_NOWAIT')))
    assert.isFalse(isHeldElsewhere(failed('ER_LOCK_DEADLOCK')))
    assert.isTrue(isUniqueViolation(failed('23505')))
    assert.isFalse(isUniqueViolation(failed('23503')))
  })
})
