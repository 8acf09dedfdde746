// @databases
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { test } from '@japa/runner'
import env from '#start/env'
import { unique } from '#tests/support/app/names'
import { MOVED, movedRows, OLDER, writeOlderRows } from '#tests/support/app/older_rows'

const LIMIT = 10 * 60_000
const CUT = 'cut off'
/** PowerDNS' own tables, each made where it is missing: not cut off here. */
const FIRST = 1

/** Tables in which rows are changed, or stay. */
const MIGRATED = [
  'records',
  'zw_api_keys',
  'zw_journal',
  'zw_journal_changes',
  'zw_record_keys',
  'zw_record_notes',
  'zw_seen_zones',
  'zw_trash',
  'zw_trash_owners',
  'zw_users',
  'zw_zones',
]

type Told = (error: Error | null, ...rest: unknown[]) => void

interface Handle {
  query(sent: { sql: string } | string, ...rest: unknown[]): unknown
}

interface MysqlConfig {
  connection: object
  pool: { afterCreate(handle: Handle, done: (error: unknown) => void): void }
}

/** How many more statements that change something are let through; those after them fail. */
class Limit {
  left = Infinity
  /** Migrations that were recorded. */
  recorded = 0
  /** Whether the last of them is that after which rows are written: nothing is let through before they are. */
  isOlder = false

  /** Counts what a connection is asked. */
  watch(handle: Handle): void {
    const query = handle.query.bind(handle)
    handle.query = (sent, ...rest) => {
      const text = typeof sent === 'string' ? sent : sent.sql
      if (/^\s*(create|alter|drop|insert|update|delete)\b/i.test(text) && this.recorded >= FIRST) {
        this.left -= 1
        if (this.left < 0 || this.isOlder) {
          const told = rest.findLast((it) => typeof it === 'function') as Told
          setImmediate(() => told(new Error(CUT)))
          return
        }
      }
      if (/^insert into `zw_migrations`/i.test(text)) {
        this.recorded += 1
        this.isOlder = rest.some((it) => Array.isArray(it) && it.includes(OLDER))
      }
      return query(sent, ...rest)
    }
  }
}

/** A connection to a new, empty database. */
async function newDatabase(limit: Limit): Promise<string> {
  const name = `zonewright_${unique('again').replaceAll(/[^a-z0-9]/g, '_')}`
  await db.rawQuery(`create database ${name}`)
  const known = db.manager.get(db.primaryConnectionName)!.config
  const { connection, pool, ...config } = known as unknown as MysqlConfig
  const afterCreate: MysqlConfig['pool']['afterCreate'] = (handle, done) => {
    limit.watch(handle)
    pool.afterCreate(handle, done)
  }
  const own = {
    ...config,
    connection: { ...connection, database: name },
    pool: { ...pool, afterCreate },
  }
  db.manager.add(name, own as unknown as typeof known)
  return name
}

async function run(name: string): Promise<void> {
  const runner = new MigrationRunner(db, app, {
    direction: 'up',
    connectionName: name,
    disableLocks: true,
  })
  await runner.run()
  if (runner.error) throw runner.error
}

/** Runs what is let through; whether that was all of it. */
async function runCutOff(name: string): Promise<boolean> {
  try {
    await run(name)
    return true
  } catch (error) {
    if ((error as Error).message.split(' - ').at(-1) !== CUT) throw error
    return false
  }
}

/** Writes rows once the migrations before them ran. */
async function writeRowsIn(name: string, limit: Limit): Promise<void> {
  if (limit.isOlder) {
    limit.isOlder = false
    const { left } = limit
    limit.left = Infinity
    await writeOlderRows(db.connection(name))
    limit.left = left
  }
}

/** Rows of the tables of the product, as they lie there. */
async function rowsOf(name: string): Promise<Record<string, unknown[]>> {
  const client = db.connection(name)
  const rows: Record<string, unknown[]> = {}
  for (const table of MIGRATED) rows[table] = await client.from(table).orderByRaw('1, 2, 3')
  return rows
}

/** Statements by which the tables of a database are made. */
async function tablesOf(name: string): Promise<Record<string, string>> {
  const client = db.connection(name)
  const [tables] = (await client.rawQuery('show tables')) as [object[]]
  const made: Record<string, string> = {}
  for (const row of tables) {
    const table = String(Object.values(row)[0])
    const [[shown]] = (await client.rawQuery(`show create table ${table}`)) as [
      [{ 'Create Table': string }],
    ]
    made[table] = shown['Create Table'].replace(/ AUTO_INCREMENT=\d+/, '')
  }
  return made
}

if (env.get('DB_CONNECTION') === 'mysql') {
  test.group('Migrations that are cut off', () => {
    test('can be begun again, wherever they ended, with rows that they move', async ({
      assert,
      cleanup,
    }) => {
      const [limit, unlimited] = [new Limit(), new Limit()]
      const [whole, cut] = [await newDatabase(unlimited), await newDatabase(limit)]
      cleanup(async () => {
        for (const name of [whole, cut]) {
          await db.manager.close(name, true)
          await db.rawQuery(`drop database ${name}`)
        }
      })
      assert.isFalse(await runCutOff(whole))
      await writeRowsIn(whole, unlimited)
      await run(whole)

      let cuts = 0
      // Each migration ends after no statement, then after its first, until it is whole.
      for (let statements = 0; ; statements++) {
        const { recorded } = limit
        limit.left = statements
        if (await runCutOff(cut)) break
        cuts += 1
        await writeRowsIn(cut, limit)
        if (limit.recorded > recorded) statements = -1
      }
      assert.isAbove(cuts, 100)
      assert.deepEqual(await tablesOf(cut), await tablesOf(whole))
      assert.deepEqual(await movedRows(db.connection(whole)), MOVED)
      assert.deepEqual(await rowsOf(cut), await rowsOf(whole))
    }).timeout(LIMIT)
  })
}
