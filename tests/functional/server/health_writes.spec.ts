// @databases
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { demandWritable, forgetWritable } from '#health/write_probe'
import { CalledServer } from '#tests/support/app/server'

const here = CalledServer.ofThisProcess()
const { name: dialect } = db.connection().dialect

/** Statements that make the connection read-only and writable again. */
const READ_ONLY: Record<string, [on: string, off: string]> = {
  'better-sqlite3': ['pragma query_only = on', 'pragma query_only = off'],
  'postgres': ['set default_transaction_read_only = on', 'set default_transaction_read_only = off'],
  'mysql': ['set session transaction read only', 'set session transaction read write'],
}

/** Runs a statement in every connection of the pool. */
async function everywhere(statement: string): Promise<void> {
  const { pool } = db.connection().getWriteClient().client as unknown as {
    pool: { max: number; acquire(): { promise: Promise<object> }; release(it: object): void }
  }
  const maximum = dialect === 'better-sqlite3' ? 1 : pool.max
  const connections = await Promise.all(
    Array.from({ length: maximum }, async () => pool.acquire().promise)
  )
  try {
    for (const connection of connections) {
      await db.connection().getWriteClient().raw(statement).connection(connection)
    }
  } finally {
    connections.forEach((connection) => pool.release(connection))
  }
}

async function health() {
  const answer = await here.get('/api/health')
  return { status: answer.status, body: answer.json() }
}

const OK = { status: 200, body: { status: 'ok', checks: { database: 'ok', pdns_api: 'skipped' } } }
const DOWN = {
  status: 503,
  body: { status: 'error', checks: { database: 'down', pdns_api: 'skipped' } },
}

test.group('Readiness with a read-only database', (group) => {
  group.each.setup(() => {
    forgetWritable()
    return () => forgetWritable()
  })

  test('readiness is 503 while the database is read-only, and 200 before and after', async ({
    assert,
  }) => {
    assert.deepEqual(await health(), OK)
    const [on, off] = READ_ONLY[dialect]
    await everywhere(on)
    try {
      // The result of the last check is still cached.
      assert.deepEqual(await health(), OK)
      forgetWritable()
      assert.deepEqual(await health(), DOWN)
      await assert.rejects(demandWritable, /read.?only/i)
    } finally {
      await everywhere(off)
    }
    assert.deepEqual(await health(), DOWN)
    forgetWritable()
    assert.deepEqual(await health(), OK)
  })

  test('many health checks cause one write', async ({ assert }) => {
    await health()
    const written = () => db.from('zw_installation').where('name', 'written_at').firstOrFail()
    const { value } = await written()
    await Promise.all(Array.from({ length: 20 }, health))
    const { value: same } = await written()
    assert.equal(same, value)
    forgetWritable()
    await Promise.all(Array.from({ length: 20 }, health))
    const { value: other } = await written()
    assert.notEqual(other, value)
  })

  test('a database without the tables is ready for setup', async ({ assert }) => {
    await db.connection().schema.renameTable('zw_installation', 'zw_installation_away')
    try {
      assert.deepEqual(await health(), OK)
    } finally {
      await db.connection().schema.renameTable('zw_installation_away', 'zw_installation')
    }
  })
})
