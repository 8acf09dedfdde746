import Database from 'better-sqlite3'
import { test } from '@japa/runner'
import { cacheStatements } from '#database/statements/sqlite_cache'

/** Returns a connection with a statement cache, and the statements that it prepares. */
function keeping() {
  const connection = new Database(':memory:')
  const prepared: string[] = []
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((sql: string) => {
    prepared.push(sql)
    return prepare(sql)
  }) as typeof connection.prepare
  cacheStatements(connection)
  return { connection, prepared }
}

test.group('Cached statements', () => {
  test('statements are prepared once', ({ assert }) => {
    const { connection, prepared } = keeping()
    connection.prepare('create table t (a)').run()
    for (const value of [1, 2, 3]) {
      connection.prepare('insert into t values (?)').run(value)
    }
    assert.deepEqual(connection.prepare('select a from t').all(), [{ a: 1 }, { a: 2 }, { a: 3 }])
    assert.lengthOf(prepared, 3)
  })

  test('statements return the current columns of a table', ({ assert }) => {
    const { connection } = keeping()
    connection.prepare('create table t (a)').run()
    connection.prepare('insert into t values (1)').run()
    assert.deepEqual(connection.prepare('select * from t').all(), [{ a: 1 }])
    connection.prepare('alter table t add column b').run()
    assert.deepEqual(connection.prepare('select * from t').all(), [{ a: 1, b: null }])
  })

  test('statements work again after a failure', ({ assert }) => {
    const { connection } = keeping()
    connection.prepare('create table t (a unique)').run()
    const insert = () => connection.prepare('insert into t values (1)').run()
    insert()
    assert.throws(insert, /UNIQUE/)
    connection.prepare('delete from t').run()
    assert.doesNotThrow(insert)
  })

  test('the cache is limited in number and length', ({ assert }) => {
    const { connection, prepared } = keeping()
    const first = 'select 0 as a'
    for (let i = 0; i <= 500; i++) connection.prepare(`select ${i} as a`)
    connection.prepare(first)
    assert.lengthOf(
      prepared.filter((sql) => sql === first),
      2
    )
    const long = `select '${'x'.repeat(5_000)}' as a`
    connection.prepare(long)
    connection.prepare(long)
    assert.lengthOf(
      prepared.filter((sql) => sql === long),
      2
    )
  })
})
