import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex, { type Knex } from 'knex'
import { test } from '@japa/runner'
import { addReadConnection, type SqliteClient } from '#database/sqlite_reader'

interface Opened {
  db: Knex
  client: SqliteClient
}

/** Opens a database with one row. A test may occupy its only connection. */
async function opened(journal: string): Promise<Opened & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'zw-reader-'))
  const db = knex({
    client: 'better-sqlite3',
    connection: { filename: join(folder, 'db.sqlite3') },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
    acquireConnectionTimeout: 300,
    log: { error() {}, warn() {} },
  })
  await db.raw(`PRAGMA journal_mode = ${journal}`)
  await db.schema.createTable('things', (table) => table.integer('n'))
  await db('things').insert({ n: 1 })
  const client = db.client as SqliteClient
  await addReadConnection(client, { prepare: () => {}, demand: () => {} })
  const close = async () => {
    await db.destroy()
    rmSync(folder, { recursive: true })
  }
  return { db, client, close }
}

const READS: [what: string, read: (db: Knex) => PromiseLike<unknown>, expected: unknown][] = [
  ['rows', (db) => db('things').select('n'), [{ n: 1 }]],
  ['the first row', (db) => db('things').first('n'), { n: 1 }],
  ['a column', (db) => db('things').pluck('n'), [1]],
  ['a count', (db) => db('things').count('* as total'), [{ total: 1 }]],
  ['a select as text', (db) => db.raw('select n from things'), [{ n: 1 }]],
  [
    'what a sub-query says',
    (db) => db.from(db('things').select('n').as('t')).select('n'),
    [{ n: 1 }],
  ],
]

/** Queries that still need the only connection. */
const WAITING: [what: string, write: (db: Knex) => PromiseLike<unknown>][] = [
  ['an insert', (db) => db('things').insert({ n: 3 })],
  ['an update', (db) => db('things').update({ n: 3 })],
  ['a deletion', (db) => db('things').delete()],
  ['a write as text', (db) => db.raw('update things set n = 3')],
  ['a transaction', (db) => db.transaction((trx) => trx('things').select('n'))],
]

test.group('Reads during a transaction of SQLite', () => {
  for (const [what, read, expected] of READS) {
    test(`${what} reads committed data while a transaction writes`, async ({ assert, cleanup }) => {
      const { db, close } = await opened('WAL')
      cleanup(close)
      const trx = await db.transaction()
      await trx('things').insert({ n: 2 })
      assert.deepEqual(await read(db), expected)
      assert.lengthOf(await trx('things').select('n'), 2)
      await trx.commit()
      assert.lengthOf(await db('things').select('n'), 2)
    })
  }

  for (const [what, write] of WAITING) {
    test(`${what} waits`, async ({ assert, cleanup }) => {
      const { db, close } = await opened('WAL')
      cleanup(close)
      const trx = await db.transaction()
      await assert.rejects(async () => write(db), /Timeout acquiring a connection/)
      await trx.rollback()
      await write(db)
    })
  }

  test('without a write-ahead log all reads wait', async ({ assert, cleanup }) => {
    const { db, close } = await opened('DELETE')
    cleanup(close)
    const trx = await db.transaction()
    await assert.rejects(() => db('things').select('n').then(), /Timeout acquiring/)
    await trx.rollback()
  })

  test('a separate read connection is only used while the main one is busy', async ({
    assert,
    cleanup,
  }) => {
    const { db, client, close } = await opened('WAL')
    cleanup(close)
    const first = await client.acquireReadConnection!()
    const second = await client.acquireReadConnection!()
    assert.notStrictEqual(second, first)
    await client.releaseConnection(second)
    await client.releaseConnection(first)
    assert.strictEqual(await client.acquireReadConnection!(), first)
    await client.releaseConnection(first)
    assert.deepEqual(await db('things').select('n'), [{ n: 1 }])
  })
})
