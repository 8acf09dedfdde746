import { test } from '@japa/runner'
import { isConflict, isLostRace, retryOnConflict } from '#database/conflicts'
import { errorText } from '#exceptions/command_errors'
import { databaseFailure, FAILURES, withoutValues } from '#exceptions/database_errors'

const coded = (code: string, message = 'failed', overrides: object = {}) =>
  Object.assign(new Error(message), { code, ...overrides })

test.group('Database failures', () => {
  test('code {0} is {1}')
    .with([
      ['ECONNREFUSED', 'down'],
      ['EAI_AGAIN', 'down'],
      ['08P01', 'down'],
      ['08001', 'down'],
      ['08006', 'down'],
      ['57P01', 'down'],
      ['57P05', 'down'],
      ['ER_UNKNOWN_COM_ERROR', 'down'],
      ['PROTOCOL_CONNECTION_LOST', 'down'],
      ['SQLITE_IOERR_FSYNC', 'down'],
      ['SQLITE_CANTOPEN_ISDIR', 'down'],
      ['28P01', 'down'],
      ['ER_ACCESS_DENIED_ERROR', 'down'],
      ['25006', 'read-only'],
      ['ER_OPTION_PREVENTS_STATEMENT', 'read-only'],
      ['SQLITE_READONLY', 'read-only'],
      ['SQLITE_READONLY_DBMOVED', 'read-only'],
      ['53100', 'full'],
      ['ER_DISK_FULL', 'full'],
      ['ER_RECORD_FILE_FULL', 'full'],
      ['SQLITE_FULL', 'full'],
      ['53200', 'exhausted'],
      ['53300', 'exhausted'],
      ['40P01', 'busy'],
      ['ER_LOCK_DEADLOCK', 'busy'],
      ['SQLITE_BUSY_SNAPSHOT', 'busy'],
      ['42P01', null],
      ['23505', null],
      ['22001', null],
      ['ER_PARSE_ERROR', null],
      ['SQLITE_CONSTRAINT_UNIQUE', null],
      ['SQLITE_ERROR', null],
    ] as [string, string | null][])
    .run(({ assert }, [code, failure]) => {
      assert.equal(databaseFailure(coded(code)), failure)
    })

  test('a message without a code is recognized after a statement too: {$self}')
    .with([
      'Connection terminated',
      'Connection terminated unexpectedly',
      'Connection ended unexpectedly',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
      'terminating connection due to unexpected postmaster exit',
      "Can't add new command when connection is in closed state",
    ])
    .run(({ assert }, words) => {
      assert.equal(databaseFailure(new Error(words)), 'down')
      assert.equal(databaseFailure(coded('XX000', words)), 'down')
      assert.equal(databaseFailure(new Error(`select * from "a" where b = $1 - ${words}`)), 'down')
    })

  test('values of a statement do not count as a message of the database', ({ assert }) => {
    const message = "insert into `zw_users` values ('x - Connection terminated') - syntax error"
    const duplicate =
      "insert - Duplicate entry 'x - Connection terminated' for key 'zw_users_email'"
    assert.isNull(databaseFailure(coded('ER_DUP_ENTRY', duplicate)))
    assert.isNull(databaseFailure(coded('ER_PARSE_ERROR', message)))
    assert.isNull(databaseFailure(new Error(message)))
    assert.isNull(databaseFailure('Connection terminated'))
  })

  test('number {0} of MariaDB is {1}')
    .with([
      [1047, 'down'],
      [1290, 'read-only'],
      [1836, 'read-only'],
      [1021, 'full'],
      [1064, null],
    ] as [number, string | null][])
    .run(({ assert }, [errno, failure]) => {
      const error = coded('UNKNOWN', 'failed', { errno, sqlState: 'HY000' })
      assert.equal(databaseFailure(error), failure)
    })

  test('a missing file does not count as a missing database', ({ assert }) => {
    assert.isNull(databaseFailure(coded('ENOENT', 'failed', { syscall: 'open' })))
    assert.equal(databaseFailure(coded('ENOENT', 'failed', { syscall: 'connect' })), 'down')
  })

  test('commands print each failure in one line', async ({ assert }) => {
    assert.match(await errorText(coded('ECONNREFUSED')), /^The database cannot be reached: see DB_/)
    assert.equal(await errorText(coded('25006')), FAILURES['read-only'].message)
    assert.equal(await errorText(coded('53100')), FAILURES.full.message)
  })

  test('the log has no statement of a lost connection', ({ assert }) => {
    const logged = withoutValues(new Error("select 'secret' - Connection terminated"))
    assert.equal((logged as Error).message, 'Connection terminated')
  })
})

test.group('Lost races', () => {
  const journal = 'insert into `zw_journal` (`entry`) values (3)'

  test('{0} is retried: {1}')
    .with([
      ['ER_DUP_ENTRY', true, `${journal} - Duplicate entry 'a-3' for key 'zw_journal_entry'`],
      ['23505', true, 'insert into "zw_journal" ("entry") values ($1) - duplicate key value'],
      ['SQLITE_CONSTRAINT_UNIQUE', true, `${journal} - UNIQUE constraint failed`],
      ['ER_DUP_ENTRY', true, 'insert into `zw_audit_chain` (`position`) values (1) - Duplicate'],
      ['ER_DUP_ENTRY', true, 'insert into `zw_zone_snapshots` (`zone_id`) values (1) - Duplicate'],
      ['ER_DUP_ENTRY', false, "insert into `zw_users` (`username`) values ('zw_journal') - Dup"],
      ['ER_DUP_ENTRY', false, "insert into `domains` (`name`) values ('a') - Duplicate"],
      ['ER_BAD_NULL_ERROR', false, `${journal} - Column 'entry' cannot be null`],
    ] as [string, boolean, string][])
    .run(({ assert }, [code, isLost, message]) => {
      assert.equal(isLostRace(coded(code, message)), isLost)
      assert.equal(isConflict(coded(code, message)), isLost)
      assert.equal(databaseFailure(coded(code, message)), isLost ? 'busy' : null)
    })

  test('the transaction of a lost race is retried from its start', async ({ assert }) => {
    let runs = 0
    const result = await retryOnConflict(async () => {
      runs++
      if (runs < 3) throw coded('ER_DUP_ENTRY', `${journal} - Duplicate entry`)
      return runs
    })
    assert.equal(result, 3)
  })
})
